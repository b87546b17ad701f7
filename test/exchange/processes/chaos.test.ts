import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createRandom } from "../../../src/domain/random.ts";
import { isAlive, type Program, until } from "../../support/program.ts";
import { gapsOf, listenForArrivals, nonceFaults } from "./arrivals.ts";
import { createFleet, type DriverSettings } from "./drivers.ts";
import { isLong, seconds, seed } from "./length.ts";

type Times = Pick<DriverSettings, "pacing" | "lease" | "budget" | "transport"> & {
  readonly spacingMs: number;
  readonly stopMs: readonly [number, number];
  readonly pauseMs: readonly [number, number];
  /** No stop or kill may silence the key for longer. */
  readonly silenceMsMax: number;
};

/** The defaults, where a stop of 30 s outlasts every lease. */
const full: Times = { spacingMs: 1_000, stopMs: [500, 30_000], pauseMs: [500, 8_000], silenceMsMax: 30_000 };

/** The same proportions in about a tenth of the time. */
const short: Times = {
  pacing: { spacingMs: 80, abandonedMs: 600, diedMs: 500 },
  lease: { prepareMs: 700, answerMs: 1_000, graceMs: 40 },
  budget: { pollMs: 10, probeMs: 40, refreshMs: 40 },
  transport: { connectMsMax: 500, firstByteMsMax: 600, answerMsMax: 800 },
  spacingMs: 80,
  stopMs: [50, 3_000],
  pauseMs: [50, 400],
  silenceMsMax: 8_000,
};

test(`kills and stops at any moment for ${seconds.chaos} s: others go on, no nonce comes twice, nothing is sent late`, {
  timeout: 120_000 + seconds.chaos * 1_000,
}, async () => {
  const { stopMs, pauseMs, silenceMsMax, spacingMs, ...times } = isLong ? full : short;
  process.stdout.write(`kills and stops: seed ${seed}\n`);
  const random = createRandom(seed);
  const server = await listenForArrivals({ spacingMs });
  const fleet = createFleet("kills-and-stops");
  onTestFinished(async () => {
    fleet.dispose();
    await server.close();
  });
  const roles = ["poller", "balances", "mint", "rail"] as const;
  const running = new Map<string, Program>();
  const launch = (role: (typeof roles)[number]) =>
    running.set(role, fleet.launch({ role, port: server.port, ...times }));
  for (const role of roles) launch(role);
  await until(() => server.arrivals.length >= 4, "the first requests");

  const done = { kills: 0, stops: 0, ofHolder: 0 };
  const wakings: Promise<void>[] = [];
  const endsAt = performance.now() + seconds.chaos * 1_000;
  while (performance.now() < endsAt) {
    await sleep(random.integer(...pauseMs));
    const holder = fleet.holder();
    const picked = roles[random.integer(0, 3)] ?? "poller";
    const role = random.next() < 0.7 ? (roles.find((each) => running.get(each)?.pid === holder) ?? picked) : picked;
    const program = running.get(role);
    if (program === undefined) continue;
    if (program.pid === holder) done.ofHolder += 1;
    if (random.next() < 0.5) {
      done.kills += 1;
      program.kill("SIGKILL");
      launch(role);
    } else {
      done.stops += 1;
      program.kill("SIGSTOP");
      wakings.push(sleep(random.integer(...stopMs)).then(() => program.kill("SIGCONT")));
    }
  }
  await Promise.all(wakings);
  const before = server.arrivals.length;
  await until(() => server.arrivals.length > before + 3, "requests after the last fault");
  const survivors = [...running.values()].filter((program) => isAlive(program.pid));
  expect(survivors.length).toBe(4);

  const { arrivals } = server;
  process.stdout.write(
    `kills and stops: ${done.kills} kills, ${done.stops} stops, ${done.ofHolder} of them of the holder; ` +
      `${arrivals.length} arrivals, smallest gap ${Math.min(...gapsOf(arrivals)).toFixed(1)} ms, ` +
      `longest silence ${(Math.max(...gapsOf(arrivals)) / 1_000).toFixed(1)} s\n`,
  );
  expect(done.ofHolder).toBeGreaterThan(0);
  expect(nonceFaults(arrivals)).toEqual([]);
  expect(arrivals.filter((arrival) => arrival.status !== 200)).toEqual([]);
  expect(Math.min(...gapsOf(arrivals))).toBeGreaterThanOrEqual(spacingMs);
  expect(Math.max(...gapsOf(arrivals))).toBeLessThanOrEqual(silenceMsMax);
});
