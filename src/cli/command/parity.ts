// `parity`: one seed as a backtest and as lockstep paper over HTTP, compared by trace hash.

import type { Command } from "commander";
import { sourceTrack } from "../../../backtest/data/source-track.ts";
import type { BacktestOptions } from "../../../backtest/options.ts";
import { runBacktest } from "../../../backtest/run-backtest.ts";
import { botConfig } from "../../app/config/bot-config.ts";
import { openDataFiles } from "../../app/data/data-file.ts";
import { JOURNAL_FILE, readable, withReader } from "../../app/journal/open-reader.ts";
import { firstDifference, paperTrace, type Traced } from "../../app/parity/parity.ts";
import { openLocalBook } from "../../app/shadow/local-book.ts";
import {
  CAUSES,
  type LiveOrder,
  LiveOrders,
  type PairParity,
  replayedPair,
  shadowParity,
} from "../../app/shadow/parity.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import { callMsMax } from "../../app/system/time-scale.ts";
import { openProgress } from "../../app/terminal/progress.ts";
import { createTrace } from "../../bot/trace/trace.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { millis } from "../../domain/time.ts";
import { isoText } from "../../domain/time-text.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import type { JournalReader } from "../../journal/journal-reader.ts";
import { watchCalls } from "../../strategy/watchdog.ts";
import { columns } from "../columns.ts";
import { declarePlan, FIRST_DAY, type PlanFlags, planOf } from "../research/plan.ts";

/** The flags of a backtest that apply on paper too. */
const SHARED = new Set([
  ...["strategy", "param", "from", "to", "days", "seed", "funds", "limit", "market", "edge", "weekends"],
  ...["latency", "quotesEvery", "publication"],
]);
const LENGTH_MS = 600_000;

export function defineParity(command: Command, run: Run): void {
  const foreign = declarePlan(command).options.filter((option) => !SHARED.has(option.attributeName()));
  for (const option of foreign) option.hideHelp();
  command
    .option("--shadow", "instead: the journal's orders through the local book, compared with the fills of the venue")
    .option("--recorded <path>", "of --shadow: the venue's quotes that data record wrote meanwhile, a file or a folder")
    .option("--journal <file>", JOURNAL_FILE);
  command.action((flags: PlanFlags & ShadowFlags) => {
    const given = foreign.find((option) => command.getOptionValueSource(option.attributeName()) === "cli");
    if (given !== undefined) command.error(`error: ${given.long} is not for parity: paper has no counterpart`);
    if (flags.shadow === true) return run((shell) => shadowed(shell, flags));
    return run((shell) => parity(shell, flags));
  });
}

type ShadowFlags = { readonly shadow?: boolean; readonly recorded?: string; readonly journal?: string };

async function shadowed(shell: Shell, { recorded, journal }: ShadowFlags): Promise<ExitCode> {
  if (recorded === undefined) throw usageFailure("--shadow needs --recorded: the quotes of the same days", RECORD);
  const config = botConfig(shell);
  const tracks = openDataFiles(shell, recorded).flatMap(({ source }) =>
    source.kind === "quotes" ? [sourceTrack(source)] : [],
  );
  const orders = withReader(shell, liveOrders, journal);
  if (orders.length === 0) throw plainFailure("the journal has no order with a known end: there is nothing to compare");
  const profile = resolveProfile(config.venue.profile);
  const pairs = tracks.flatMap((track) => {
    const { symbol } = track;
    const own = orders.filter(({ order }) => order.symbol === symbol).toSorted((a, b) => a.sentAt - b.sentAt);
    const [first] = own;
    if (first === undefined) return [];
    const funds = Object.fromEntries(symbol.split("/").map((asset) => [asset, FUNDS]));
    // What live took is missing from the recorded sizes already.
    const terms = { ...config.shadow, funds, refillMs: 1 };
    // The book's time begins with the first order.
    const clock = { ...shell.clock, now: () => first.sentAt };
    const book = openLocalBook({ clock, timers: systemTimers, profile, terms });
    book.list([replayedPair(symbol)]);
    book.open([], first.sentAt);
    return [shadowParity(own, track, book)];
  });
  if (shell.terminal.wantsJson) shell.terminal.json({ orders: orders.length, pairs });
  else showShadow(shell, pairs);
  return exitCode.done;
}

const RECORD = "pegbot data record --out FOLDER next to the bot writes them";
const FUNDS = "100000000000";

function liveOrders(reader: JournalReader): readonly LiveOrder[] {
  if (reader.opening.environment === "shadow")
    throw usageFailure("this journal is a shadow's: there is nothing real to compare", "name a live one by --journal");
  const orders = new LiveOrders();
  for (const read of reader.after(0)) orders.take(readable(read).entry);
  return orders.found;
}

