// The chaos campaign on whole processes: a simulator that executes and loses answers, delays its histories, refuses at
// random and is killed and restarted on its state file; and the bot as people start it, killed by SIGKILL at moments drawn
// from the seed, on a scaled clock. Then the faults stop, and journal and venue are compared.

import { setTimeout as sleep } from "node:timers/promises";
import { Engine } from "../../../src/bot/engine.ts";
import { pipelineDefaults } from "../../../src/bot/pipeline-settings.ts";
import { IDLE } from "../../../src/bot/strategy-host/strategy-state.ts";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import type { Entry } from "../../../src/journal/record.ts";
import type { FaultsSetting } from "../../../src/simulator/fault.ts";
import { makeCore } from "../../support/bot-core.ts";
import { isAlive, type Program } from "../../support/program.ts";
import { audit, seriousHalts, type Tally, tally } from "../audit.ts";
import { type ChaosStage, openStage } from "./stage.ts";

/** How bots live and end; by itself as a person starts them, and by SIGKILL. */
export type Lives = {
  start(stage: ChaosStage): Program;
  /** All that ran in the folder ends with it. */
  end(stage: ChaosStage, bot: Program, random: Random): Promise<void>;
  /** Reasons of a halt that the faults of these lives deserve; a person resumes. */
  readonly deserved?: RegExp;
};

export type ChaosOptions = {
  readonly seed: number;
  readonly lives?: Lives;
  readonly progress: Progress;
  readonly say: (line: string) => void;
};

export type Goal = {
  /** At least so many of each, before the faults stop. */
  readonly kills: number;
  readonly doubtsEachWay: number;
  /** At least so many, before everything is compared. */
  readonly fills: number;
};

/** What campaigns side by side have seen together: none of them waits for luck of its own while the others are done. */
export class Progress {
  readonly goal: Goal;
  kills = 0;
  /** A campaign has seen what must not happen: there is nothing left to wait for. */
  isLost = false;
  readonly #seen = new Map<number, Tally>();

  constructor(goal: Goal) {
    this.goal = goal;
  }

  tell(seed: number, tally: Tally): void {
    this.#seen.set(seed, tally);
  }

  isStormOver(): boolean {
    if (this.isLost) return true;
    const { kills, doubtsEachWay } = this.goal;
    const filled = this.#sum(({ doubtsFilled }) => doubtsFilled);
    const dead = this.#sum(({ doubtsDead }) => doubtsDead);
    // The bound is for a bot that finds out nothing: it fails, and does not run for ever.
    return this.kills >= kills && (Math.min(filled, dead) >= doubtsEachWay || this.kills >= 4 * kills);
  }

  hasFills(): boolean {
    return this.#sum(({ fills }) => fills) >= this.goal.fills;
  }

  #sum(count: (tally: Tally) => number): number {
    return [...this.#seen.values()].reduce((sum, tally) => sum + count(tally), 0);
  }
}

export type Chaos = Tally & {
  readonly violations: readonly string[];
  readonly kills: number;
  readonly simulatorRestarts: number;
  /** Processes of the bot that had an order approved. */
  readonly livesThatTraded: number;
  readonly finalLifeFills: number;
};

const FACTOR = 40;
/** Milliseconds of the world's clock: bounds of a hang, far above what is ever needed. */
const WAIT_MS_MAX = 600_000;

/** W above the longest delay of the histories; nothing needs a person, whatever it is worth. */
const PROTOCOL = {
  windowMsMin: 65_000,
  windowPerDelay: 1,
  acknowledgedMin: 0,
  releaseBpsMax: 9_999,
  escalateAfterMs: 7_200_000,
};

/** A fifth of the answers to orders is lost after execution; histories are up to 60 s late. */
const STORM: FaultsSetting = {
  rules: [
    { fault: "lost-answer", on: "addOrder", probability: 0.2 },
    { fault: "lost-request", on: "addOrder", probability: 0.2 },
    { fault: "publication-delay", delayMs: 60_000, probability: 0.1 },
    { fault: "publication-delay", delayMs: 25_000, probability: 0.15 },
    { fault: "publication-delay", delayMs: 8_000, probability: 0.25 },
    { fault: "status", on: "addOrder", status: 503, executes: true, probability: 0.04 },
    { fault: "status", on: "addOrder", status: 401, probability: 0.02 },
    { fault: "status", on: "addOrder", status: 429, probability: 0.005 },
    { fault: "reset-after", on: "addOrder", probability: 0.02 },
    { fault: "error-inside", on: "addOrder", probability: 0.03 },
    { fault: "error-inside", on: "addOrder", status: 400, probability: 0.03 },
    { fault: "lost-answer", on: ["queryTrades", "queryOrders", "accountBalance", "quotes"], probability: 0.01 },
    { fault: "status", on: ["queryTrades", "queryOrders", "accountBalance"], status: 502, probability: 0.02 },
    { fault: "status", on: "queryTrades", status: 401, probability: 0.003 },
  ],
};

export async function runChaos(options: ChaosOptions): Promise<Chaos> {
  const stage = openStage({ seed: options.seed, factor: FACTOR, faults: STORM, protocol: PROTOCOL });
  try {
    await stage.startSimulator();
    const { kills, simulatorRestarts } = await storm(stage, options);
    await stage.calm();
    const before = stage.entries().length;
    const tradingCore = await peace(stage, options);
    const entries = stage.entries();
    return {
      ...tally(entries),
      kills,
      simulatorRestarts,
      livesThatTraded: new Set(entries.flatMap((entry) => (entry.record.kind === "intent" ? [entry.writer] : []))).size,
      finalLifeFills: tally(entries.slice(before)).fills,
      violations: audit(entries, tradingCore, await stage.venueFacts(), options.lives?.deserved),
    };
  } finally {
    stage.close();
  }
}

