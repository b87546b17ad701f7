// Conversions as rows: each with its cost over each route, in cents, and sums of the same cents by currency and by route.

import type { Asset } from "../../domain/asset.ts";
import { Money } from "../../domain/money/money.ts";
import { contentOf } from "../../treasury/approval/plan-content.ts";
import { isEnd, type LoggedPlan, type PlanLog } from "../../treasury/approval/plan-log.ts";
import { costsOf, PARTS, type RouteCost } from "../../treasury/conversion/cost.ts";
import { movedSoFar } from "../../treasury/conversion/purse.ts";
import type { Period } from "../command/journal-books.ts";

/**
 * As text. `againstPar`, `againstReference` and `againstShown`: what was paid beyond par, beyond fair value when it was asked for,
 * and beyond all of it by orders at the prices shown then.
 */
const FIGURES = ["value", "cost", ...PARTS, "againstPar", "againstReference", "againstShown"] as const;
type Figures = Readonly<Record<(typeof FIGURES)[number], string>>;
export type RouteRow = Figures & { readonly route: string };

export type Row = NonNullable<ReturnType<typeof rowIn>>;

export function rowsOf(log: PlanLog, { from, to }: Partial<Period> = {}) {
  const rows = log.all().flatMap((known) => rowIn(known) ?? []);
  return rows.filter(({ at }) => at >= (from ?? 0) && (to === undefined || at < to));
}

function rowIn(known: LoggedPlan) {
  const { plan, progress } = known;
  const { conversion, currency, ways = [], atOnceBps } = contentOf(plan);
  const moved = movedSoFar(known);
  const at = progress.find(({ state }) => state === "begun")?.at;
  if (conversion === undefined || moved === undefined || at === undefined) return undefined;
  const { from, to } = conversion;
  const end = progress.find(isEnd);
  const routes = (costsOf(known) ?? []).map((cost) => routeRow(cost, atOnceBps ?? 0));
  return {
    ...{ id: plan.id, at, from, to, left: moved.left, arrived: moved.arrived, currency },
    ...figuresOf(routes, currency),
    ...{ routes, atOnceBps, tookMs: (end?.at ?? at) - at, state: end?.state ?? "under way", ways },
  };
}

function routeRow({ route, ...money }: RouteCost, atOnceBps: number): RouteRow {
  const { value, cost, carry } = money;
  const againstReference = cost.minus(carry);
  const atOnce = Money.of(((value.toNumber() * atOnceBps) / 1e4).toFixed(2), value.asset);
  const all = { ...money, againstReference, againstShown: againstReference.minus(atOnce) };
  return { route, ...(Object.fromEntries(FIGURES.map((name) => [name, String(all[name])])) as Figures) };
}

function figuresOf(rows: readonly Figures[], currency: Asset): Figures & { readonly bps: number } {
  const sums = FIGURES.map((name) => {
    const amounts = rows.map((row) => Money.of(row[name], currency));
    return [name, String(Money.sum(amounts, currency))];
  });
  const figures = Object.fromEntries(sums) as Figures;
  const value = Number(figures.value);
  return { ...figures, bps: value === 0 ? 0 : (Number(figures.cost) / value) * 1e4 };
}

export type Sums = ReturnType<typeof sumsOf>;
export type Sum = Sums["byRoute"][number];

export function sumsOf(rows: readonly Row[]) {
  const sums = (named: readonly { readonly name: string; readonly currency: Asset; readonly row: Figures }[]) =>
    Array.from(Map.groupBy(named, ({ name, currency }) => `${name}, in ${currency}`).values(), (same) => {
      const [{ name, currency }] = same as [(typeof named)[number]];
      const own = same.map(({ row }) => row);
      return { name, currency, count: same.length, ...figuresOf(own, currency) };
    });
  return {
    byCurrency: sums(rows.map((row) => ({ name: `${row.from} to ${row.to}`, currency: row.currency, row }))),
    byRoute: sums(rows.flatMap(({ routes, currency }) => routes.map((row) => ({ name: row.route, currency, row })))),
  };
}
