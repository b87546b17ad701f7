// `backtest --compare`: the orders of a journal over those of the backtest, pair by pair. Both are folds of steps.

import type { Recording } from "../../../backtest/recording.ts";
import { readable, withReader } from "../../app/journal/open-reader.ts";
import { paidIn } from "../../app/shadow/parity.ts";
import type { Shell } from "../../app/shell.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import type { Basis, OrderIntent, Step } from "../../domain/step.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { columns } from "../columns.ts";
import { coveredBy, type Span } from "./plan.ts";

/** `edgeBps` is against the middle at the decision. */
type Order = { readonly intent: OrderIntent; readonly basis: Basis; end?: "filled" | "unfilled"; edgeBps: number };

export class ComparedOrders {
  readonly #orders = new Map<string, Order>();

  step({ event, decisions }: Step): void {
    for (const { verdict, basis } of decisions)
      if (verdict.kind === "approved")
        this.#orders.set(verdict.intent.clientOrderId, { intent: verdict.intent, basis, edgeBps: 0 });
    const order = event.kind === "report" ? this.#orders.get(event.clientOrderId) : undefined;
    if (order === undefined || event.kind !== "report") return;
    const { report } = event;
    if (report.kind === "rejected" || report.kind === "dead") order.end = "unfilled";
    if (report.kind !== "filled") return;
    const { bid = Number.NaN, ask = Number.NaN } = order.basis;
    const middle = (bid + ask) / 2;
    const sign = order.intent.side === "buy" ? 1 : -1;
    Object.assign(order, { end: "filled", edgeBps: (sign * (middle - paidIn(report.fill)) * 1e4) / middle });
  }

  /** Those that came to an end. */
  within({ from, to }: Span): readonly Order[] {
    const orders = [...this.#orders.values()];
    return orders.filter(({ end, intent: { decidedAt: at } }) => end !== undefined && at >= from && at < to);
  }
}

export function figuresOf(orders: readonly Order[], symbol: PairSymbol) {
  const own = orders.filter(({ intent }) => intent.symbol === symbol);
  const filled = own.filter(({ end }) => end === "filled");
  const fillBps = filled.length === 0 ? undefined : filled.reduce((sum, one) => sum + one.edgeBps, 0) / filled.length;
  return { orders: own.length, filled: filled.length / Math.max(1, own.length), fillBps };
}

export function openComparison(shell: Shell, path: string, recordings: readonly Recording[]) {
  const [done, tested] = [new ComparedOrders(), new ComparedOrders()];
  const times: Millis[] = [];
  const environment = withReader(
    shell,
    (reader) => {
      for (const read of reader.after(0)) {
        const { record } = readable(read).entry;
        if (record.kind !== "step") continue;
        done.step(record.step);
        times.push(record.step.at);
      }
      return reader.opening.environment;
    },
    path,
  );
  const { from = 0, to = 0 } = coveredBy(recordings) ?? { from: times[0], to: times.at(-1) };
  return {
    /** The time of the journal that the data cover. */
    span: { from: millis(Math.max(times[0] ?? 0, from)), to: millis(Math.min(times.at(-1) ?? 0, to) + 1) },
    step: (step: Step) => tested.step(step),
    /** Basis points per order, where one that is not filled has none; the two causes add up to `apartBps`. */
    compared(span: Span) {
      const sides = [done.within(span), tested.within(span)] as const;
      const symbols = new Set(sides.flatMap((orders) => orders.map(({ intent }) => intent.symbol)));
      const pairs = [...symbols].sort().map((symbol) => {
        const [journal, backtest] = [figuresOf(sides[0], symbol), figuresOf(sides[1], symbol)];
        const bps = journal.fillBps ?? backtest.fillBps ?? 0;
        const otherBps = backtest.fillBps ?? bps;
        const causes = {
          filled: (journal.filled - backtest.filled) * otherBps,
          price: journal.filled * (bps - otherBps),
        };
        return { symbol, journal, backtest, apartBps: causes.filled + causes.price, causes };
      });
      return { journal: environment, pairs };
    },
    /** Before the run. */
    require(span: Span): void {
      if (done.within(span).length > 0) return;
      throw usageFailure(`journal ${path} has no order with an end in that time`, "--from and --to choose another");
    },
  };
}

type Comparison = ReturnType<ReturnType<typeof openComparison>["compared"]>;

export function showCompared({ terminal }: Shell, { journal: name, pairs }: Comparison): void {
  const bps = (value: number | undefined): string => value?.toFixed(2) ?? "n/a";
  const titles = [name.toUpperCase(), "backtest"].flatMap((side) => [`>${side} orders`, ">filled", ">bp a fill"]);
  const rows = pairs.map(({ symbol, journal, backtest, apartBps, causes }) => [
    symbol,
    ...[journal, backtest].flatMap(({ orders, filled, fillBps }) => [
      ...[String(orders), `${(filled * 100).toFixed(1)} %`, bps(fillBps)],
    ]),
    ...[apartBps, causes.filled, causes.price].map(bps),
  ]);
  terminal.print();
  terminal.table(columns("pair", ...titles, ">apart bp", ">by filled", ">by price"), rows);
}
