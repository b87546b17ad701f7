import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ColumnWriter, loadColumnFile, openColumnFile } from "../../../backtest/data/column-file.ts";
import { BLOCK_ROWS } from "../../../backtest/data/row-check.ts";
import type { QuoteSource } from "../../../backtest/data/source.ts";
import { sourceTrack } from "../../../backtest/data/source-track.ts";
import { sourceFeed } from "../../../backtest/replay/feed.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { millis } from "../../../src/domain/time.ts";
import { emptyTop } from "../../../src/simulator/market/market.ts";
import { trackedMarket } from "../../../src/simulator/market/recorded.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { recordedMarket } from "../../support/recorded-market.ts";
import { GBPCHF, newFolder, T0 } from "./stage.ts";

const ROWS = 2 * BLOCK_ROWS + 100;
/** A weekend in the middle of the second block. */
const GAP_ROW = BLOCK_ROWS + 50;
const GAP_MS = 48 * 3_600_000;
const timeOf = (row: number): number => T0 + row * 1_000 + (row >= GAP_ROW ? GAP_MS : 0);

function file(): string {
  const path = join(newFolder(), "GBP-CHF.columns");
  const writer = new ColumnWriter(path, "quotes");
  const columns = Array.from({ length: 5 }, (_, c) =>
    Float64Array.from({ length: ROWS }, (_, i) => (c === 0 ? timeOf(i) : i + c)),
  );
  writer.write(columns, ROWS);
  writer.finish({ kind: "quotes", symbol: GBPCHF });
  return path;
}

const path = file();
const streamed = openColumnFile(path) as QuoteSource;

describe("a market over a stream", () => {
  const fallback = syntheticMarket(1);
  const whole = recordedMarket([...(loadColumnFile(path) as QuoteSource).chunks()], fallback);
  const same = (market: typeof whole, at: number, hint: string): void => {
    const [one, other] = [emptyTop(), emptyTop()];
    const found = [market.read(GBPCHF, millis(at), one), whole.read(GBPCHF, millis(at), other)];
    if (found[0] !== found[1] || one.bid !== other.bid || one.askSize !== other.askSize)
      expect({ at, ...one, found: found[0] }, hint).toEqual({ at, ...other, found: found[1] });
  };

  it("shows what the whole shows, read forward, over blocks, gaps and the end", () => {
    const market = trackedMarket([sourceTrack(streamed)], fallback);
    for (
      let at = T0 - 5_000;
      at < timeOf(ROWS) + 10_000;
      at += at > timeOf(GAP_ROW - 1) && at < timeOf(GAP_ROW) ? 600_000 : 700
    )
      same(market, at, "forward");
  });

  it("shows what the whole shows in any order", () => {
    const seed = 9;
    const random = createRandom(seed);
    const market = trackedMarket([sourceTrack(streamed)], fallback);
    const span = timeOf(ROWS) - T0 + 20_000;
    for (let i = 0; i < 400; i++)
      same(market, T0 - 10_000 + Math.floor(random.next() * span), `seed ${seed}, look ${i}`);
    for (const row of [BLOCK_ROWS, GAP_ROW, ROWS - 1, 0])
      for (const step of [0, -1, 1, -1_000, 0]) same(market, timeOf(row) + step, `row ${row} ${step}`);
  });
});

it("a feed over a stream gives every row once, in order", () => {
  const feed = sourceFeed("recorded", streamed);
  let row = 0;
  for (; feed.nextAt < Number.POSITIVE_INFINITY; row++) {
    const at = feed.nextAt;
    const [quote, ...others] = feed.take();
    if (at !== timeOf(row) || quote?.bid !== row + 1 || quote.receivedAt !== at || others.length > 0)
      expect({ row, at, quote }).toBe("the row's own");
  }
  expect(row).toBe(ROWS);
  expect(feed.take()).toEqual([]);
});
