// Says once in the log what is wrong with the prices of a feed, and once when it is over: that the currency markets are closed,
// too. The feed itself answers meanwhile, so that nothing else would say it.

import type { Config } from "../../config/schema.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import type { Complaint } from "../../market/complaint.ts";
import { every } from "../system/system-timers.ts";
import type { BotView } from "./view.ts";

const LOOK_MS = 10_000;

/** The function it gives back ends it. */
export function watchFeeds(
  { market }: Config,
  { board, say, aside }: Pick<BotView, "board" | "say" | "aside">,
): () => void {
  const measures = new Set(market.references.filter(({ kind }) => kind === "ecb").map(({ name }) => name));
  const isFailing = (name: string): boolean => board.isFailing(name);
  const isClosed = (name: string, symbol: PairSymbol): boolean => {
    const { engine } = board.tradingCore ?? {};
    const fair = engine?.context.pricing.fair(symbol);
    // A feed that derives the pair may rest on the markets where another that has it itself does not.
    return (fair?.kind === "none" && fair.reason === "closed") || engine?.doubtOf(name, symbol) === "closed";
  };
  const look = feedWatch({ measures, complaints: board.complaints, isFailing, isClosed }, (level, text) =>
    say(level, "reference", text),
  );
  return every(LOOK_MS, () => aside(look));
}

type Watched = {
  readonly measures: ReadonlySet<string>;
  readonly complaints: () => readonly Complaint[];
  /** Its own trouble was said, and nothing else is known of it. */
  readonly isFailing: (name: string) => boolean;
  /** With the currency markets: then nothing is said against its prices, whatever others say of the pair. */
  readonly isClosed: (name: string, symbol: PairSymbol) => boolean;
};

type Known = { readonly isSaid: boolean; readonly symbol: PairSymbol };

/**
 * To be called now and then. At a start, and while a leap is waited for, something is wrong for a moment: what two looks in a
 * row find is said, each kind of trouble of a feed once until all of it is over.
 */
export function feedWatch(
  { measures, complaints, isFailing, isClosed }: Watched,
  say: (level: "info" | "warn", text: string) => void,
): () => void {
  const known = new Map<string, Map<string, Known>>();
  return () => {
    const now = Map.groupBy(complaints(), ({ source }) => source);
    for (const [name, said] of known) {
      // While it fails, or its markets are closed, nobody knows whether its prices are good again.
      const isUnknown = isFailing(name) || [...said.values()].some(({ symbol }) => isClosed(name, symbol));
      if (now.has(name) || (isUnknown && !measures.has(name))) continue;
      known.delete(name);
      if (![...said.values()].some(({ isSaid }) => isSaid)) continue;
      say(
        "info",
        `reference ${name}: ${measures.has(name) ? "prices are measured with it" : "its prices are believed"} again`,
      );
    }
    for (const [name, found] of now) {
      const before: ReadonlyMap<string, Known> = known.get(name) ?? new Map();
      // Of several pairs the first, as everywhere else.
      const kinds = new Map(found.toReversed().map((complaint) => [complaint.kind, complaint]));
      // What was found once and never said is not counted when it comes again.
      const next = new Map([...before].filter(([kind, { isSaid }]) => isSaid || kinds.has(kind)));
      for (const [kind, { symbol, text, isForOthers }] of kinds) {
        if (isFailing(name) && isForOthers === undefined) continue;
        const { isSaid } = before.get(kind) ?? {};
        if (isSaid === false) say("warn", `reference ${name}: ${text}`);
        next.set(kind, { isSaid: isSaid !== undefined, symbol });
      }
      known.set(name, next);
    }
  };
}