const TITLES = ["pair", ">orders", ">no quote", ">live filled", ">shadow filled", ">price bp", ">apart bp"];

function showShadow({ terminal }: Shell, pairs: readonly PairParity[]): void {
  const share = (value: number): string => `${(value * 100).toFixed(1)} %`;
  const bps = (value: number): string => value.toFixed(2);
  terminal.table(
    columns(...TITLES, ...CAUSES.map((cause) => `>${cause}`)),
    pairs.map(({ symbol, orders, unseen, live, shadow, priceBps, differenceBps, causes }) => [
      ...[symbol, String(orders), String(unseen), share(live.filled), share(shadow.filled), bps(priceBps)],
      ...[bps(differenceBps), ...CAUSES.map((cause) => bps(causes[cause]))],
    ]),
  );
  terminal.print(
    "Per order, of the edge over the middle when it was sent; above 0 is better for live. The causes add up to `apart`.",
  );
}

async function parity(shell: Shell, flags: PlanFlags): Promise<ExitCode> {
  const { terminal, clock } = shell;
  const isLong = flags.to !== undefined || flags.days !== undefined;
  const from = flags.from ?? FIRST_DAY;
  const planned = { ...flags, ...(isLong ? {} : { from, to: millis(from + LENGTH_MS) }) };
  // Each run has a strategy of its own. Treasury targets need a bank, which only a backtest plays.
  const plan = async (): Promise<BacktestOptions> => {
    const { rebalancer, whitelist, ...options } = await planOf(shell, planned, []);
    return options;
  };
  const options = await plan();
  const unwatch = watchCalls({ callMsMax: callMsMax() });
  const backtest = backtestTrace(options);
  const rateText = (perSecond: number): string => `${(perSecond / 1_000).toPrecision(2)} times real time`;
  const progress = openProgress(terminal, clock, { what: "paper", total: options.to - options.from, rateText });
  const paper = await paperTrace(await plan(), (at) => progress.at(at - options.from));
  unwatch();
  progress.end();
  const report = { ...differing(backtest, paper), backtest: summaryOf(backtest), paper: summaryOf(paper) };
  if (terminal.wantsJson) terminal.json(report);
  else show(shell, options, report);
  return report.isEqual ? exitCode.done : exitCode.failed;
}

function backtestTrace(options: BacktestOptions): Traced {
  const trace = createTrace({ keep: true });
  const result = runBacktest({ ...options, watch: { step: (step) => trace.take(step) } });
  if (!result.ok) throw plainFailure(`the bot did not start: ${result.error}`);
  return { lines: trace.lines, traceHash: trace.digest(result.value.tradingCore.books.accounts) };
}

function summaryOf({ traceHash, lines }: Traced) {
  const fills = lines.filter((line) => line.includes(" confirmed #")).length;
  return { traceHash, steps: lines.length, fills };
}

const END = "no further step";

/** With equal steps only the final balances can differ. */
function differing(backtest: Traced, paper: Traced) {
  const isEqual = backtest.traceHash === paper.traceHash;
  const index = firstDifference(backtest.lines, paper.lines);
  if (index === undefined) return { isEqual };
  const lineOf = ({ lines }: Traced): string =>
    lines[index]?.replace(/^\d+/, (at) => isoText(millis(Number(at)))) ?? END;
  return { isEqual, first: { step: index + 1, backtest: lineOf(backtest), paper: lineOf(paper) } };
}

type Report = ReturnType<typeof differing> & { readonly [K in "backtest" | "paper"]: ReturnType<typeof summaryOf> };

function show({ terminal }: Shell, { strategy, seed, from, to }: BacktestOptions, report: Report): void {
  const { isEqual, first, backtest, paper } = report;
  terminal.print(`${strategy.name}, seed ${seed}, ${isoText(from)} to ${isoText(to)}`);
  for (const [name, { traceHash, steps, fills }] of Object.entries({ backtest, paper }))
    terminal.print(`${name.padEnd(8)}  ${traceHash}  ${steps} steps, ${fills} fills`);
  if (isEqual)
    terminal.print(
      `equal${backtest.steps === 0 ? ", and nothing was decided: a longer run, another seed or strategy shows more" : ""}`,
    );
  else if (first === undefined) terminal.print("the steps are equal, the final balances differ");
  else {
    terminal.print(`different from step ${first.step} on:`);
    terminal.print(`  backtest  ${first.backtest}`);
    terminal.print(`  paper     ${first.paper}`);
  }
}
