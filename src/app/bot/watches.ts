// Conditions of a running bot that no other line of the log shows: each is reported once when it begins and once when it is over.

import type { Config } from "../../config/schema.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import type { Event } from "../../domain/event.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { Step } from "../../domain/step.ts";
import { durationText, utcText } from "../../domain/time-text.ts";
import type { StatusBoard } from "../../watch/status/status-board.ts";
import { offlineText, type ShownOffline } from "../../watch/status.ts";
import { clockText } from "../../watch/text/status-text.ts";
import { missingPairs } from "../config/missing-pairs.ts";

type Report = { readonly warn: (text: string) => void; readonly note: (text: string) => void };
/** To be called every few seconds. */
type Look = () => void;

/** Reports a condition when so many looks in a row found it, and its end when one does not. */
function onceReported(report: (text: string | undefined) => void, looks = 1): (found: string | undefined) => void {
  let inARow = 0;
  return (found) => {
    if (found === undefined && inARow >= looks) report(undefined);
    inARow = found === undefined ? 0 : inARow + 1;
    if (inARow === looks) report(found);
  };
}

export function clockWatch(skewMs: () => number | undefined, { warn, note }: Report): Look {
  // One slow answer is no skew.
  const found = onceReported((text) => {
    if (text === undefined) note("our clock agrees with the venue's again");
    else warn(`our clock is ${text}`);
  }, 2);
  return () => {
    const skew = skewMs();
    if (skew !== undefined) found(clockText(skew));
  };
}

/** `closedUntil`: undefined while the currency markets are open, and where nothing closes with them. */
export function weekWatch(closedUntil: () => number | undefined, note: Report["note"]): Look {
  const found = onceReported((text) => note(text ?? "the currency markets are open again"));
  return () => {
    const until = closedUntil();
    found(until === undefined ? undefined : `the currency markets are closed until ${utcText(until)} (market.weekend)`);
  };
}

/** Trading continues without a log, because the journal has what moves money. `lost`: why the last line was not written. */
export function logWatch(
  lost: () => string | undefined,
  { warn, note }: Report,
  show: (text: string | undefined) => void,
): Look {
  const found = onceReported((text) => {
    if (text === undefined) note("the log is written again; lines before this one are missing");
    else warn(text);
  });
  return () => {
    const why = lost();
    const text =
      why &&
      `the log cannot be written (${why}): the bot continues without it, the journal is whole; make room where stderr leads, or restart the bot with another reader of it`;
    show(text);
    found(text);
  };
}

/** A few orders are lost to slots and prices at any time. */
const UNSENT_MAX = 10;

/** For each step: orders that are approved one after the other while none leaves. */
export function unsentWatch({ warn, note }: Report): (step: Step) => void {
  const found = onceReported((text) => {
    if (text === undefined) note("an order was sent again");
    else warn(text);
  }, UNSENT_MAX);
  return ({ event }) => {
    const report = event.kind === "report" ? event.report : undefined;
    // That it is being sent shows nothing yet: a connection may fail before the first byte.
    if (report?.kind === "filled" || report?.kind === "rejected" || report?.kind === "doubt") found(undefined);
    if (report?.kind === "not-sent")
      found(
        `${UNSENT_MAX} orders in a row were approved and not sent, the last because ${report.reason}: no decision of the strategy reaches the venue; pegbot status and pegbot doctor say more`,
      );
  };
}

