// A bot's whole world for tests with real processes: a simulator, a key, a configuration and a strategy that sells a little at
// every quote. All live by one clock that runs faster than ours. The simulator serves from the test's own process: a start
// costs more than all it does.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, onTestFinished } from "vitest";
import { stringify } from "yaml";
import { newKey } from "../../src/app/key/new-key.ts";
import { systemClock } from "../../src/app/system/system-clock.ts";
import { systemTimers } from "../../src/app/system/system-timers.ts";
import { scaledClock, scaledTimers, type TimeScale } from "../../src/app/system/time-scale.ts";
import type { Millis } from "../../src/domain/time.ts";
import { DEMO_MARKET, withoutEdge } from "../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import type { SimulatorOptions } from "../../src/simulator/open-venue.ts";
import { createSimulatorServer, type SimulatorServer } from "../../src/simulator/server.ts";
import { setUpAccount } from "../../src/simulator/stage.ts";
import { COMPILED } from "../support/compiled.ts";
import { WAIT_MS_MAX } from "../support/patience.ts";
import { type Program, start } from "../support/program.ts";
import { type CommandHost, startHost } from "./command-host.ts";
import { type Finished, LAUNCHER, pegbot } from "./pegbot.ts";

/** Not faster: a decision lives for 3 s of that clock, and a busy machine needs a part of them. */
const SCALE = 5;
/** One clock for all stages of a test file: the process of their commands keeps the one that it has begun with. */
const EPOCH = Date.now();

let host: CommandHost | undefined;
afterAll(() => host?.end());

const SELLER = `export default {
  name: "seller",
  state: () => ({ count: 0 }),
  decide({ quote, state, sell }) {
    if (quote.symbol !== "VCHF/CHF") return undefined;
    state.count += 1;
    const size = (100 + (state.count % 900) / 100).toFixed(2);
    return sell(quote.symbol, { limit: quote.bid * 0.9995, size, reason: "a little at every quote" });
  },
};
`;

export type SeenRequest = {
  readonly path: string;
  readonly outcome: string;
  readonly arrivedAt: string;
  readonly monotonicMs: number;
  readonly nonce?: string;
  readonly status?: number;
  /** Of an order: by it the journal knows the same one. */
  readonly digest?: string;
};

export type BotStage = {
  readonly folder: string;
  readonly journal: string;
  readonly env: Readonly<Record<string, string>>;
  /** `run` as a user starts it, through the launcher; ended with the test. */
  run(...flags: string[]): Program;
  command(...args: string[]): Promise<Finished>;
  /** The same in a process that stays for the next one, of any stage: where the start of a process is not what is tested. */
  ask(...args: string[]): Promise<Finished>;
  /** A command that is still running. */
  order(...args: string[]): Program;
  /** The text of the configuration. */
  config(): string;
  /** Starts any program in the bot's folder. */
  launch(program: string, ...args: string[]): Program;
  requests(): Promise<readonly SeenRequest[]>;
  /** Orders that the venue has seen, whatever it made of them. */
  orders(): Promise<number>;
  portal(route: string, body: object): Promise<void>;
  /** What a time of theirs is by our clock. */
  realTime(theirs: string | Millis): number;
  readonly publicKey: string;
};

type Cleaner = (clean: () => void | Promise<void>) => void;

/** Cleared away with the test, or, for one that tests share, by whoever takes `atEnd`: the last that comes goes first. */
export async function botStage(
  change: object = {},
  atEnd: Cleaner = onTestFinished,
  venue: Pick<SimulatorOptions, "strict"> = {},
): Promise<BotStage> {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-stage-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const { content, publicKey } = await newKey("p256", undefined);
  mkdirSync(join(folder, "keys"), { mode: 0o700 });
  writeFileSync(join(folder, "keys", "key.pem"), content, { mode: 0o600 });
  writeFileSync(join(folder, "seller.ts"), SELLER);
  const env = {
    // npm puts the bundled Node first; a user has his own.
    PATH: (process.env.PATH ?? "")
      .split(delimiter)
      .filter((entry) => !entry.includes("node_modules"))
      .join(delimiter),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_RUNTIME_DIR: folder,
    PEGBOT_TIME_SCALE: `${SCALE}@${EPOCH}`,
    NODE_COMPILE_CACHE: COMPILED,
  };
  const launch = (program: string, ...args: string[]): Program =>
    launched(start(program, args, { cwd: folder, env }), atEnd);
  const { baseUrl } = await simulatorFor(publicKey, { factor: SCALE, epoch: EPOCH }, venue, atEnd);
  const config = {
    mode: "paper",
    venue: { baseUrl },
    key: { file: "./keys/key.pem" },
    strategy: { use: "./seller.ts" },
    ...change,
  };
  writeFileSync(join(folder, "pegbot.yaml"), stringify(config));
  const portal = new URL("/portal/", baseUrl);
  const requests = async (): Promise<readonly SeenRequest[]> => {
    const answer = await fetch(new URL("requests", portal));
    return ((await answer.json()) as { requests: SeenRequest[] }).requests;
  };
  return {
    folder,
    journal: join(folder, "data", "pegbot.db"),
    env,
    publicKey,
    launch,
    run: (...flags) => launch(process.execPath, LAUNCHER, "run", "--port", "0", ...flags),
    order: (...args) => launch(process.execPath, LAUNCHER, ...args),
    config: () => stringify(config),
    command: (...args) => pegbot(args, { cwd: folder, env }),
    ask(...args) {
      host ??= startHost(tmpdir(), env);
      return host.runAt({ cwd: folder, env }, ...args);
    },
    requests,
    realTime: (theirs) => EPOCH + (new Date(theirs).getTime() - EPOCH) / SCALE,
    orders: async () => (await requests()).filter(({ path }) => path.endsWith("/addOrder")).length,
    async portal(route, body) {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(new URL(route, portal), { method: "POST", headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`portal ${route}: ${await answer.text()}`);
    },
  };
}

async function simulatorFor(
  publicKey: string,
  scale: TimeScale,
  venue: Pick<SimulatorOptions, "strict">,
  atEnd: Cleaner,
): Promise<SimulatorServer> {
  const clock = scaledClock(systemClock, scale);
  const timers = scaledTimers(systemTimers, scale);
  // A coin that strays from par does so by the calendar: at some hours of some days the risk module would refuse every order.
  const market = syntheticMarket(1, withoutEdge(DEMO_MARKET));
  const server = await createSimulatorServer({ ...venue, clock, timers, market });
  atEnd(() => server.close());
  const funds = { CHF: "100000", VCHF: "100000", GBP: "1000", VGBP: "1000" };
  const account = await setUpAccount(server.writer, publicKey, new Map(Object.entries(funds)));
  if (!account.ok) throw new Error(account.error);
  return server;
}

function launched(started: Program, atEnd: Cleaner): Program {
  atEnd(() => {
    try {
      started.killGroup("SIGKILL");
    } catch {
      // it has ended by itself
    }
  });
  return started;
}

/** What a bot says besides its result goes to stderr: the match, said already or still to come. */
export async function said(bot: Program, pattern: RegExp): Promise<string> {
  await bot.until(() => pattern.test(bot.stderr()), `it said ${pattern}`);
  return pattern.exec(bot.stderr())?.[0] ?? "";
}

/** Asks again and again, with a bound; seldom, for the answer is often all that a venue has seen. */
export async function eventually(holds: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + WAIT_MS_MAX;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${WAIT_MS_MAX} ms for ${what}`);
    await sleep(100);
  }
}
