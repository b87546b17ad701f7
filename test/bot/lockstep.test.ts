// One strategy, two worlds: in process on virtual time, and in lockstep through signatures, sockets, the key's ledger and the
// journal on disk. The same seed gives the same decisions, fills and balances, down to the hash.

import { join } from "node:path";
import { NEVER } from "rxjs";
import { expect, test } from "vitest";
import type { Desk } from "../../src/bot/desk.ts";
import { pipelineDefaults, runPipeline } from "../../src/bot/pipeline.ts";
import { createTrace, type Trace } from "../../src/bot/trace.ts";
import { timerScheduler } from "../../src/cli/timer-scheduler.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { Clock, Timers } from "../../src/domain/time.ts";
import type { Exchange } from "../../src/exchange/port.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { MemoryJournal } from "../../src/journal/memory-journal.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import type { Opening } from "../../src/journal/record.ts";
import { prepareStrategy } from "../../src/strategy/prepare.ts";
import restless from "../fixture/strategy/restless.ts";
import { CORE_FUNDS, makeCore } from "../support/bot-core.ts";
import { openInProcess } from "../support/in-process.ts";
import { openLockstep, START } from "../support/lockstep.ts";

type Rig = {
  readonly exchange: Exchange;
  readonly clock: Clock;
  readonly timers: Timers;
  pass(ms: number): Promise<void>;
};

type Run = { readonly hash: string; readonly lines: readonly string[] };

const WRITER = "lockstep";
const MINUTES = 5;

async function traced({ exchange, clock, timers, pass }: Rig, journal: Journal): Promise<Run> {
  const trace: Trace = createTrace({ keep: true });
  const stop = new AbortController();
  let desk: Desk | undefined;
  const pipeline = runPipeline(
    {
      exchange,
      journal,
      makeCore: (strategy) => makeCore({ writer: WRITER }, strategy),
      strategy: unwrap(prepareStrategy(restless, {})),
      strategies$: NEVER,
      references$: NEVER,
      control$: NEVER,
      lastCheck: () => undefined,
      latch: () => undefined,
      isGone: () => false,
      identity: { codeVersion: "test", configDigest: "test" },
      clock,
      scheduler: timerScheduler(clock, timers),
      watch: { desk: (opened) => (desk = opened), step: trace.take },
      settings: pipelineDefaults,
    },
    stop.signal,
  );
  await pass(MINUTES * 60_000);
  stop.abort("the time is over");
  await pass(30_000);
  await pipeline;
  if (desk === undefined) throw new Error("the bot must have had a desk");
  return { hash: trace.digest(desk.engine.context.accounts), lines: trace.lines };
}

const opening: Opening = {
  kind: "opening",
  at: START,
  environment: "test",
  account: "lockstep",
  chainId: "lockstep-lockstep",
  schemaVersion: 1,
  codeVersion: "test",
};

async function inProcess(seed: number): Promise<Run> {
  const rig = openInProcess({ seed, funds: CORE_FUNDS });
  const run = await traced(rig, new MemoryJournal(opening, WRITER));
  await rig.close();
  return run;
}

async function inLockstep(seed: number): Promise<Run> {
  const rig = await openLockstep({ seed, funds: CORE_FUNDS });
  const journal = unwrap(
    openJournal({
      path: join(rig.folder, "journal.db"),
      environment: "test",
      account: "lockstep",
      writer: WRITER,
      codeVersion: "test",
      absent: "create",
      newChainId: () => opening.chainId,
      machine: rig,
      settings: { reserveBytes: 0 },
    }),
  );
  const run = await traced(rig, journal);
  journal.close();
  await rig.close();
  return run;
}

test.each([1, 2, 3])(
  "in process and through the whole HTTP stack a strategy leaves one trace, seed %i",
  async (seed) => {
    const here = await inProcess(seed);
    const there = await inLockstep(seed);
    process.stdout.write(`lockstep: seed ${seed}, ${here.lines.length} lines, ${here.hash.slice(0, 16)}\n`);
    expect(here.lines.filter((line) => line.includes(" confirmed ")).length).toBeGreaterThan(30);
    expect(there.lines).toEqual(here.lines);
    expect(there.hash).toBe(here.hash);
  },
);

test("another seed leaves another trace", async () => {
  expect((await inProcess(1)).hash).not.toBe((await inProcess(2)).hash);
});
