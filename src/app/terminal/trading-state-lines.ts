// The trading state in lines for people: the stop that counts, then every other one with its reason and remedy. Two
// columns, a name and a text.

import { printable } from "../../domain/sanitise.ts";
import { isPersons, isStricter, type Stop, type TradingState } from "../../risk/trading-state.ts";
import { hanging } from "../../watch/text/screen-line.ts";

const TEXT_MAX = 1_000;
const NAME_WIDTH = 9;

/** Wrapped at `width` if given. */
export function standingLines(standing: TradingState, width?: number): readonly string[] {
  const line = (name: string, text: string): readonly string[] =>
    hanging(name.padEnd(NAME_WIDTH), printable(text, TEXT_MAX), width);
  const { state, cause, reason, wayOut, also } = standing;
  if (state === "ACTIVE") return line("state", state);
  const others = also.flatMap((stop) =>
    line(isBeneath(stop, standing) ? "beneath" : "also", `${sinceText(stop)}: ${stopText(stop)}`),
  );
  return [
    ...line("state", sinceText(standing)),
    ...line("cause", cause ?? "other"),
    ...line("reason", reason),
    ...line("way out", wayOut),
    ...others,
  ];
}

function isBeneath(stop: Stop, standing: TradingState): boolean {
  return isStricter(standing.state, stop.state) || (isPersons(standing) && !isPersons(stop));
}

/** `RC05: loss is 12 CHF, limit is 10 CHF; way out: pegbot resume --reason "..."`. */
export function stopText({ reason, wayOut }: Stop): string {
  return `${reason}; way out: ${wayOut}`;
}

function sinceText({ state, since, by }: Stop): string {
  return `${state} since ${new Date(since).toISOString()}, by ${by}`;
}
