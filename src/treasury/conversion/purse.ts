// What a conversion has moved, by its own records, and what is left of it. A way over two routes leaves money between them:
// it goes on before anything more is taken.

import { formatUnits } from "../../domain/money/grammar.ts";
import { Money } from "../../domain/money/money.ts";
import type { PlanMove } from "../../journal/record.ts";
import { type ConversionTerms, contentOf } from "../approval/plan-content.ts";
import { isNothing, type LoggedPlan } from "../approval/plan-log.ts";
import type { Conversion } from "../plan/cheapest.ts";
import { assetOf, type HoldingName } from "../plan/holding.ts";
import { unitsOf } from "../plan/route.ts";

export type Purse = {
  /** Sent, and not ended. */
  readonly open: readonly PlanMove[];
  /** Ended, and moved nothing so far as is known: an order may turn out to have filled later. */
  readonly idle: readonly PlanMove[];
  /** Why it is paused. */
  readonly paused: string | undefined;
  /** A person ended it early: what is open still ends. */
  readonly isFinished: boolean;
  /** What is on its way counts as come. */
  readonly sums: ReadonlyMap<HoldingName, Sum>;
};

/** In units of the holding's asset: what came less what went, and all that came. */
type Sum = { net: bigint; come: bigint };

export function purseOf({ progress }: Pick<LoggedPlan, "progress">): Purse {
  const open = new Map<string, PlanMove>();
  const ended = new Map<string, PlanMove>();
  let paused: string | undefined;
  let isFinished = false;
  for (const { state, text, move } of progress) {
    if (state === "paused" || state === "resumed") paused = state === "paused" ? text : undefined;
    if (state === "finished") isFinished = true;
    if (move === undefined) continue;
    if (state === "sent") open.set(move.request, move);
    else {
      open.delete(move.request);
      ended.set(move.request, move);
    }
  }
  const sums = new Map<HoldingName, Sum>();
  const done = [...ended.values()];
  for (const { takes, brings } of [...done, ...open.values()]) {
    const [went, came] = [sumOf(takes, sums), sumOf(brings, sums)];
    went.sum.net -= went.units;
    came.sum.net += came.units;
    came.sum.come += came.units;
  }
  return { open: [...open.values()], idle: done.filter(isNothing), paused, isFinished, sums };
}

function sumOf(text: string, sums: Map<HoldingName, Sum>): { readonly sum: Sum; readonly units: bigint } {
  const [amount = "", holding = ""] = text.split(" ");
  const sum = sums.get(holding as HoldingName) ?? { net: 0n, come: 0n };
  sums.set(holding as HoldingName, sum);
  return { sum, units: unitsOf(amount) };
}

/** What has moved so far, and what that lost at fair value: spread, impact and fees. */
export type Moved = { readonly left: string; readonly arrived: string; readonly value: Money; readonly lost: Money };

export function movedSoFar({ plan, progress }: LoggedPlan): Moved | undefined {
  const { conversion, currency } = contentOf(plan);
  if (conversion === undefined) return undefined;
  const { from, to } = conversion;
  const last = new Map(progress.flatMap(({ state, move }) => (state === "step" && move ? [[move.request, move]] : [])));
  const ended = [...last.values()];
  const of = (field: "takes" | "brings", name: HoldingName): string => {
    const texts = ended.map((move) => move[field].split(" ")).filter(([, holding]) => holding === name);
    const amounts = texts.map(([amount = ""]) => Money.of(amount, assetOf(name)));
    return String(Money.sum(amounts, assetOf(name)));
  };
  const value = ended.filter(({ takes }) => takes.endsWith(` ${from}`)).map((move) => move.value);
  const lost = ended.map((move) => move.lost);
  const whole = { value: Money.sum(value, currency), lost: Money.sum(lost, currency) };
  return { left: of("takes", from), arrived: of("brings", to), ...whole };
}

/** Of what was to be moved, the part that is not worth another step. */
const DUST_PARTS = 10_000n;

export function isDust(left: Money, { amount }: ConversionTerms): boolean {
  return unitsOf(left) * DUST_PARTS <= unitsOf(amount);
}

/** The next part of it; undefined if nothing is left. `whole`: what is between two routes set aside. */
export function leftOf(terms: ConversionTerms, purse: Pick<Purse, "sums">, whole?: "whole"): Conversion | undefined {
  const { sums } = purse;
  const { from, to, amount, isBuy, costBpsMax, aim } = terms;
  for (const [holding, { net, come }] of whole === undefined ? sums : [])
    if (holding !== from && holding !== to && net * DUST_PARTS > come)
      return { from: holding, to, amount: moneyOf(net, holding), isBuy: false, costBpsMax };
  const all = unitsOf(amount);
  const left = isBuy ? all - (sums.get(to)?.net ?? 0n) : all + (sums.get(from)?.net ?? 0n);
  // A band is reached to the last unit, if a route can.
  if (left <= 0n || (aim === undefined && left * DUST_PARTS <= all)) return undefined;
  return { from, to, amount: moneyOf(left, isBuy ? to : from), isBuy, costBpsMax };
}

/** All that has left so far, or may. */
export function leavingOf({ from }: ConversionTerms, { sums }: Purse): Money {
  return moneyOf(-(sums.get(from)?.net ?? 0n), from);
}

function moneyOf(units: bigint, holding: HoldingName): Money {
  return Money.of(formatUnits(units), assetOf(holding));
}
