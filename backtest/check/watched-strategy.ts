// A strategy whose calls are logged: when, what the view showed (as a hash) and what was answered. Two logs show whether an answer
// rests on anything but what was shown. What the strategy does is untouched.

import { hash } from "node:crypto";
import { isNothing } from "../../src/bot/strategy-host/answer.ts";
import { textOf } from "../../src/strategy/error-text.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import type { FillView, OpenOrderView, ReportView, View, Wake } from "../../src/strategy/view.ts";
import type { WorthProblem } from "../record/run-record.ts";

/** `shiftMs`: the strategy sees another date, the log does not. */
export function watchedStrategy(strategy: Strategy, log: CallLog, shiftMs = 0): Strategy {
  const { definition } = strategy;
  const asked = (what: Call["what"], ask: (view: View) => unknown) => (view: View) => {
    // Before the call: the strategy may change what it is shown, or close it.
    const { now, wake } = view;
    const call = { at: now, wake, what, digest: viewDigest(view) };
    try {
      const answer = ask(shiftMs === 0 ? view : shiftedView(view, shiftMs));
      log.calls.push({ ...call, answer: answerText(answer) });
      return answer;
    } catch (error) {
      log.thrown ??= { at: now, error };
      log.calls.push({ ...call, answer: `threw ${textOf(error)}` });
      throw error;
    }
  };
  const decide = asked("decide", (view) => definition.decide(view));
  if (definition.worth === undefined) return { ...strategy, definition: { decide } };
  return { ...strategy, definition: { decide, worth: asked("worth", (view) => definition.worth?.(view)) } };
}

function answerText(answer: unknown): string | undefined {
  if (isNothing(answer)) return undefined;
  try {
    return JSON.stringify(answer, (_, value: unknown) => (typeof value === "number" ? exact(value) : value));
  } catch {
    return "something that cannot be written down";
  }
}

/** JSON has no word for what is not finite. */
function exact(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

export type Call = {
  readonly at: number;
  readonly wake: Wake;
  readonly what: "decide" | "worth";
  /** In words; undefined when it was nothing. */
  readonly answer: string | undefined;
  /** Of what the view showed. */
  readonly digest: string;
};

export class CallLog {
  /** What decide threw, the first time. */
  thrown: { readonly at: number; readonly error: unknown } | undefined;
  /** Of the run as a whole. */
  worthProblem: WorthProblem | undefined;
  readonly calls: Call[] = [];

  /** Calls of `decide` that were answered with something. */
  get answered(): readonly number[] {
    return this.calls.flatMap(({ what, answer }, index) => (what === "decide" && answer !== undefined ? [index] : []));
  }
}

export type Comparison =
  /** So many calls were shown the same and answered the same; then the views differ, or a run ends. */
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

/** A view of the same moment that says it is another date: nothing but the times differ. */
function shiftedView(view: View, shiftMs: number): View {
  const orderOf = (order: OpenOrderView): OpenOrderView => ({ ...order, decidedAt: order.decidedAt + shiftMs });
  const fillOf = (fill: FillView): FillView => ({
    ...fill,
    decidedAt: fill.decidedAt + shiftMs,
    at: fill.at + shiftMs,
  });
  const reported = <R extends ReportView>(report: R): R => {
    const shifted = { ...report, at: report.at + shiftMs, order: orderOf(report.order) };
    return report.kind === "filled" ? { ...shifted, fill: fillOf(report.fill) } : shifted;
  };
  const shifted: { readonly [K in keyof View]?: (value: View[K]) => View[K] } = {
    now: (now) => now + shiftMs,
    fills: (fills) => fills.map(fillOf),
    openOrders: (orders) => orders.map(orderOf),
    report: (report) => report && reported(report),
    outcomes: (outcomes) =>
      outcomes.map((one) => (one.kind === "refused" ? { ...one, at: one.at + shiftMs } : reported(one))),
  };
  return new Proxy(view, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      return (shifted as Record<PropertyKey, ((value: unknown) => unknown) | undefined>)[key]?.(value) ?? value;
    },
  });
}

/** Of everything that a view shows. Not of ids and texts with them: every run draws its own. */
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