/** What is wrong with the prices of a feed: of several complaints the first. A leap that waits to be confirmed is wrong for one look. */
export function feedWatch(
  { market }: Pick<Config, "market">,
  board: Pick<StatusBoard, "complaints" | "isFailing" | "tradingCore">,
  { warn, note }: Report,
): Look {
  const measures = new Set(market.references.filter(({ kind }) => kind === "ecb").map(({ name }) => name));
  const feeds = new Map<string, { readonly found: (text: string | undefined) => void; symbol: PairSymbol }>();
  const isClosed = (name: string, symbol: PairSymbol): boolean => {
    const { engine } = board.tradingCore ?? {};
    const fair = engine?.context.pricing.fair(symbol);
    // A feed that derives the pair may rest on the markets where another that has it itself does not.
    return (fair?.kind === "none" && fair.reason === "closed") || engine?.doubtOf(name, symbol) === "closed";
  };
  const feedOf = (name: string, symbol: PairSymbol) => {
    const again = measures.has(name) ? "prices are measured with it again" : "its prices are believed again";
    const found = onceReported((text) => {
      if (text === undefined) note(`reference ${name}: ${again}`);
      else warn(`reference ${name}: ${text}`);
    }, 2);
    return { found, symbol };
  };
  return () => {
    // A feed that fails has a line of its own.
    const known = board
      .complaints()
      .filter(({ source, isForOthers }) => isForOthers !== undefined || !board.isFailing(source));
    const found = Map.groupBy(known, ({ source }) => source);
    for (const { source, symbol } of known) if (!feeds.has(source)) feeds.set(source, feedOf(source, symbol));
    for (const [name, feed] of feeds) {
      const [complaint] = found.get(name) ?? [];
      // While it fails, or its markets are closed, whether its prices are good is unknown.
      const isUnknown = !measures.has(name) && (board.isFailing(name) || isClosed(name, feed.symbol));
      if (complaint === undefined && isUnknown) continue;
      feed.symbol = complaint?.symbol ?? feed.symbol;
      feed.found(complaint?.text);
    }
  };
}

export interface PairWatch {
  /** Takes every event of the bot; lists of pairs count. */
  take(event: Event): void;
  /** By the last list of the venue; none before the first. */
  readonly offline: readonly ShownOffline[];
}

/** The pairs of the limits. `areNamed`: by the configuration; those of paper mode may be missing at a venue. */
type Wanted = { readonly symbols: readonly PairSymbol[]; readonly areNamed: boolean };

/** Pairs that may be traded and are not online: all else that shows is a price that grows old. And grids that the venue changes. */
export function createPairWatch({ symbols, areNamed }: Wanted, { warn, note }: Report): PairWatch {
  let offline: readonly ShownOffline[] = [];
  const grids = new Map<string, string>();
  return {
    take(event) {
      if (event.kind !== "instruments") return;
      const { instruments, receivedAt: at } = event;
      const before = new Map(offline.map((one) => [one.symbol, one]));
      for (const instrument of instruments) {
        const { symbol } = instrument;
        const [was, is] = [grids.get(symbol), gridText(instrument)];
        grids.set(symbol, is);
        if (was !== undefined && was !== is && symbols.includes(symbol))
          warn(`the venue has changed ${symbol} from ${was} to ${is}: do the sizes of the strategy still fit?`);
      }
      offline = missingPairs(symbols, instruments, (symbol) => areNamed || grids.has(symbol)).map((one) => {
        return { ...one, since: before.get(one.symbol)?.since ?? at };
      });
      const now = new Set(offline.map(({ symbol }) => symbol));
      const gone = offline.filter(({ symbol }) => !before.has(symbol));
      if (gone.length > 0)
        warn(
          `${offlineText(gone)}, by its list of ${utcText(at)}: it is not traded, and assets that it prices have no price meanwhile (an account that holds one has no equity, and orders nothing: RC05); ask the venue (pegbot pairs shows its list)`,
        );
      for (const { symbol, since } of before.values())
        if (!now.has(symbol)) note(`${symbol} is online at the venue again, after ${durationText(at - since)}`);
    },
    get offline() {
      return offline;
    },
  };
}

function gridText({ quantityMin, quantityDecimals, priceDecimals }: Instrument): string {
  return `minimum ${quantityMin}, ${quantityDecimals} decimals of quantities and ${priceDecimals} of prices`;
}
