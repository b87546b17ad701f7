// The venue of paper mode, in a thread of the bot's process: it cannot outlive the bot, and its work does not delay the
// bot. State and nonces are on disk before an answer leaves, so it continues after any end of the process.

import { randomInt } from "node:crypto";
import { rmSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { PairSymbol } from "../../domain/asset.ts";
import { orFail, plainFailure } from "../../domain/command-failure.ts";
import type { Quantity } from "../../domain/money/money.ts";
import { type Clock, type Millis, millis, type Timers } from "../../domain/time.ts";
import { emptyTop, type Market } from "../../simulator/market/market.ts";
import { DEFAULT_MARKET, DEMO_MARKET, type MarketParameters } from "../../simulator/market/parameters.ts";
import { AS_SHOWN, marketIn } from "../../simulator/market/scenario.ts";
import { syntheticMarket } from "../../simulator/market/synthetic.ts";
import { readHead } from "../../simulator/state-file.ts";
import { PAPER_FUNDS } from "../config/paper-funds.ts";
import type { PaperPlace } from "../config/paper-place.ts";
import { openToken } from "../key/control-token.ts";
import { writeDurably } from "../system/durable-text.ts";
import type { RecordedMarket } from "./recorded-market.ts";
import type { WorkerOrder, WorkerWord } from "./simulator-worker.ts";

const CLOSE_MS_MAX = 3_000;

export interface EmbeddedSimulator {
  readonly baseUrl: string;
  readonly account: "new" | "known";
  /** The scenario behind its prices, with single parameters; `recorded` where they are. */
  readonly market: readonly string[];
  /** Resolves with the reason if the thread ends without being closed. */
  readonly died: Promise<string>;
  close(): Promise<void>;
}

export type EmbeddedParts = {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Absent for a synthetic market. */
  readonly recorded?: RecordedMarket | undefined;
  /** A scenario and single parameters; a known account keeps its own if absent. */
  readonly scenario?: readonly string[] | undefined;
  readonly quotesShown?: boolean;
  /** Of a new account. */
  readonly funds?: Readonly<Record<string, Quantity>> | undefined;
  /** Of settlement. */
  readonly speed?: number;
};

export async function startEmbeddedSimulator(
  place: PaperPlace,
  publicKey: string,
  { clock, timers, recorded, scenario: wanted, quotesShown = true, funds, speed = 1 }: EmbeddedParts,
): Promise<EmbeddedSimulator> {
  const known = orFail(readHead(place.state));
  const unnamed = [DEFAULT_MARKET.name, ...(recorded === undefined ? [] : AS_SHOWN)];
  const scenario = wanted ?? (known === undefined ? unnamed : undefined);
  const parameters = orFail(marketIn(scenario ?? []));
  const seed = known?.seed ?? openingSeed(clock.now(), parameters);
  const portalToken = orFail(openToken(place.journal));
  const given = funds && Object.fromEntries(Object.entries(funds).map(([asset, held]) => [asset, String(held)]));
  const account = { stateFile: place.state, publicKey, portalToken, funds: given ?? PAPER_FUNDS, speed };
  const order: WorkerOrder = {
    seed,
    ...account,
    quotesShown,
    ...(recorded && { recorded }),
    ...(scenario && { scenario }),
  };
  const worker = new Worker(workerFile(), { workerData: order, stdout: false, stderr: false });
  // Listens from the start, because a past event is never delivered again.
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  const ended = endOf(worker);
  const first = await Promise.race([nextWord(worker), ended.then((reason) => ({ kind: "failed", reason }) as const)]);
  if (first.kind !== "ready") {
    const reason = first.kind === "failed" ? first.reason : "it closed at once";
    const message = `the embedded simulator did not start: ${reason}`;
    throw plainFailure(message, "its folder must be writable for this user, and have space");
  }
  writeDurably(place.address, `${first.baseUrl}\n`);
  return {
    baseUrl: first.baseUrl,
    account: first.account,
    market: recorded === undefined ? (scenario ?? known?.market ?? unnamed) : ["recorded"],
    died: ended,
    close: () => close(worker, exited, place, timers),
  };
}

/** A published package has only JavaScript, and the build does not rewrite worker URLs. */
function workerFile(): URL {
  const isSource = import.meta.filename.endsWith(".ts");
  return isSource
    ? new URL("./simulator-worker.ts", import.meta.url)
    : new URL("./simulator-worker.js", import.meta.url);
}

function nextWord(worker: Worker): Promise<WorkerWord> {
  return new Promise((resolve) => worker.once("message", resolve));
}

function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once("error", (error) => resolve(error instanceof Error ? error.message : String(error)));
    worker.once("exit", (code) => resolve(`its thread ended with code ${code}`));
  });
}

async function close(worker: Worker, exited: Promise<void>, place: PaperPlace, timers: Timers): Promise<void> {
  rmSync(place.address, { force: true });
  worker.postMessage("close");
  const cancel = timers.after(CLOSE_MS_MAX, () => void worker.terminate());
  await exited;
  cancel();
}

// The seed of a new paper market. In the market for demonstrations it is drawn again until a coin is away from par in the
// next minutes; later hours are not selected.

const SYMBOLS = ["VCHF/CHF", "VGBP/GBP"] as PairSymbol[];
const APART_BPS = 13;
/** Within the peg band, with room to spare: no stress episode. */
const CALM_BPS = 35;
const LOOKS = [0, 30_000, 60_000, 120_000];
const TRIES_MAX = 200;

function openingSeed(now: Millis, parameters: MarketParameters): number {
  for (let tries = 1; ; tries++) {
    const seed = randomInt(2 ** 31 - 1);
    const isAny = parameters.name !== DEMO_MARKET.name || tries === TRIES_MAX;
    if (isAny || hasSomethingToSee(syntheticMarket(seed, parameters), now)) return seed;
  }
}

function hasSomethingToSee(market: Market, now: Millis): boolean {
  const apart = SYMBOLS.map((symbol) => LOOKS.map((ms) => deviationBps(market, symbol, millis(now + ms))));
  return apart.some((one) => one.every((bps) => bps >= APART_BPS)) && apart.flat().every((bps) => bps <= CALM_BPS);
}

function deviationBps(market: Market, symbol: PairSymbol, at: Millis): number {
  const top = emptyTop();
  if (!market.read(symbol, at, top)) return Number.NaN;
  return Math.abs((top.bid + top.ask) / 2 - 1) * 1e4;
}
