// Says once that pairs which may be traded are not online at the venue, and once that they are again; and that the venue changed the
// grid or the minimum of one. Nothing else would: no order of them leaves, and what is seen of them is a price that grows old, as if
// a feed were dead, or refusals.

import type { PairSymbol } from "../../domain/asset.ts";
import type { Event } from "../../domain/event.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { Millis } from "../../domain/time.ts";
import { durationText, utcText } from "../../domain/time-text.ts";
import { offlineText, type ShownOffline } from "../../watch/status.ts";
import { missingPairs } from "../config/missing-pairs.ts";

type Told = {
  readonly warn: (text: string) => void;
  /** For saying that it is over. */
  readonly note: (text: string) => void;
};

export interface PairWatch {
  /** Of every event of the bot: it hears those that are lists of pairs. */
  take(event: Event): void;
  /** By the last list of the venue; none before the first. */
  readonly offline: readonly ShownOffline[];
}

/** The pairs of the limits. `areNamed`: somebody wrote them, and they are not those of paper mode. */
type Wanted = { readonly symbols: readonly PairSymbol[]; readonly areNamed: boolean };

export function createPairWatch({ symbols, areNamed }: Wanted, { warn, note }: Told): PairWatch {
  let offline: readonly ShownOffline[] = [];
  let known: readonly Instrument[] = [];
  const seen = new Set<PairSymbol>();

  function tellChanged(instruments: readonly Instrument[]): void {
    const changes = symbols.flatMap((symbol) => {
      const [before, now] = [known, instruments].map((list) => list.find((one) => one.symbol === symbol));
      return before === undefined || now === undefined ? [] : changesOf(before, now);
    });
    known = instruments;
    if (changes.length > 0)
      warn(`the venue has changed ${changes.join(", ")}: do the sizes of the strategy still fit?`);
  }

  function compare(instruments: readonly Instrument[], at: Millis): void {
    const before = offline;
    for (const { symbol } of instruments) if (symbols.includes(symbol)) seen.add(symbol);
    offline = missingPairs(symbols, instruments, (symbol) => areNamed || seen.has(symbol)).map((missing) => {
      return { ...missing, since: before.find(({ symbol }) => symbol === missing.symbol)?.since ?? at };
    });
    const gone = offline.filter(({ symbol }) => !isIn(before, symbol));
    const back = before.filter(({ symbol }) => !isIn(offline, symbol));
    if (gone.length > 0)
      warn(
        `${offlineText(gone)}, by its list of ${utcText(at)}: nothing of that is ordered, and what has its price from there has none meanwhile (an account that holds such an asset has no equity then, and orders nothing at all: RC05); ask the venue (pegbot pairs shows its list)`,
      );
    if (back.length > 0)
      note(
        `online at the venue again: ${back.map(({ symbol, since }) => `${symbol} after ${durationText(at - since)}`).join(", ")}`,
      );
  }

  return {
    take(event) {
      if (event.kind !== "instruments") return;
      compare(event.instruments, event.receivedAt);
      tellChanged(event.instruments);
    },
    get offline() {
      return offline;
    },
  };
}

function changesOf(before: Instrument, now: Instrument): readonly string[] {
  const change = (what: string, was: string | number, is: string | number): readonly string[] =>
    was === is ? [] : [`${what} of ${now.symbol} from ${was} to ${is}`];
  return [
    ...change("the minimum", String(before.quantityMin), String(now.quantityMin)),
    ...change("decimals of quantities", before.quantityDecimals, now.quantityDecimals),
    ...change("decimals of prices", before.priceDecimals, now.priceDecimals),
  ];
}

function isIn(offline: readonly ShownOffline[], symbol: string): boolean {
  return offline.some((one) => one.symbol === symbol);
}
