// A strategy whose calls are logged: when, what the view showed (as a hash), and the answer. Two logs show whether an
// answer depends on anything but the view. The strategy's behaviour is unchanged.

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
    // Hashed before the call, because the strategy may change the view or close it.
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

/** JSON cannot represent values that are not finite. */
function exact(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

export type Call = {
  readonly at: number;
  readonly wake: Wake;
  readonly what: "decide" | "worth";
  /** As text; undefined for no answer. */
  readonly answer: string | undefined;
  /** Hash of the view. */
  readonly digest: string;
};

export class CallLog {
  /** The first error that `decide` threw. */
  thrown: { readonly at: number; readonly error: unknown } | undefined;
  /** Of the run as a whole. */
  worthProblem: WorthProblem | undefined;
  readonly calls: Call[] = [];

  /** Indices of the calls of `decide` that proposed something. */
  get answered(): readonly number[] {
    return this.calls.flatMap(({ what, answer }, index) => (what === "decide" && answer !== undefined ? [index] : []));
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

/** A view of the same moment on another date: only the times differ. */
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
