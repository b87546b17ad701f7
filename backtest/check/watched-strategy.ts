// A strategy whose calls are logged: when, what the view showed (as a hash), and the answer. Two logs show whether an
// answer depends on anything but the view. The strategy's behaviour is unchanged.

import { hash } from "node:crypto";
import { isNothing } from "../../src/bot/strategy-host/answer.ts";
import { textOf } from "../../src/strategy/error-text.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import type { QuoteView, View, Wake } from "../../src/strategy/view.ts";
import { errorOfMean, mean } from "../metric/statistics.ts";
import { rowUntil } from "../record/run-recorder.ts";

/** `shiftMs`: the strategy sees another date, the log does not. `called`: before each call. */
export function watchedStrategy(strategy: Strategy, log: CallLog, shiftMs: number, called: () => void): Strategy {
  const decide = (view: View): ReturnType<Strategy["definition"]["decide"]> => {
    called();
    // Hashed before the call, because the strategy may change the view or close it.
    const { now, wake } = view;
    const call = { at: now, wake, digest: viewDigest(view) };
    if (view.quote !== undefined) log.saw(now, view.quote);
    log.callAt = now;
    try {
      const answer = strategy.definition.decide(shiftMs === 0 ? view : shiftedView(view, shiftMs));
      log.calls.push({ ...call, answer: answerText(answer) });
      log.proposed(now, answer);
      return answer;
    } catch (error) {
      log.thrown ??= { at: now, error };
      log.calls.push({ ...call, answer: `threw ${textOf(error)}` });
      throw error;
    } finally {
      log.callAt = undefined;
    }
  };
  return { ...strategy, definition: { decide } };
}

function answerText(answer: unknown): string | undefined {
  if (isNothing(answer)) return undefined;
  try {
    return JSON.stringify(answer, (_, value: unknown) => (typeof value === "number" ? exact(value) : value));
  } catch {
    return "something that cannot be written down";
  }
}

