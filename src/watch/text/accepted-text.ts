// What a person accepts who takes back a stop of the bot's own: the figures that begin anew with it, each with its limit, which counts
// whole from then on.

import { amountText, groupedText } from "../../domain/amount-text.ts";
import type { LIMIT_KEYS, ShownLimit } from "../status.ts";

/** As the books have it: of doubts, exposure and the orders of a minute nothing is forgiven. */
const ANEW: readonly string[] = [
  "daily-loss",
  "drawdown",
  "turnover-hour",
  "turnover-day",
  "fees-day",
  "orders-day",
  "rejects",
  "losses",
] satisfies readonly (typeof LIMIT_KEYS)[number][];

export const ALL_ANEW =
  "figures of the day, the peak, the last hour and streaks begin anew with it, and each of their limits counts whole from now";

type Counted = Pick<ShownLimit, "name" | "rule" | "unit"> & {
  readonly key: string;
  readonly used?: number | undefined;
  readonly limit?: number | undefined;
};

/** `loss of the day, 717.02 CHF: the limit of 700.00 CHF counts anew from now (RC05)`; none of nothing. */
export function acceptedTexts(limits: readonly Counted[]): readonly string[] {
  const isSet = ({ limit }: Counted): boolean => limit !== undefined;
  return limits
    .filter((one) => ANEW.includes(one.key) && isSet(one) && one.used !== 0)
    .map(({ name, rule, unit, used, limit }) => {
      const most = limit === undefined || Number.isNaN(limit) ? "its limit" : `the limit of ${figureText(limit, unit)}`;
      return `${name}, ${used === undefined ? "not known now" : figureText(used, unit)}: ${most} counts anew from now (${rule})`;
    });
}

/** `631.01 CHF`, `812 s`, `14,000`. */
export function figureText(value: number, unit: string): string {
  const isMoney = unit !== "" && unit !== "s";
  const figure = isMoney ? amountText(value.toFixed(2)) : groupedText(String(Math.floor(value)));
  return unit === "" ? figure : `${figure} ${unit}`;
}
