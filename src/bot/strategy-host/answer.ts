// Parses a strategy's answer, which may be anything: a proposal, a list of them, or nonsense. Anything other than a
// valid proposal becomes a refusal with a code, a rule, a limit and a value. Values are copied, so that objects the
// strategy still holds cannot change the record.

import { type PairSymbol, parseSymbol } from "../../domain/asset.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { limitFromSignal, sizeFromSignal } from "../../domain/money/door.ts";
import { printable, quoted } from "../../domain/sanitise.ts";
import type { Proposal, Refusal } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import type { Candidate } from "../../risk/rule.ts";

export type Reading =
  | { readonly kind: "candidate"; readonly proposal: Proposal; readonly candidate: Candidate }
  | { readonly kind: "refused"; readonly proposal: Proposal | undefined; readonly refusal: Refusal };

/** The time of the answer, and the original object. */
type Given = { readonly now: Millis; readonly raw: object };

/** Whether the answer proposes nothing, as in a quiet call. */
export function isNothing(answer: unknown): boolean {
  return answer === undefined || answer === null || answer === false || (Array.isArray(answer) && answer.length === 0);
}

/** A promise or any thenable: by the time it resolves, its view is closed. */
export function isPromised(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === "object" && answer !== null && typeof (answer as { then?: unknown }).then === "function";
}

export class ProposalReader {
  readonly #lifetimeMsMax: number;

  constructor(lifetimeMsMax: number) {
    this.#lifetimeMsMax = lifetimeMsMax;
  }

  read(raw: unknown, instruments: ReadonlyMap<PairSymbol, Instrument>, now: Millis): Reading {
    if (typeof raw !== "object" || raw === null || Array.isArray(raw))
      return refused(undefined, noProposal(givenText(raw)));
    const { symbol, side, limit, size, reason, lifetimeMs, odds } = raw as Record<string, unknown>;
    const instrument = instruments.get(symbol as PairSymbol);
    const pair = instrument?.symbol ?? pairOf(symbol);
    // An invalid pair or side appears only in the refusal, because a record with it could not be read back.
    if (pair === undefined) return refused(undefined, refusal("PR02", "a listed symbol", wordOf(symbol, 40)));
    if (side !== "buy" && side !== "sell")
      return refused(undefined, refusal("PR01", "side buy or sell", wordOf(side, 10)));
    // Other fields are copied if they have the right type; a wrong type becomes a value that is refused.
    const proposal: Proposal = {
      symbol: pair,
      side,
      limit: typeof limit === "number" ? limit : Number.NaN,
      size: typeof size === "number" ? size : typeof size === "string" ? size.slice(0, 64) : Number.NaN,
      reason: typeof reason === "string" ? printable(reason.trim()) : "",
      lifetimeMs: lifetimeMs === undefined || typeof lifetimeMs === "number" ? lifetimeMs : Number.NaN,
      ...(typeof odds === "number" && odds > 0 && odds <= 1 ? { odds } : {}),
    };
    if (instrument === undefined) return refused(proposal, refusal("PR02", "a listed symbol", pair));
    return this.#judged(proposal, instrument, { now, raw });
  }