/** JSON cannot represent values that are not finite. */
function exact(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

export type Call = {
  readonly at: number;
  readonly wake: Wake;
  /** As text; undefined for no answer. */
  readonly answer: string | undefined;
  /** Hash of the view. */
  readonly digest: string;
};

export class CallLog {
  /** The first error that `decide` threw. */
  thrown: { readonly at: number; readonly error: unknown } | undefined;
  /** The time of the view that the strategy has now. */
  callAt: number | undefined;
  readonly calls: Call[] = [];
  /** Proposals, and the venue's middle prices by pair as they were shown. */
  readonly orders: { readonly at: number; readonly symbol: string; readonly sign: number }[] = [];
  readonly mids = new Map<string, { readonly time: number[]; readonly mid: number[] }>();

  saw(at: number, { symbol, bid, ask }: QuoteView): void {
    const shown = this.mids.get(symbol) ?? { time: [], mid: [] };
    this.mids.set(symbol, shown);
    shown.time.push(at);
    shown.mid.push((bid + ask) / 2);
  }

  proposed(at: number, answer: unknown): void {
    for (const one of [answer].flat()) {
      const { side, symbol } = (one ?? {}) as { readonly side?: unknown; readonly symbol?: unknown };
      if (typeof symbol === "string") this.orders.push({ at, symbol, sign: side === "sell" ? -1 : 1 });
    }
  }

  /** Indices of the calls of `decide` that proposed something. */
  get answered(): readonly number[] {
    return this.calls.flatMap(({ answer }, index) => (answer === undefined ? [] : [index]));
  }
}

export type Comparison =
  /** `calls` views and answers were the same; then the views differ, or a run ends. */
  | { readonly kind: "same"; readonly calls: number; readonly partedAt: number | undefined }
  | { readonly kind: "different"; readonly index: number; readonly one: Call; readonly other: Call };

export function compareLogs(one: CallLog, other: CallLog): Comparison {
  const length = Math.min(one.calls.length, other.calls.length);
  for (let index = 0; index < length; index++) {
    const [mine, its] = [one.calls[index] as Call, other.calls[index] as Call];
    if (mine.digest !== its.digest) return { kind: "same", calls: index, partedAt: mine.at };
    if (mine.answer !== its.answer) return { kind: "different", index, one: mine, other: its };
  }
  return { kind: "same", calls: length, partedAt: undefined };
}

// Foresight: the move of the middle price after a proposal, in its direction. Means of blocks as long as the move are
// compared, because proposals within one share their moves.

const HORIZONS_MS = [5_000, 60_000, 600_000, 3_600_000];
export const BLOCKS_MIN = 8;
/** Standard errors of the difference: chance alone reaches it once in tens of thousands of checks. */
const ERRORS_MAX = 4;

/** What a horizon shows: foresight of fewer basis points than this stays hidden; undefined where it was not tested. */
export type Power = { readonly seconds: number; readonly bps: number | undefined };

/** `text` only if `log` foresees more than `other` by far. */
export function compareForesight(
  log: CallLog,
  other: CallLog,
): { readonly text: string | undefined; readonly power: readonly Power[] } {
  let text: string | undefined;
  const power = HORIZONS_MS.map((horizonMs): Power => {
    const [here, there] = [foresight(log, horizonMs), foresight(other, horizonMs)];
    const seconds = horizonMs / 1_000;
    if (Math.min(here.length, there.length) < BLOCKS_MIN) return { seconds, bps: undefined };
    const [one, two] = [mean(here), mean(there)];
    const bps = ERRORS_MAX * Math.hypot(errorOfMean(here), errorOfMean(there));
    if (one > 0 && one - two > bps)
      text ??= `its proposals come before moves of ${one.toFixed(1)} bp within ${seconds} s, and of ${two.toFixed(1)} bp`;
    return { seconds, bps };
  });
  return { text, power };
}

/** Means in basis points, by block. */
function foresight({ orders, mids }: CallLog, horizonMs: number): readonly number[] {
  const blocks = new Map<number, { sum: number; count: number }>();
  for (const { at, symbol, sign } of orders) {
    const { time, mid } = mids.get(symbol) ?? { time: [], mid: [] };
    const now = mid[rowUntil(time, at)];
    const then = mid[rowUntil(time, at + horizonMs - 1) + 1];
    if (now === undefined || then === undefined) continue;
    const block = blocks.get(Math.floor(at / horizonMs)) ?? { sum: 0, count: 0 };
    blocks.set(Math.floor(at / horizonMs), block);
    block.sum += sign * (then / now - 1) * 1e4;
    block.count++;
  }
  return [...blocks.values()].map(({ sum, count }) => sum / count);
}

/** A view of the same moment on another date: only the times differ. */
function shiftedView(view: View, shiftMs: number): View {
  const shifted = (value: unknown, key: PropertyKey): unknown => {
    if (typeof value === "number") return TIMES.has(key) ? value + shiftMs : value;
    if (Array.isArray(value)) return value.map((one) => shifted(one, key));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, DATED.has(name) ? shifted(inner, name) : inner]),
    );
  };
  return new Proxy(view, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      return DATED.has(key) ? shifted(value, key) : value;
    },
  });
}

const TIMES: ReadonlySet<PropertyKey> = new Set(["now", "at", "decidedAt"]);
/** What of a view has times, or things with times in it. */
const DATED: ReadonlySet<PropertyKey> = new Set([
  ...TIMES,
  "fills",
  "openOrders",
  "report",
  "outcomes",
  "order",
  "fill",
]);

/** The hash of everything in a view except ids and texts that contain them, because every run draws its own. */
function viewDigest(view: View): string {
  const { now, wake, quote, fair, noFair, bar, report, balances, fills, openOrders, outcomes } = view;
  const pairs = view.instruments.map(({ symbol, status }) => {
    return [symbol, status, view.quoteOf(symbol), view.fairOf(symbol), view.noFairOf(symbol)];
  });
  const shown = [now, wake, quote, fair, noFair, bar, report, balances, fills, openOrders, outcomes, pairs];
  return hash(
    "md5",
    JSON.stringify(shown, (key, value: unknown) => (UNSHOWN.has(key) ? undefined : value)),
    "base64",
  );
}

const UNSHOWN: ReadonlySet<string> = new Set(["id", "why"]);
