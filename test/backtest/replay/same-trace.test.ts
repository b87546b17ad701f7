// A backtest is the running bot without its promises: on one seed its decisions, fills, times and balances are those of the
// pipeline over the venue in process, which are those through HTTP.

import { describe, expect, it } from "vitest";
import { replay } from "../../../backtest/replay/replay.ts";
import { createCore } from "../../../src/bot/core.ts";
import { pipelineDefaults } from "../../../src/bot/pipeline-settings.ts";
import { createTrace } from "../../../src/bot/trace/trace.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { createIds } from "../../../src/domain/ids.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { DEFAULT_SETTINGS } from "../../../src/execution/parameters.ts";
import { createVenue } from "../../../src/simulator/core/venue.ts";
import { createLatency } from "../../../src/simulator/latency.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { setUp } from "../../../src/simulator/stage.ts";
import { VenueLine } from "../../../src/simulator/venue-line.ts";
import { LIMITS, startBot, tradesInTurn } from "../../bot/bench.ts";
import { opening } from "../../journal/samples.ts";
import { openInProcess } from "../../support/in-process.ts";
import { START } from "../../support/lockstep.ts";
import { MemoryJournal } from "../../support/memory-journal.ts";

const RUN_MS = 300_000;
const SAMPLE_MS = 4_000;
const funds = { CHF: "100000", VCHF: "100000" };
const WRITER = "samename";

describe.each([1, 20_261_115, 7_777])("with seed %i", (seed) => {
  it("the trace of a backtest is the trace of the pipeline", async () => {
    const world = openInProcess({ seed, funds });
    const live = new MemoryJournal(opening, WRITER);
    const bot = startBot({ world, journal: live, strategy: await tradesInTurn() });
    await world.pass(RUN_MS);
    bot.stop();
    await world.pass(10_000);
    await bot.ended;

    const key = world.key;
    const venue = createVenue({ market: syntheticMarket(seed), settings: { seed } });
    setUp(venue, key, new Map(Object.entries(funds)), { venue: START, settlement: START });
    const trace = createTrace({ keep: true });
    const ids = createIds("T", WRITER);
    const journal = new MemoryJournal(opening, WRITER);
    let samples = 0;
    const phases: string[] = [];
    const { tradingCore } = replay({
      from: START,
      to: millis(START + RUN_MS),
      makeCore: (strategy) =>
        createCore(strategy, {
          limits: LIMITS,
          par: new Map(["VCHF/CHF", "VGBP/GBP"].map((symbol) => [symbol as PairSymbol, { bandBps: 50 }])),
          ids,
          writer: WRITER,
          settings: DEFAULT_SETTINGS,
        }),
      strategy: await tradesInTurn(),
      venue: { line: new VenueLine(venue, createLatency(createRandom(seed).fork("network"))), key },
      feeds: [],
      journal,
      identity: { codeVersion: "0.0.0", configDigest: "none" },
      settings: { ...pipelineDefaults, sampleMs: SAMPLE_MS },
      watch: {
        step: (step) => trace.take(step),
        sample: () => {
          samples++;
        },
        phase: ({ kind }) => void phases.push(kind),
      },
    });

    expect(trace.lines.filter((line) => line.includes(" confirmed #")).length).toBeGreaterThan(10);
    expect(trace.lines).toEqual(bot.trace.lines);
    // From the first moment to the last, and none while what is on its way is waited for.
    expect(samples).toBe(RUN_MS / SAMPLE_MS + 1);
    expect([phases[0], phases.at(-1)]).toEqual(["reading", "stopping"]);
    // And so is what is recorded of it.
    expect(kindsIn(journal)).toEqual(kindsIn(live));
    expect(trace.digest(tradingCore.books.accounts)).toBe(bot.trace.digest(bot.tradingCore.books.accounts));
  });
});

function kindsIn(journal: MemoryJournal): readonly string[] {
  return unwrap(journal.read(0, journal.head().value.sequence)).map(({ record }) => record.kind);
}
