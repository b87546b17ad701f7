// Each reference feed, listened to until it has told every pair once, or for a while.

import { randomInt } from "node:crypto";
import type { Config } from "../../../config/schema.ts";
import type { Reference } from "../../../config/section/reference.ts";
import type { PairSymbol } from "../../../domain/asset.ts";
import { createRandom } from "../../../domain/random.ts";
import { whyNoQuote } from "../../../market/refusal.ts";
import { recordOpener } from "../../bot/open-record.ts";
import { feedOf } from "../../bot/price/references.ts";
import type { Shell } from "../../shell.ts";
import { systemTimers } from "../../system/system-timers.ts";
import type { Finding } from "./finding.ts";

/** ccxt asks for an exchange's markets first, which takes a while. */
const LISTEN_MS_MAX = 15_000;
/** A feed in trouble gets a second chance. */
const TROUBLE_MS_MAX = 3_000;

/** All at once. */
export function checkEachFeed(shell: Shell, { market }: Pick<Config, "market">): Promise<readonly Finding[]> {
  return Promise.all(market.references.map((feed) => checkFeed(shell, feed)));
}

async function checkFeed(shell: Shell, feed: Reference): Promise<Finding> {
  const check = `feed ${feed.name}`;
  const wanted = new Set([...feed.symbols, ...("derive" in feed ? feed.derive : [])] as PairSymbol[]);
  const { heard, trouble } = await listened(shell, feed, wanted);
  const missing = [...wanted].filter((symbol) => !heard.has(symbol));
  const told = [...heard.entries()].map(([symbol, price]) => `${symbol} ${price}`).join(", ");
  if (missing.length === 0 && trouble === undefined)
    return { check, verdict: "ok", cause: feed.kind === "ecb" ? `daily rates: ${told}` : told };
  return {
    check,
    verdict: heard.size === 0 ? "problem" : "warning",
    cause: trouble ?? `nothing of ${missing.join(", ")} within ${LISTEN_MS_MAX / 1_000} s`,
    next: `look at market.references, the feed called ${feed.name}: its kind, url and symbols`,
  };
}

type Listened = { readonly heard: ReadonlyMap<PairSymbol, string>; readonly trouble: string | undefined };

function listened(shell: Shell, feed: Reference, wanted: ReadonlySet<PairSymbol>): Promise<Listened> {
  return new Promise((resolve) => {
    const heard = new Map<PairSymbol, string>();
    let trouble: string | undefined;
    const end = (): void => {
      cancel();
      quotes.unsubscribe();
      resolve({ heard, trouble });
    };
    let cancel = systemTimers.after(LISTEN_MS_MAX, end);
    const quotes = feedOf(feed, {
      clock: shell.clock,
      random: createRandom(randomInt(2 ** 47)),
      openRecord: recordOpener(shell),
      onTrouble: (_, reason) => {
        trouble = reason;
        if (reason === undefined) return;
        cancel();
        cancel = systemTimers.after(TROUBLE_MS_MAX, end);
      },
    }).subscribe(({ symbol, bid, ask }) => {
      if (whyNoQuote(bid, ask, true) === undefined) heard.set(symbol, priceText(bid, ask));
      // Not here and now: it may speak before there is something to unsubscribe from.
      if (heard.size === wanted.size) systemTimers.after(0, end);
    });
  });
}

function priceText(bid: number, ask: number): string {
  const [low, high] = [bid, ask].map((price) => String(Number(price.toPrecision(8))));
  return low === high ? `${low}` : `${low} to ${high}`;
}
