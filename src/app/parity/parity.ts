// The run of a backtest's options as lockstep paper: the bot's own pipeline, journal, client and ledger, over HTTP
// against the simulator's server. Its trace is compared with the backtest's.

import { join } from "node:path";
import { merge, NEVER } from "rxjs";
import { type BacktestOptions, cadenceOf, latencyOf } from "../../../backtest/options.ts";
import { coreMaker, venueSettings } from "../../../backtest/run-backtest.ts";
import { ratePairs } from "../../bot/core.ts";
import type { Engine } from "../../bot/engine.ts";
import { runPipeline } from "../../bot/pipeline.ts";
import { pipelineDefaults } from "../../bot/pipeline-settings.ts";
import { createTrace, type Trace } from "../../bot/trace/trace.ts";
import { plainFailure } from "../../domain/command-failure.ts";
import { createRandom } from "../../domain/random.ts";
import { unwrap } from "../../domain/result.ts";
import type { Millis } from "../../domain/time.ts";
import { generatePrivateKey, parsePrivateKey } from "../../exchange/key/load.ts";
import { createSigner } from "../../exchange/key/signer.ts";
import { openJournal } from "../../journal/open-journal.ts";
import { referenceFeed } from "../../market/reference-feed.ts";
import { createLatency } from "../../simulator/latency.ts";
import { syntheticMarket } from "../../simulator/market/synthetic.ts";
import { SIMULATOR_FEEDS, simulatorFeed } from "../feeds/price-sources.ts";
import { newInstance } from "../key/join-budget.ts";
import { timerScheduler } from "../system/scheduler.ts";
import { systemClock } from "../system/system-clock.ts";
import { type Lockstep, openLockstep } from "./lockstep.ts";

export type Traced = Pick<Trace, "lines"> & { readonly traceHash: string };

/** Virtual time is passed in pieces, so that progress can be shown. */
const PIECE_MS = 10_000;

export async function paperTrace(options: BacktestOptions, reached: (at: Millis) => void): Promise<Traced> {
  const { seed, from: start, to, market, funds } = options;
  const latency = createLatency(createRandom(seed).fork("network"), latencyOf(options));
  const simulator = { market: syntheticMarket(seed, market), settings: venueSettings(options) };
  const { curve, secretKey } = unwrap(parsePrivateKey(generatePrivateKey("p256")));
  const signer = createSigner(curve, secretKey);
  const world = await openLockstep({ seed, start, funds, signer, latency, simulator });
  try {
    const stop = new AbortController();
    const running = run(world, options, stop.signal);
    for (let at = start; at < to; at = world.clock.now()) {
      await world.pass(Math.min(PIECE_MS, to - at));
      reached(world.clock.now());
    }
    stop.abort("the time is over");
    await world.pass(pipelineDefaults.stopMsMax);
    return await running;
  } finally {
    await world.close();
  }
}

async function run(world: Lockstep, options: BacktestOptions, stop: AbortSignal): Promise<Traced> {
  const { limits, terms, codeVersion, strategy } = options;
  const { clock, timers, exchange } = world;
  const { tickMs, polls } = cadenceOf(pipelineDefaults, terms, limits, options.market);
  const writer = newInstance();
  const journal = openJournal({
    path: join(world.folder, "journal", "pegbot.db"),
    environment: "lockstep",
    account: "lockstep",
    writer,
    codeVersion,
    absent: "create",
    newChainId: newInstance,
    clock: systemClock,
  });
  if (!journal.ok) throw plainFailure(journal.error.message);
  const trace = createTrace({ keep: true });
  let core: Engine | undefined;
  const ending = await runPipeline(
    {
      exchange,
      journal: journal.value,
      makeCore: coreMaker(options),
      strategy,
      strategies$: NEVER,
      references$: referencesOf(world, options),
      control$: NEVER,
      lastCheck: () => undefined,
      followState: () => {},
      identity: { codeVersion, configDigest: "none" },
      clock,
      scheduler: timerScheduler(clock, timers),
      watch: {
        core(made) {
          core = made;
        },
        step: (step) => trace.take(step),
      },
      settings: { ...pipelineDefaults, tickMs, polls },
    },
    stop,
  );
  journal.value.close();
  if (core === undefined || ending.kind !== "stopped") throw plainFailure(`the bot did not start: ${ending.reason}`);
  return { lines: trace.lines, traceHash: trace.digest(core.books.accounts) };
}

/** The simulator's two feeds, as a bot on paper polls them. */
function referencesOf({ clock, timers, url, readFeed: read }: Lockstep, options: BacktestOptions) {
  const { seed, limits, terms, funds, references } = options;
  const { referencesMs: everyMs } = cadenceOf(pipelineDefaults, terms, limits, options.market);
  const told = references.flatMap((feed) => feed.symbols);
  const symbols = ratePairs(limits, told, Object.keys(funds));
  const parts = { clock, timers, random: createRandom(seed), read, settings: { everyMs } };
  return merge(
    ...SIMULATOR_FEEDS.map((path) =>
      referenceFeed({ name: simulatorFeed(path), url: `${url}/reference/${path}`, symbols }, parts),
    ),
  );
}

/** The first line in which two traces differ; undefined if they have the same lines. */
export function firstDifference(one: readonly string[], other: readonly string[]): number | undefined {
  const length = Math.max(one.length, other.length);
  for (let index = 0; index < length; index++) if (one[index] !== other[index]) return index;
  return undefined;
}
