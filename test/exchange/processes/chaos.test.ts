import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createRandom } from "../../../src/domain/random.ts";
import { TEST_MS_MAX } from "../../support/patience.ts";
import { isAlive, type Program, until } from "../../support/program.ts";
import { gapsOf, listenForArrivals, nonceFaults, silencesOf } from "./arrivals.ts";
import { createFleet, type DriverSettings, type Fleet } from "./drivers.ts";
import { faults, isLong, seed } from "./length.ts";

type Times = Pick<DriverSettings, "pacing" | "lease" | "budget" | "transport"> & {
  readonly spacingMs: number;
  readonly stopMs: readonly [number, number];
  /** No kill or stop may silence the key for longer. */
  readonly silenceMsMax: number;
};

/** The defaults, where a stop of 30 s outlasts every lease. */
const full: Times = { spacingMs: 1_000, stopMs: [1_000, 30_000], silenceMsMax: 30_000 };

/** The same proportions in about a tenth of the time. */
const short: Times = {
  pacing: { spacingMs: 80, abandonedMs: 600, diedMs: 500 },
  lease: { prepareMs: 700, answerMs: 1_000, graceMs: 40 },
  budget: { pollMs: 10, probeMs: 40, refreshMs: 40 },
  transport: { connectMsMax: 500, writeMsMax: 250, firstByteMsMax: 600, answerMsMax: 800 },
  spacingMs: 80,
  stopMs: [50, 3_000],
  silenceMsMax: 8_000,
};

const roles = ["poller", "balances", "mint", "rail"] as const;

test(`${faults} kills and stops at any moment: others go on, no nonce comes twice, nothing is sent late`, {
  timeout: TEST_MS_MAX + faults * 30_000,
}, async () => {
  const { stopMs, silenceMsMax, spacingMs, ...times } = isLong ? full : short;
  process.stdout.write(`kills and stops: seed ${seed}\n`);
  const random = createRandom(seed);
  // Slow answers, so that a slot is held for a good part of the time and faults find its holder.
  const delay = random.fork("delay");
  const server = await listenForArrivals({ spacingMs, delayMs: () => delay.next() * 0.4 * spacingMs });
  const fleet = createFleet("kills-and-stops");
  onTestFinished(async () => {
    fleet.dispose();
    await server.close();
  });
  const { arrivals } = server;
  const running = new Map<string, Program>();
  const stopped = new Set<Program>();
  const launch = (role: (typeof roles)[number]) =>
    running.set(role, fleet.launch({ role, port: server.port, ...times }));
  const healthy = () => [...running.values()].filter((each) => !stopped.has(each) && each.lines().length > 0);
  for (const role of roles) launch(role);

  const done = { kills: 0, stops: 0, ofHolder: 0 };
  const wakings: Promise<void>[] = [];
  for (let fault = 0; fault < faults; fault++) {
    // One process is always left that could go on; and requests go on before the next fault.
    const goal = arrivals.length + random.integer(1, 4);
    await until(() => healthy().length >= 2 && arrivals.length >= goal, "requests between two faults");
    await sleep(random.integer(0, 2 * spacingMs));
    const targets = healthy();
    const anyone = targets[random.integer(0, targets.length - 1)];
    const program = random.next() < 0.8 ? ((await holderAmong(fleet, targets, spacingMs)) ?? anyone) : anyone;
    const role = roles.find((each) => running.get(each) === program);
    if (program === undefined || role === undefined) continue;
    if (program.pid === fleet.holder()) done.ofHolder += 1;
    if (random.next() < 0.5) {
      done.kills += 1;
      program.kill("SIGKILL");
      launch(role);
    } else {
      done.stops += 1;
      program.kill("SIGSTOP");
      stopped.add(program);
      const wake = () => {
        program.kill("SIGCONT");
        stopped.delete(program);
      };
      wakings.push(sleep(random.integer(...stopMs)).then(wake));
    }
  }
  await Promise.all(wakings);
  const before = arrivals.length;
  await until(() => arrivals.length > before + 3, "requests after the last fault");
  expect([...running.values()].filter((program) => isAlive(program.pid)).length).toBe(4);

  const longestSilenceMs = Math.max(...silencesOf(arrivals));
  // Between two requests there is the spacing and what our processes take: how long that is, the machine says itself.
  const slowness = Math.max(1, medianOf(gapsOf(arrivals)) / (2 * spacingMs));
  process.stdout.write(
    `kills and stops: ${done.kills} kills, ${done.stops} stops, ${done.ofHolder} of them of the holder; ` +
      `${arrivals.length} arrivals, smallest gap ${Math.min(...gapsOf(arrivals)).toFixed(1)} ms, ` +
      `longest silence ${(longestSilenceMs / 1_000).toFixed(1)} s, slowness ${slowness.toFixed(1)}\n`,
  );
  expect(done.ofHolder).toBeGreaterThan(0);
  expect(nonceFaults(arrivals)).toEqual([]);
  expect(arrivals.filter((arrival) => arrival.status !== 200)).toEqual([]);
  expect(Math.min(...gapsOf(arrivals))).toBeGreaterThanOrEqual(spacingMs);
  expect(longestSilenceMs).toBeLessThanOrEqual(silenceMsMax * slowness);
});

/** Whoever takes the slot next, at some moment while it has it. */
async function holderAmong(fleet: Fleet, targets: readonly Program[], spacingMs: number): Promise<Program | undefined> {
  for (const givenUpAt = performance.now() + 3 * spacingMs; performance.now() < givenUpAt; await sleep(2)) {
    const holder = fleet.holder();
    const program = targets.find((each) => each.pid === holder);
    if (program !== undefined) return program;
  }
  return undefined;
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
