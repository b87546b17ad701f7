// The synthetic market as data. Its parameters are set one by one on a command line (`pegs.VCHF.deviationBps=20`): only
// existing ones can be set, and only to a number, or to true or false. Its columns are the simulator's prices in even
// steps: the same seed gives the same prices as the simulator and every backtest on it.

import type { PairSymbol } from "../../src/domain/asset.ts";
import { err, ok, type Result } from "../../src/domain/result.ts";
import { quoted } from "../../src/domain/sanitise.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import { emptyTop } from "../../src/simulator/market/market.ts";
import type { MarketParameters } from "../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../src/simulator/market/synthetic.ts";
import { BLOCK_ROWS } from "./intake.ts";
import { COLUMNS, type Columns, type QuoteArrays } from "./source.ts";

type Tree = { [name: string]: unknown };

/** Parameters that must be positive. */
const POSITIVE =
  /(?:^gridMs|^depthEpochMs|HalfLifeMs|halfLifeMs|levelChf|depth|[sS]preadFactor|depthFactor|minMs|maxMs)$/;

export function setParameters(parameters: MarketParameters, settings: readonly string[]): Result<MarketParameters> {
  const tree = structuredClone(parameters) as unknown as Tree;
  const paths = new Set<string>();
  for (const setting of settings) {
    const path = pathOf(setting);
    if (path === "") return err(`must look like pegs.VCHF.deviationBps=20, was ${quoted(setting)}`);
    const done = set(tree, path, setting.slice(path.length + 1));
    if (!done.ok) return done;
    if (paths.has(path)) return err(`${path} is there twice`);
    paths.add(path);
  }
  const made = tree as unknown as MarketParameters;
  const wrong = reversed(made.stress);
  return wrong === undefined ? ok(made) : err(wrong);
}

/** Empty where the setting has no path. */
function pathOf(setting: string): string {
  return setting.slice(0, Math.max(0, setting.indexOf("=")));
}

/** An episode is drawn between minimum and maximum. */
function reversed({ minBps, maxBps, minMs, maxMs }: MarketParameters["stress"]): string | undefined {
  if (minBps > maxBps) return `stress.minBps must be at most stress.maxBps, ${maxBps}, was ${minBps}`;
  return minMs > maxMs ? `stress.minMs must be at most stress.maxMs, ${maxMs}, was ${minMs}` : undefined;
}

function set(tree: Tree, path: string, text: string): Result<undefined> {
  const names = path.split(".");
  const last = names.pop() as string;
  let branch = tree;
  for (const [depth, name] of names.entries()) {
    const next = Object.hasOwn(branch, name) ? branch[name] : undefined;
    if (!isTree(next)) return noParameter(path, branch, names.slice(0, depth));
    branch = next;
  }
  if (!Object.hasOwn(branch, last)) return noParameter(path, branch, names);
  if (isTree(branch[last])) return noParameter(path, branch[last], [...names, last]);
  const value = readValue(branch[last], text);
  if (value === undefined) return err(`${path} must be like ${String(branch[last])}, was ${quoted(text)}`);
  if (typeof value === "number" && (value < 0 || (value === 0 && POSITIVE.test(path))))
    return err(`${path} must ${POSITIVE.test(path) ? "be above zero" : "not be negative"}, was ${text}`);
  if (typeof value === "number" && last === "chancePerDay" && value > 1)
    return err(`${path} is a chance and must be at most 1, was ${text}`);
  branch[last] = value;
  return ok(undefined);
}

/** Lists the names that exist at the point where the path fails. */
function noParameter(path: string, branch: Tree, place: readonly string[]): Result<never> {
  const where = place.length === 0 ? "there are" : `${place.join(".")} has`;
  return err(`${quoted(path)} is no parameter; ${where} ${Object.keys(branch).join(", ")}`);
}

function readValue(present: unknown, text: string): number | boolean | undefined {
  if (typeof present === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (typeof present !== "number" || !/^-?[0-9]+(?:\.[0-9]+)?$/.test(text)) return undefined;
  return Number(text);
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}

export type Synthesis = {
  readonly seed: number;
  readonly parameters: MarketParameters;
  readonly from: Millis;
  readonly to: Millis;
  /** Sampling interval; prices move on a grid of `parameters.gridMs`. */
  readonly intervalMs: number;
};

/** Quotes block by block, in the memory of one. Samples without a price (weekends) give no row. */
export function* syntheticBlocks(
  symbol: PairSymbol,
  { seed, parameters, from, to, intervalMs }: Synthesis,
): Generator<{ readonly columns: Columns; readonly count: number }> {
  const market = syntheticMarket(seed, parameters);
  const columns = COLUMNS.quotes.map(() => new Float64Array(BLOCK_ROWS));
  const [times, bids, asks, bidSizes, askSizes] = columns as QuoteArrays;
  const top = emptyTop();
  let count = 0;
  for (let at: number = from; at < to; at += intervalMs) {
    if (!market.read(symbol, millis(at), top)) continue;
    times[count] = at;
    bids[count] = top.bid;
    asks[count] = top.ask;
    bidSizes[count] = top.bidSize;
    askSizes[count] = top.askSize;
    if (++count < BLOCK_ROWS) continue;
    yield { columns, count };
    count = 0;
  }
  if (count > 0) yield { columns, count };
}
