// The last decisions with their outcomes, and the last fills, each once, from steps. A repeated refusal is one line until
// the next order.

import { type Asset, assetsOf } from "../../domain/asset.ts";
import type { OrderReport } from "../../domain/event.ts";
import { Money } from "../../domain/money/money.ts";
import { type ClientOrderId, type Fill, legsText } from "../../domain/order.ts";
import type { Basis, Decision, Step } from "../../domain/step.ts";
import type { Millis } from "../../domain/time.ts";
import { Memory } from "../memory.ts";
import type { DecisionOutcome, ShownDecision, ShownFill } from "../status.ts";

type Decided = { readonly basis: Basis; readonly reason: string };

const KEPT_MAX = 100;
const FILLS_MAX = 1_000;
const TRAIL_MAX = 12;
const SLOT = "slot ";

/** `currency`: of the limits. `realisedBy`: by the books, in the quote asset. */
export function createDecisionList(
  currency: string,
  realisedBy: (id: ClientOrderId) => string | undefined = () => undefined,
) {
  let shown: ShownDecision[] = [];
  let fills: ShownFill[] = [];
  let captured = 0;
  /** Approved orders that have not filled. */
  const approved = new Memory<Decided | undefined>();

  function decided(decision: Decision, at: Millis, room: string | undefined): void {
    const { verdict, basis } = decision;
    if (verdict.kind === "approved")
      approved.set(verdict.intent.clientOrderId, { basis, reason: verdict.intent.reason });
    const next = { ...shownDecision(decision, at), room };
    const before = next.outcome === "refused" ? sameSinceLastOrder(next) : undefined;
    shown =
      before === undefined
        ? [next, ...shown].slice(0, KEPT_MAX)
        : [{ ...next, times: before.times + 1 }, ...shown.filter((one) => one !== before)];
  }

  /** Refusals of several pairs may alternate, so all lines since the last order are compared. */
  function sameSinceLastOrder(refusal: ShownDecision): ShownDecision | undefined {
    for (const one of shown) {
      if (one.outcome !== "refused") return undefined;
      if (isSameRefusal(one, refusal)) return one;
    }
    return undefined;
  }

  function reported(id: string, report: OrderReport, at: Millis): void {
    const news = outcomeOf(report);
    const place = shown.findIndex((one) => one.clientOrderId === id);
    const known = shown[place];
    const legs = report.kind === "filled" && !report.confirmed ? `: ${legsText(report.fill)}` : "";
    if (known !== undefined) marked(place, `${news.outcome}${legs}`, at, { ...cleared(known, report), ...news });
    const order = report.kind === "filled" ? approved.get(id) : undefined;
    // Reports repeat: a fill comes with the answer and again with its confirmation by history.
    if (report.kind !== "filled" || order === undefined) return;
    approved.set(id, undefined);
    const realised = realisedBy(report.fill.clientOrderId);
    const fill = shownFill(report.fill, { ...order, realised }, currency, report.fill.at ?? at);
    fills = [...fills, fill].slice(-FILLS_MAX);
    captured += (Number(fill.value ?? 0) * (fill.edgeBps ?? 0)) / 1e4;
  }

  function marked(place: number, what: string, at: Millis, news: Partial<ShownDecision> = {}): void {
    const known = shown[place];
    if (known === undefined) return;
    shown = shown.with(place, { ...known, ...news, trail: [...known.trail, { at, what }].slice(-TRAIL_MAX) });
  }

  /** The use of a slot by an order; orders use theirs in the order in which they are sent. */
  function slot(text: string, at: Millis): void {
    const isWithout = ({ trail }: ShownDecision): boolean =>
      trail.some(({ what }) => what === "sending") && !trail.some(({ what }) => what.startsWith(SLOT));
    marked(shown.findLastIndex(isWithout), `${SLOT}${text}`, at);
  }

  /** `room`: the fullest limits, asked for only where something was decided. */
  function take({ event, decisions, at }: Step, room?: () => string | undefined): void {
    const left = decisions.length === 0 ? undefined : room?.();
    for (const decision of decisions) decided(decision, at, left);
    if (event.kind === "report") reported(event.clientOrderId, event.report, at);
  }

  return {
    take,
    slot,
    get newestFirst(): readonly ShownDecision[] {
      return shown;
    },
    /** Newest last. */
    get fills(): readonly ShownFill[] {
      return fills;
    },
    /** The value of all fills at fair value over what was paid, in the currency of the limits. */
    get captured() {
      return captured;
    },
  };
}