async function storm(stage: ChaosStage, { seed, progress, say, lives }: ChaosOptions) {
  const random = createRandom(seed).fork("chaos");
  let done = 0;
  let simulatorRestarts = 0;
  while (!progress.isStormOver()) {
    const bot = lives === undefined ? stage.startBot() : lives.start(stage);
    await lived(bot, random.fork(`life ${done}`));
    if (lives === undefined) await operate(stage, bot);
    const restarts = lives === undefined && done % 4 === 3;
    if (lives !== undefined) {
      await lives.end(stage, bot, random.fork(`end ${done}`));
      await operate(stage, bot);
    } else if (restarts && random.next() < 0.5) {
      // The bot stands still meanwhile, so that nothing reaches a simulator whose list of requests was already read.
      bot.killGroup("SIGSTOP");
      await stage.killSimulator();
      await stage.startSimulator();
      bot.killGroup("SIGCONT");
      await sleep(random.integer(0, 1_000));
      await killed(bot);
    } else {
      await killed(bot);
      if (restarts) {
        await stage.killSimulator();
        await stage.startSimulator();
      }
    }
    simulatorRestarts += restarts ? 1 : 0;
    done += 1;
    progress.kills += 1;
    const seen = tally(stage.entries());
    progress.tell(seed, seen);
    progress.isLost ||= seriousHalts(stage.entries(), lives?.deserved).length > 0;
    const { fills, doubtsFilled, doubtsDead } = seen;
    if (done % 5 === 0) say(`${done} kills, ${fills} fills, doubts: ${doubtsFilled} filled, ${doubtsDead} dead`);
  }
  return { kills: done, simulatorRestarts };
}

/** Some die while they start, most while they trade or wait for evidence. */
async function lived(bot: Program, random: Random): Promise<void> {
  if (random.next() < 0.15) return void (await sleep(random.integer(0, 1_500)));
  await bot.until(
    () => /trading|resolving|unknown|halted|disk/i.test(bot.stderr()) || !isAlive(bot.pid),
    "the bot's start",
  );
  // The clock runs 40 times as fast: three seconds are the two minutes after which a dead order is known to be dead.
  await sleep(random.integer(300, 10_000));
}

/** What a person does: looks the order up at the venue when asked about it, and lets a halted bot go on. */
async function operate(stage: ChaosStage, bot: Program): Promise<void> {
  for (const id of escalated(stage.entries())) {
    const { code, stdout } = await stage.command("trades", "--json");
    if (code !== 0) continue;
    const verdict = stdout.includes(`"${id}"`) ? "--filled" : "--not-filled";
    await stage.command("resolve", id, verdict, "--reason", "looked up in the venue's trades", "--yes");
  }
  if (/HALTED/.test(lastState(bot))) await stage.command("resume", "--reason", "the venue was asked", "--yes");
}

/** Orders that a person is asked about and has not answered for. */
function escalated(entries: readonly Entry[]): readonly string[] {
  const open = new Set<string>();
  for (const { record } of entries) {
    if (record.kind !== "resolution") continue;
    if (record.verdict.kind === "escalated") open.add(record.id);
    else open.delete(record.id);
  }
  return [...open];
}

async function killed(bot: Program): Promise<void> {
  if (!isAlive(bot.pid)) throw new Error(`the bot ended by itself: ${bot.stderr().slice(-2_000)}`);
  bot.killGroup("SIGKILL");
  await bot.ended();
}

/** The state as the log last said it. */
function lastState(bot: Program): string {
  return [...bot.stderr().matchAll(/\b(ACTIVE|REDUCED|HALTED)\b/g)].at(-1)?.[1] ?? "";
}

/** Trades again; then a person stops it, what is open is resolved, and it ends in order. */
async function peace(stage: ChaosStage, { seed, progress, say, lives }: ChaosOptions): Promise<Engine> {
  const bot = stage.startBot();
  const before = tally(stage.entries()).fills;
  const isDone = () => {
    const now = tally(stage.entries());
    progress.tell(seed, now);
    progress.isLost ||= seriousHalts(stage.entries(), lives?.deserved).length > 0;
    return progress.isLost || (progress.hasFills() && now.fills >= before + 5);
  };
  for (let i = 0; !isDone() && i < WAIT_MS_MAX / 1_000; i++) {
    await sleep(1_000);
    await operate(stage, bot);
  }
  await stage.command("halt", "the campaign is over");
  for (let i = 0; !progress.isLost && isOpen(stage.entries()) && i < WAIT_MS_MAX / 1_000; i++) await sleep(1_000);
  bot.kill("SIGTERM");
  await bot.ended();
  say(`peace: ${tally(stage.entries()).fills} fills`);
  return tradingCoreOf(stage.entries());
}

function isOpen(entries: readonly Entry[]): boolean {
  return [...tradingCoreOf(entries).executor.open()].length > 0;
}

/** What the journal says, folded by the bot's own code. */
function tradingCoreOf(entries: readonly Entry[]): Engine {
  const tradingCore = new Engine(makeCore({ writer: "chaosaudit" }, IDLE), pipelineDefaults);
  for (const entry of entries) tradingCore.fold(entry);
  return tradingCore;
}
