// Reads what a strategy returned. It may be anything: a proposal, a list of them, or nonsense. Whatever is not a proposal that
// could be ordered comes out as a refusal with a code, a rule, a limit and a value, and copies are made, so that
// nothing the strategy still holds can change the record.

import type { PairSymbol } from "../domain/asset.ts";
import type { Instrument } from "../domain/instrument.ts";
import { limitFromSignal, sizeFromSignal } from "../domain/money/door.ts";
import { printable } from "../domain/outside-text.ts";
import type { Proposal, Refusal } from "../domain/step.ts";
import { type Millis, millis } from "../domain/time.ts";
import type { Candidate } from "../risk/rule.ts";

export type Reading =
  | { readonly kind: "candidate"; readonly proposal: Proposal; readonly candidate: Candidate }
  | { readonly kind: "refused"; readonly proposal: Proposal | undefined; readonly refusal: Refusal };

/** Nothing proposed: what a quiet call returns. */
export function isNothing(answer: unknown): boolean {
  return answer === undefined || answer === null || answer === false || (Array.isArray(answer) && answer.length === 0);
}

/** A promise, or anything that may become a proposal later: by then its view is gone. */
export function isPromised(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === "object" && answer !== null && typeof (answer as { then?: unknown }).then === "function";
}

type Terms = {
  readonly now: Millis;
  readonly lifetimeMsMax: number;
  readonly instruments: ReadonlyMap<PairSymbol, Instrument>;
};

export function readProposal(raw: unknown, terms: Terms): Reading {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    return { kind: "refused", proposal: undefined, refusal: refusal("PR01", "a proposal", nameOf(raw)) };
  const proposal = copied(raw as Record<string, unknown>);
  const { symbol, side, reason, lifetimeMs } = proposal;
  const refuse = (refusal: Refusal): Reading => ({ kind: "refused", proposal, refusal });
  const instrument = terms.instruments.get(symbol);
  if (instrument === undefined) return refuse(refusal("PR02", "a listed symbol", symbol));
  if (instrument.status !== "online")
    return refuse(refusal("PR02", `an online symbol, ${symbol}`, printable(instrument.status)));
  if (side !== "buy" && side !== "sell") return refuse(refusal("PR01", "side buy or sell", String(side)));
  if (reason === "") return refuse(refusal("PR05", "a reason in words", "none"));
  if (lifetimeMs !== undefined && !(lifetimeMs > 0))
    return refuse(refusal("PR06", "a lifetime above 0 ms", String(lifetimeMs)));
  const limit = limitFromSignal(proposal.limit, side, instrument);
  if (!limit.ok) return refuse(doorRefusal("PR03", limit.error, proposal.limit));
  const size = sizeFromSignal(proposal.size, instrument);
  if (!size.ok) return refuse(doorRefusal("PR04", size.error, proposal.size));
  const candidate = {
    symbol,
    instrument,
    side,
    quantity: size.value,
    limit: limit.value,
    decidedAt: terms.now,
    expiresAt: millis(terms.now + Math.min(lifetimeMs ?? terms.lifetimeMsMax, terms.lifetimeMsMax)),
    reason,
  };
  return { kind: "candidate", proposal, candidate };
}

/** One line for all that came after the bound. */
export function tooMany(count: number, most: number): Reading {
  const value = `${count}: the rest is not looked at`;
  const message = `a strategy may make ${most} proposals of one event, was ${value}`;
  return { kind: "refused", proposal: undefined, refusal: { rule: "PR07", limit: String(most), value, message } };
}

/** Each field as it came where it has the right type; a wrong type becomes a value that is refused. */
function copied({ symbol, side, limit, size, reason, lifetimeMs }: Record<string, unknown>): Proposal {
  return {
    symbol: (typeof symbol === "string" ? printable(symbol, 40) : nameOf(symbol)) as PairSymbol,
    side: (typeof side === "string" ? printable(side, 10) : nameOf(side)) as Proposal["side"],
    limit: typeof limit === "number" ? limit : Number.NaN,
    size: typeof size === "number" ? size : typeof size === "string" ? size.slice(0, 64) : Number.NaN,
    reason: typeof reason === "string" ? printable(reason.trim()) : "",
    lifetimeMs: lifetimeMs === undefined || typeof lifetimeMs === "number" ? lifetimeMs : Number.NaN,
  };
}

function refusal(rule: string, limit: string, value: string): Refusal {
  return { rule, limit, value, message: `proposal must have ${limit}, was ${value}` };
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
