// Order outcomes for the charts: each fill once with its price, and unfilled orders at their limit. The newest are
// kept, with a count of all, so that a reader can ask for those it has not seen.

import { assetsOf } from "../../../domain/asset.ts";
import type { OrderReport } from "../../../domain/event.ts";
import type { Fill, Side } from "../../../domain/order.ts";
import type { Decision, Step } from "../../../domain/step.ts";
import type { Millis } from "../../../domain/time.ts";
import { Memory } from "../../memory.ts";
import type { ShownFill } from "../../status.ts";
import type { ShownMiss } from "./shown.ts";

const KEPT_MAX = 500;

type Known = {
  readonly symbol: string;
  readonly side: Side;
  readonly limit: number;
  readonly fair: number | undefined;
  ended: boolean;
};

export class OrderMarks {
  readonly fills = new Recent<ShownFill>(KEPT_MAX);
  readonly misses = new Recent<ShownMiss>(KEPT_MAX);
  /** Approved orders by client order id. */
  readonly #known = new Memory<Known>();

  step({ event, decisions, at }: Step): void {
    for (const decision of decisions) this.#decided(decision);
    if (event.kind === "report") this.#reported(event.clientOrderId, event.report, at);
  }

  #decided({ verdict, basis }: Decision): void {
    if (verdict.kind !== "approved") return;
    const { clientOrderId, symbol, side, limit } = verdict.intent;
    this.#known.set(clientOrderId, { symbol, side, limit: limit.toNumber(), fair: basis.fair, ended: false });
  }

  #reported(clientOrderId: string, report: OrderReport, at: Millis): void {
    const order = this.#known.get(clientOrderId);
    // Reports repeat: a fill comes with the answer and again with its confirmation by history.
    if (order === undefined || order.ended) return;
    if (report.kind === "filled") {
      order.ended = true;
      this.fills.add(shownFill(report.fill, order.fair, report.fill.at ?? at));
    } else if (report.kind === "rejected" || report.kind === "dead") {
      order.ended = true;
      const { symbol, side, limit } = order;
      const why = report.kind === "rejected" ? `${report.code}: ${report.message}` : report.reason;
      this.misses.add({ at, clientOrderId, symbol, side, limit, why });
    }
  }
}

function shownFill(fill: Fill, fair: number | undefined, at: Millis): ShownFill {
  const { clientOrderId, symbol, side, bought, sold, fee } = fill;
  const { base } = assetsOf(symbol);
  const [inBase, inQuote] = bought.asset === base ? [bought, sold] : [sold, bought];
  const price = inQuote.toNumber() / inBase.toNumber();
  const better = fair === undefined ? undefined : side === "buy" ? fair / price - 1 : price / fair - 1;
  return {
    at,
    clientOrderId,
    symbol,
    side,
    size: String(inBase),
    price,
    bought: String(bought),
    boughtAsset: bought.asset,
    sold: String(sold),
    soldAsset: sold.asset,
    fee: String(fee),
    feeAsset: fee.asset,
    edgeBps: better === undefined ? undefined : better * 1e4,
  };
}

export class Recent<T> {
  readonly #most: number;
  #kept: T[] = [];
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    return this.#count;
  }

  add(one: T): void {
    this.#count++;
    this.#kept.push(one);
    // The list is cut only at twice its length, which keeps adding cheap.
    if (this.#kept.length > 2 * this.#most) this.#kept = this.#kept.slice(-this.#most);
  }

  list(): readonly T[] {
    return this.#kept.slice(-this.#most);
  }

  /** The entries after the first `seen`, as far as they are kept. */
  since(seen: number): readonly T[] {
    const fresh = Math.min(this.#count - seen, this.#most, this.#kept.length);
    return fresh <= 0 ? [] : this.#kept.slice(-fresh);
  }
}