  #judged(proposal: Proposal, instrument: Instrument, { now, raw }: Given): Reading {
    const { symbol, side, reason, lifetimeMs } = proposal;
    if (instrument.status !== "online")
      return refused(proposal, refusal("PR02", `an online symbol, ${symbol}`, printable(instrument.status)));
    if (reason === "") return refused(proposal, withNames(refusal("PR05", "a reason in words", "none"), raw));
    if (lifetimeMs !== undefined && !(lifetimeMs > 0))
      return refused(
        proposal,
        misfit("PR06", raw, "lifetimeMs") ?? refusal("PR06", "a lifetime above 0 ms", String(lifetimeMs)),
      );
    const limit = limitFromSignal(proposal.limit, side, instrument);
    if (!limit.ok)
      return refused(proposal, misfit("PR03", raw, "limit") ?? doorRefusal("PR03", limit.error, proposal.limit));
    const size = sizeFromSignal(proposal.size, instrument);
    if (!size.ok)
      return refused(proposal, misfit("PR04", raw, "size") ?? doorRefusal("PR04", size.error, proposal.size));
    const least = leastOf(raw, instrument);
    if (least?.ok === false) return refused(proposal, doorRefusal("PR04", least.error, proposal.size));
    // Without this check a misspelt lifetime would silently become the configured maximum.
    const misspelt = mayBeMisspelt(raw) ? misfit("PR06", raw, "lifetimeMs") : undefined;
    if (misspelt !== undefined) return refused(proposal, misspelt);
    const candidate = {
      symbol,
      instrument,
      side,
      quantity: size.value,
      ...(least && { least: least.value }),
      limit: limit.value,
      decidedAt: now,
      expiresAt: millis(now + Math.min(lifetimeMs ?? this.#lifetimeMsMax, this.#lifetimeMsMax)),
      reason,
    };
    return { kind: "candidate", proposal, candidate };
  }
}

function refused(proposal: Proposal | undefined, refusal: Refusal): Reading {
  return { kind: "refused", proposal, refusal };
}

/** One refusal for all proposals beyond the maximum. */
export function tooMany(count: number, most: number): Reading {
  const value = `${count}: the rest is not looked at`;
  const message = `a strategy may make ${most} proposals of one event, was ${value}`;
  return refused(undefined, { rule: "PR07", limit: String(most), value, message });
}

function leastOf(raw: object, instrument: Instrument): ReturnType<typeof sizeFromSignal> | undefined {
  const { sizeMin } = raw as { readonly sizeMin?: unknown };
  if (sizeMin === undefined) return undefined;
  return sizeFromSignal(Math.max(Number(sizeMin), instrument.quantityMin.toNumber()), instrument);
}

function pairOf(symbol: unknown): PairSymbol | undefined {
  const pair = parseSymbol(symbol);
  return pair.ok ? pair.value : undefined;
}

function wordOf(value: unknown, lengthMax: number): string {
  return typeof value === "string" ? printable(value, lengthMax) : nameOf(value);
}

function refusal(rule: string, limit: string, value: string): Refusal {
  return { rule, limit, value, message: `proposal must have ${limit}, was ${value}` };
}

function noProposal(value: string): Refusal {
  const limit = "a proposal, a list of them or nothing";
  return { rule: "PR01", limit, value, message: `a strategy must answer with ${limit}, was ${value}` };
}

/**
 * A refusal for a field that is not a number. It reads the original, because the refused copy no longer has the value.
 */
function misfit(rule: string, raw: object, field: "limit" | "size" | "lifetimeMs"): Refusal | undefined {
  const value = (raw as Record<string, unknown>)[field];
  const isText = field === "size" && typeof value === "string";
  if (typeof value === "number" || isText) return undefined;
  const kind = field === "size" ? "a number or a decimal text" : "a number";
  if (value !== undefined) return refusal(rule, `${kind} as its ${field}`, givenText(value));
  return withNames(refusal(rule, `${kind} as its ${field}`, "nothing"), raw);
}

/** Lists the names that were given, because a missing field may be there under another name. */
function withNames(refusal: Refusal, raw: object): Refusal {
  const names = Object.keys(raw).filter((name) => (raw as Record<string, unknown>)[name] !== undefined);
  const shown = names.slice(0, NAMES_MAX).map((name) => printable(name, 40));
  return { ...refusal, message: `${refusal.message}; its names were ${shown.join(", ")}` };
}

const NAMES_MAX = 8;

/** True if the optional field is missing and a similar name is present, which was probably meant. */
export function mayBeMisspelt(raw: object): boolean {
  if ((raw as { readonly lifetimeMs?: unknown }).lifetimeMs !== undefined) return false;
  for (const name in raw) if (name !== "lifetimeMs" && /^life/i.test(name)) return true;
  return false;
}

function givenText(value: unknown): string {
  return typeof value === "string" ? quoted(value) : nameOf(value);
}

function doorRefusal(rule: string, message: string, value: number | string): Refusal {
  return { rule, limit: message.replace(/, was .*$/, ""), value: String(value), message };
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object"
    ? "an object"
    : typeof value === "string"
      ? printable(value, 40)
      : String(typeof value);
}
