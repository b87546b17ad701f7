// `backtest --compare`: the orders of a journal over those of the backtest, pair by pair. Both are folds of steps.

import type { Recording } from "../../../backtest/recording.ts";
import { readable, withReader } from "../../app/journal/open-reader.ts";
import { paidIn } from "../../app/shadow/parity.ts";
import type { Shell } from "../../app/shell.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import type { Basis, OrderIntent, Step } from "../../domain/step.ts";
import { millis } from "../../domain/time.ts";
import type { JournalReader } from "../../journal/journal-reader.ts";
import { columns } from "../columns.ts";
import { coveredBy, type Span } from "./plan.ts";

/** `edgeBps` is against the middle at the decision; without a fill there is none. */
type Order = { readonly intent: OrderIntent; readonly basis: Basis; isEnded: boolean; edgeBps?: number };

export class ComparedOrders {
  readonly #orders = new Map<string, Order>();

  step({ event, decisions }: Step): void {
    for (const { verdict, basis } of decisions)
      if (verdict.kind === "approved")
        this.#orders.set(verdict.intent.clientOrderId, { intent: verdict.intent, basis, isEnded: false });
    const order = event.kind === "report" ? this.#orders.get(event.clientOrderId) : undefined;
    if (order === undefined || event.kind !== "report") return;
    const { report } = event;
    if (report.kind === "rejected" || report.kind === "dead" || report.kind === "filled") order.isEnded = true;
    if (report.kind !== "filled") return;
    const { bid = Number.NaN, ask = Number.NaN } = order.basis;
    const middle = (bid + ask) / 2;
    const sign = order.intent.side === "buy" ? 1 : -1;
    order.edgeBps = (sign * (middle - paidIn(report.fill)) * 1e4) / middle;
  }

  /** Those that came to an end. */
  within({ from, to }: Span): readonly Order[] {
    const orders = [...this.#orders.values()];
    return orders.filter(({ isEnded, intent: { decidedAt: at } }) => isEnded && at >= from && at < to);
  }
}

export function figuresOf(orders: readonly Order[], symbol: PairSymbol) {
  const own = orders.filter(({ intent }) => intent.symbol === symbol);
  const edges = own.flatMap(({ edgeBps }) => edgeBps ?? []);
  const fillBps = edges.length === 0 ? undefined : edges.reduce((sum, bps) => sum + bps, 0) / edges.length;
  return { orders: own.length, filled: edges.length / Math.max(1, own.length), fillBps };
}

const EVER = { from: millis(0), to: millis(Number.MAX_SAFE_INTEGER) };

export function openComparison(shell: Shell, path: string, recordings: readonly Recording[]) {
  const [done, tested] = [new ComparedOrders(), new ComparedOrders()];
  const orders = (reader: JournalReader) => {
    for (const read of reader.after(0)) {
      const { record } = readable(read).entry;
      if (record.kind === "step") done.step(record.step);
    }
    return reader.opening;
  };
  const { at, environment } = withReader(shell, orders, path);
  const last = done.within(EVER).at(-1)?.intent.decidedAt;
  if (last === undefined) throw usageFailure(`journal ${path} has no order that came to an end`);
  const { from, to } = coveredBy(recordings) ?? EVER;
  return {
    /** The time of the journal that the data cover. */
    span: { from: millis(Math.max(at, from)), to: millis(Math.min(last + 1, to)) },
    step: (step: Step) => tested.step(step),
    /** Basis points per order, where one that is not filled has none; the two causes add up to `apartBps`. */
    compared(span: Span) {
      const sides = [done.within(span), tested.within(span)] as const;
      const symbols = new Set(sides.flatMap((orders) => orders.map(({ intent }) => intent.symbol)));
      const pairs = [...symbols].sort().map((symbol) => {
        const [journal, backtest] = [figuresOf(sides[0], symbol), figuresOf(sides[1], symbol)];
        const bps = journal.fillBps ?? backtest.fillBps ?? 0;
        const otherBps = backtest.fillBps ?? bps;
        const filled = (journal.filled - backtest.filled) * otherBps;
        const price = journal.filled * (bps - otherBps);
        return { symbol, journal, backtest, apartBps: filled + price, causes: { filled, price } };
      });
      return { journal: environment, pairs };
    },
  };
}

type Comparison = ReturnType<ReturnType<typeof openComparison>["compared"]>;

export function showCompared({ terminal }: Shell, { journal: name, pairs }: Comparison): void {
  const bps = (value: number | undefined): string => value?.toFixed(2) ?? "n/a";
  const titles = [name.toUpperCase(), "backtest"].flatMap((side) => [`>${side} orders`, ">filled", ">bp a fill"]);
  const rows = pairs.map(({ symbol, journal, backtest, apartBps, causes }) => {
    const of = ({ orders, filled, fillBps }: typeof journal) => [
      `${orders}`,
      `${(filled * 100).toFixed(1)} %`,
      bps(fillBps),
    ];
    return [symbol, ...of(journal), ...of(backtest), ...[apartBps, causes.filled, causes.price].map(bps)];
  });
  terminal.print();
  terminal.table(columns("pair", ...titles, ">apart bp", ">by filled", ">by price"), rows);
}
