// Information for a person before a resume: which figures restart, which causes would stop the bot again, and whether
// balances agree with the ledger.

import { amountText, groupedText } from "../../domain/amount-text.ts";
import type { StopCause } from "../../domain/stop-cause.ts";
import type { Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { LIMIT_KEYS, ShownLimit, ShownStop, Status } from "../status.ts";

/** As in the counters: a resume does not reset doubts, exposure and the orders of a minute. */
const ANEW: readonly string[] = [
  "daily-loss",
  "drawdown",
  "turnover-hour",
  "turnover-day",
  "fees-day",
  "orders-day",
  "rejects",
  "losses",
  "adverse-fills",
] satisfies readonly (typeof LIMIT_KEYS)[number][];

export const ALL_ANEW =
  "figures of the day, the peak, the last hour and streaks begin anew with it, and each of their limits counts whole from now";

type Counted = Pick<ShownLimit, "name" | "rule" | "unit"> & {
  readonly key: string;
  readonly used?: number | undefined;
  readonly limit?: number | undefined;
};

/** `loss of the day, 717.02 CHF: the limit of 700.00 CHF counts anew from now (RC05)`; zero figures are left out. */
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

/** These causes are checked again after a resume. */
const LASTING: ReadonlySet<StopCause | undefined> = new Set([
  "doubt",
  "heartbeat",
  "balances",
  "foreign",
  "journal",
  "venue",
  "strategy",
]);

type Stops = Pick<Status["standing"], "state" | "cause" | "wayOut"> & {
  readonly also: readonly Pick<ShownStop, "cause" | "wayOut">[];
};

/** Beneath a person's stop none of them is lifted yet. */
export function lastingCauses(standing: Stops): readonly StopCause[] {
  return lastingOf(standing).flatMap(({ cause }) => (cause === undefined ? [] : [cause]));
}

/** `balances: stops a running bot again unless it was dealt with; first: pegbot adopt`. */
export function againTexts(standing: Stops): readonly string[] {
  return lastingOf(standing).map(({ cause, wayOut }) => {
    const first = beforeResume(wayOut);
    return `${cause}: stops a running bot again unless it was dealt with${first === "" ? "" : `; first: ${first}`}`;
  });
}

function lastingOf(standing: Stops): readonly Pick<ShownStop, "cause" | "wayOut">[] {
  if (standing.cause === "person") return [];
  return [standing, ...standing.also].filter(({ cause }) => LASTING.has(cause));
}

/** The reader is about to resume, so `pegbot resume` is not a first step. */
function beforeResume(wayOut: string): string {
  return wayOut.replace(/(?:^|[,;] then )pegbot resume(?: --reason "\.\.\.")?$/, "");
}

/** Undefined without a stop over balances. */
export function agreeText(standing: Pick<Stops, "cause" | "also">, since: Millis | undefined): string | undefined {
  if (![standing, ...standing.also].some(({ cause }) => cause === "balances")) return undefined;
  return since === undefined
    ? "they differ from the books still, or were not read yet: a resume would not last"
    : `they agree with the books since ${utcText(since)}, at every reading`;
}