function shownDecision({ proposal, verdict, basis }: Decision, at: Millis): ShownDecision {
  const { bid, ask, fair, ageMs } = basis;
  const common = { at, bid, ask, fair, ageMs, times: 1, trail: [] };
  if (verdict.kind === "approved") {
    const { clientOrderId, symbol, side, quantity, limit, reason } = verdict.intent;
    const note = verdict.capped.map(({ rule, message }) => `capped by ${rule}: ${message}`).join("; ");
    const order = { clientOrderId, symbol, side, size: String(quantity), limit: String(limit), reason };
    return { ...common, ...order, outcome: "approved", note };
  }
  const { rule, message } = verdict.refusal;
  const { symbol = "", side = "", size = "", limit = "", reason = "" } = proposal ?? {};
  const asked = { clientOrderId: undefined, symbol, side, size: String(size), limit: limitText(limit), reason };
  return { ...common, ...asked, outcome: "refused", note: `${rule}: ${message}` };
}

/** Rounded as in the conversion to an exact price: further digits are noise of the arithmetic. */
function limitText(limit: number | string): string {
  return typeof limit === "number" ? String(Number(limit.toPrecision(12))) : limit;
}

function isSameRefusal(one: ShownDecision, other: ShownDecision): boolean {
  const ruleOf = ({ note }: ShownDecision): string => note.slice(0, note.indexOf(":"));
  return one.symbol === other.symbol && one.side === other.side && ruleOf(one) === ruleOf(other);
}

/** When an unknown outcome becomes a fill, the note about the doubt is cleared and the reason of the order is shown. */
function cleared({ outcome }: ShownDecision, { kind }: OrderReport): Partial<ShownDecision> {
  return kind === "filled" && (outcome === "doubt" || outcome === "escalated") ? { note: "" } : {};
}

function outcomeOf(report: OrderReport): { outcome: DecisionOutcome; note?: string } {
  switch (report.kind) {
    case "filled":
      return { outcome: report.confirmed ? "confirmed" : "filled" };
    case "rejected":
      return { outcome: "rejected", note: `${report.code}: ${report.message}` };
    case "not-sent":
      return { outcome: "not sent", note: report.reason };
    case "doubt":
      return { outcome: "doubt", note: report.cause };
    case "escalated":
    case "dead":
      return { outcome: report.kind, note: report.reason };
    case "sending":
      return { outcome: "sending" };
  }
}

function shownFill(
  fill: Fill,
  { basis: { fair, rate }, reason, realised }: Decided & { readonly realised: string | undefined },
  currency: string,
  at: Millis,
): ShownFill {
  const { clientOrderId, symbol, side, bought, sold, fee } = fill;
  const [inBase, inQuote] = bought.asset === assetsOf(symbol).base ? [bought, sold] : [sold, bought];
  const price = inQuote.toNumber() / inBase.toNumber();
  const better = fair === undefined ? undefined : side === "buy" ? fair / price - 1 : price / fair - 1;
  const valued = (money: Money | undefined): Money | undefined =>
    money?.asset === currency ? money : rate && money?.valued(rate, currency as Asset, "down");
  const [value, gain] = [
    valued(inQuote),
    valued(realised === undefined ? undefined : Money.of(realised, inQuote.asset)),
  ];
  return {
    ...{ at, clientOrderId, symbol, side, price, fair, reason, size: String(inBase) },
    ...{ bought: String(bought), boughtAsset: bought.asset, sold: String(sold), soldAsset: sold.asset },
    ...{ fee: String(fee), feeAsset: fee.asset, value: value && String(value) },
    realised: gain && String(gain),
    edgeBps: better === undefined ? undefined : better * 1e4,
  };
}
