// The weekend of the currency markets in the log: said once when it begins, with its end, and once when it is over. In between a
// strategy goes on proposing what cannot be valued; the same refusal of it is said once, and how many there were at the end. Pairs
// that trade on are refused for reasons of their own, which are said each time.

import type { PairSymbol } from "../../../domain/asset.ts";
import type { LogLine } from "../../../telemetry/log.ts";

export type ClosedWeek = {
  /** To be called now and then. */
  look(): void;
  /** A refusal that was said already. */
  hides(line: LogLine): boolean;
};

export function createClosedWeek(
  /** When the markets open again; undefined while they are open, and where nothing closes with them. */
  closedUntil: () => number | undefined,
  say: (text: string) => void,
  /** Whether the pair can be valued, and what is owned. */
  tradesOn: (symbol: PairSymbol) => boolean,
): ClosedWeek {
  const said = new Set<string>();
  let isClosed = false;
  let hidden = 0;
  return {
    look() {
      const until = closedUntil();
      if (isClosed === (until !== undefined)) return;
      isClosed = until !== undefined;
      if (until !== undefined) {
        const time = new Date(until).toISOString().slice(0, 16).replace("T", " ");
        say(
          `the currency markets are closed until ${time} UTC (market.weekend); the same refusal of what rests on them is said once until then`,
        );
        return;
      }
      const left = hidden === 0 ? "" : `; ${hidden} refusals were not said again`;
      say(`the currency markets are open again${left}`);
      said.clear();
      hidden = 0;
    },
    hides({ event, fields }) {
      if (!isClosed || event !== "decision.refused" || tradesOn(fields?.symbol as PairSymbol)) return false;
      const key = [fields?.rule, fields?.side, fields?.symbol].join(" ");
      if (!said.has(key)) {
        said.add(key);
        return false;
      }
      hidden++;
      return true;
    },
  };
}
