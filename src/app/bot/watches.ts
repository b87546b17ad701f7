// Conditions of a running bot that no other log line shows: each is reported once when it begins and once when it ends.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Event } from "../../domain/event.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { durationText, utcText } from "../../domain/time-text.ts";
import type { StatusBoard } from "../../watch/status/status-board.ts";
import { offlineText, type ShownOffline } from "../../watch/status.ts";
import { clockText } from "../../watch/text/status-text.ts";
import { missingPairs } from "../config/missing-pairs.ts";

type Report = (level: "info" | "warn", text: string) => void;
/** Called every few seconds. */
type Look = () => void;

/** Reports a condition found by this many checks in a row, and its end at the first check without it. */
function onceReported(report: (text: string | undefined) => void, looks = 1): (found: string | undefined) => void {
  let inARow = 0;
  return (found) => {
    if (found === undefined && inARow >= looks) report(undefined);
    inARow = found === undefined ? 0 : inARow + 1;
    if (inARow === looks) report(found);
  };
}

export function clockWatch(skewMs: () => number | undefined, report: Report): Look {
  // A single slow answer is not clock skew.
  const found = onceReported((text) => {
    if (text === undefined) report("info", "our clock agrees with the venue's again");
    else report("warn", `our clock is ${text}`);
  }, 2);
  return () => {
    const skew = skewMs();
    if (skew !== undefined) found(clockText(skew));
  };
}

/** Reports what is wrong with the prices of a feed that answers, found by two checks in a row. */
export function feedWatch(board: Pick<StatusBoard, "snapshot" | "isFailing">, report: Report): Look {
  const feeds = new Map<string, (text: string | undefined) => void>();
  return () => {
    for (const { name, trouble } of board.snapshot().feeds) {
      // A failing feed has its own log line.
      if (board.isFailing(name)) continue;
      const found =
        feeds.get(name) ??
        onceReported((text) => {
          if (text === undefined) report("info", `reference ${name}: its prices are as they should be again`);
          else report("warn", `reference ${name}: ${text}`);
        }, 2);
      feeds.set(name, found);
      found(trouble);
    }
  };
}

export type PairWatch = ReturnType<typeof createPairWatch>;

/**
 * The pairs of the limits. `areNamed`: the configuration names them; the default pairs of paper mode may be missing at
 * a venue.
 */
type Wanted = { readonly symbols: readonly PairSymbol[]; readonly areNamed: boolean };

/**
 * Reports tradable pairs that are not online, which otherwise show only as an ageing price, and changes of the venue's
 * price and size grids.
 */
export function createPairWatch({ symbols, areNamed }: Wanted, report: Report) {
  let offline: readonly ShownOffline[] = [];
  const grids = new Map<string, string>();
  return {
    /** Takes every event of the bot; only lists of pairs matter. */
    take(event: Event) {
      if (event.kind !== "instruments") return;
      const { instruments, receivedAt: at } = event;
      const before = new Map(offline.map((one) => [one.symbol, one]));
      for (const instrument of instruments) {
        const { symbol } = instrument;
        const [was, is] = [grids.get(symbol), gridText(instrument)];
        grids.set(symbol, is);
        if (was !== undefined && was !== is && symbols.includes(symbol))
          report(
            "warn",
            `the venue has changed ${symbol} from ${was} to ${is}: do the sizes of the strategy still fit?`,
          );
      }
      offline = missingPairs(symbols, instruments, (symbol) => areNamed || grids.has(symbol)).map((one) => {
        return { ...one, since: before.get(one.symbol)?.since ?? at };
      });
      const now = new Set(offline.map(({ symbol }) => symbol));
      const gone = offline.filter(({ symbol }) => !before.has(symbol));
      if (gone.length > 0)
        report(
          "warn",
          `${offlineText(gone)}, by its list of ${utcText(at)}: it is not traded, and assets that it prices have no price meanwhile (an account that holds one has no equity, and orders nothing: RC05); ask the venue (pegbot pairs shows its list)`,
        );
      for (const { symbol, since } of before.values())
        if (!now.has(symbol))
          report("info", `${symbol} is online at the venue again, after ${durationText(at - since)}`);
    },
    /** From the venue's latest list; empty before the first. */
    get offline() {
      return offline;
    },
  };
}

function gridText({ quantityMin, quantityDecimals, priceDecimals }: Instrument): string {
  return `minimum ${quantityMin}, ${quantityDecimals} decimals of quantities and ${priceDecimals} of prices`;
}
