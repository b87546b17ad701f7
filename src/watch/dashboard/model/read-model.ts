// The bot as the page sees it: folded from steps, slots and one status a second, in bounded memory. It does not query
// the engine in between, and its cost does not depend on the number of viewers.

import type { ShownFill, Status } from "../../status.ts";
import { createSeries, type TierPoint, type TierSpec } from "./series.ts";
import {
  type PairShown,
  type ShownSettlement,
  type ShownSlot,
  type Snapshot,
  type SpokenStatus,
  type Tick,
  wordsOf,
} from "./shown.ts";

export type ModelParts = {
  readonly boot: string;
  readonly status: () => Status;
  /** Newest last. */
  readonly shownFills: () => readonly ShownFill[];
  readonly pairs: readonly PairShown[];
  readonly settlements: () => readonly ShownSettlement[];
};

export type ReadModel = ReturnType<typeof createReadModel>;

/** Fifteen minutes by the second, three hours by ten seconds, and a day and a half by two minutes. */
const TIERS: readonly TierSpec[] = [
  { everyMs: 1_000, rows: 900 },
  { everyMs: 10_000, rows: 1_080 },
  { everyMs: 120_000, rows: 1_080 },
];
const SLOTS_MAX = 300;
/** Pairs beyond this number appear in the price table and have no chart. */
const PAIRS_MAX = 8;
/**
 * An older quote is no longer the venue's price, so the line gets a gap. Twice the time for which a price is trusted.
 */
const QUOTE_MS_MAX = 20_000;
const PER_PAIR = ["bid", "ask", "fair"] as const;

export function createReadModel({ boot, status, shownFills, pairs, settlements }: ModelParts) {
  const charted = pairs.slice(0, PAIRS_MAX);
  const columns = ["equity", ...charted.flatMap(({ symbol }) => PER_PAIR.map((name) => `${symbol} ${name}`))];
  const series = createSeries(columns.length, TIERS);
  const row = new Float64Array(columns.length);
  let slots: readonly ShownSlot[] = [];
  let news: ShownSlot[] = [];
  let told: readonly ShownFill[] = [];
  let latest: Status | undefined;
  let settled: readonly ShownSettlement[] = [];

  function sampled({ at, equity, quotes }: Status): TierPoint[] {
    row.fill(Number.NaN);
    // Cut to two decimals as everywhere else, so that an amount always has the same text.
    if (equity.now !== undefined) row[0] = Number(equity.now.replace(/(\.\d\d)\d+$/, "$1"));
    for (const { symbol, bid, ask, fair, ageMs } of quotes) {
      const index = charted.findIndex((pair) => pair.symbol === symbol);
      if (index < 0) continue;
      const isKnown = ageMs !== undefined && ageMs <= QUOTE_MS_MAX;
      const [low, high] = isKnown ? [bid, ask] : [];
      row.set([low ?? Number.NaN, high ?? Number.NaN, fair ?? Number.NaN], 1 + index * PER_PAIR.length);
    }
    return series.add(at, row);
  }

  return {
    slot(slot: ShownSlot) {
      slots = [...slots, slot].slice(-SLOTS_MAX);
      news.push(slot);
    },
    /** Reads the status once a second and returns the changes since the last call. */
    tick(): Tick {
      const before = latest;
      const now = status();
      latest = now;
      const onTheirWay = settlements();
      const tick: Tick = {
        status: changedSince(before, now),
        points: sampled(now),
        fills: shownFills().filter((fill) => !told.includes(fill)),
        misses: [],
        slots: news,
        ...(onTheirWay === settled ? {} : { settlements: onTheirWay }),
      };
      settled = onTheirWay;
      told = shownFills();
      news = [];
      return tick;
    },
    snapshot: (): Snapshot => ({
      boot,
      pairs: charted,
      status: spoken(latest ?? status()),
      columns,
      tiers: series.tiers(),
      fills: shownFills(),
      misses: [],
      slots,
      settlements: settlements(),
    }),
    /** Newest last. */
    fills: shownFills,
    status,
  };
}

/** Lists that did not change are left out. */
function changedSince(before: Status | undefined, now: Status): Tick["status"] {
  const { decisions, notes, ...rest } = spoken(now);
  return {
    ...rest,
    ...(decisions === before?.decisions ? {} : { decisions }),
    ...(isSameList(notes, before?.notes) ? {} : { notes }),
  };
}

function spoken(status: Status): SpokenStatus {
  return { ...status, words: wordsOf(status) };
}

function isSameList<T>(one: readonly T[], other: readonly T[] | undefined): boolean {
  return one.length === other?.length && one[0] === other[0];
}
