// What is to be known of a run before its figures, in sentences: how it ended, when its books opened, prices that were doubted or
// missing, what was refused and never sent, and what a strategy does that no backtest can show.

import type { PairSymbol } from "../../src/domain/asset.ts";
import { printable } from "../../src/domain/sanitise.ts";
import { openedAt } from "../metric/worth.ts";
import { type Holes, type RunRecord, UNFILLED_ENDS } from "../record/run-record.ts";
import { counted, duration, minute, number, second } from "./format.ts";

/** Undefined where it did, or the record does not say. */
export function endedText({ ended, settings }: Pick<RunRecord, "ended" | "settings">): string | undefined {
  if (ended === undefined || ended.state === "ACTIVE") return undefined;
  const { state, since, reason } = ended;
  const { from, to } = settings;
  const what = state === "REDUCED" ? "the bot only reduced exposure at the end" : "the bot did not trade to the end";
  const when = `after ${duration(Math.max(0, since - from))} of ${duration(to - from)}`;
  return `${what}: ${state} since ${second(since)} UTC, ${when} (figures count the whole time): ${reason}`;
}

/** Undefined where they opened with it, or never did: the figures say that themselves. */
function openedText(record: Pick<RunRecord, "samples" | "settings">): string | undefined {
  const { from, to } = record.settings;
  const at = openedAt(record);
  if (at === undefined || at <= from) return undefined;
  return `the books open at ${minute(at)} UTC, ${duration(at - from)} after the run begins: before that something held had no price. Profit, return and every figure a day or a year are of the ${duration(to - at)} from there`;
}

export function holeText({ symbol, limitMs, count, totalMs, longest, refused, turnedAway }: Holes): string {
  const times = count === 1 ? "once" : `${number(count, 0)} times`;
  const where = `${minute(longest.from)} to ${minute(longest.to)}`;
  const longestText = count === 1 ? where : `the longest ${where}`;
  const wanted = `${counted(refused, "proposal")} refused meanwhile, ${number(turnedAway, 0)} of its orders not filled`;
  return `${symbol} was closed ${times}, for ${duration(totalMs)} (${longestText}), where rows are more than ${duration(limitMs)} apart; ${wanted}`;
}

/** A sentence of the gate, or what a strategy put in place of a proposal. */
const MESSAGE_MAX = 400;
/** So much of all proposals is nearly all. */
const MOST = 0.9;
/** So much of all orders is more than the usual few whose slot came too late. */
const MANY = 0.1;

/** What a rule refused, and of pairs without data how often each was proposed. */
export function refusedText(record: RunRecord, code: string): string {
  const missing = code === "RC19" ? withoutData(record) : [];
  if (missing.length > 0) {
    const each = missing.map(([pair, count]) => `${pair} (${number(count, 0)})`).join(", ");
    return `not recorded, which is no finding about the strategy: ${each}; --synthetic-too trades such pairs`;
  }
  const { firstRefusals = {} } = record;
  const first = Object.hasOwn(firstRefusals, code) ? firstRefusals[code] : undefined;
  return first === undefined ? "a rule of docs/RISK.md" : firstText(first);
}

function firstText({ at, message }: { readonly at: number; readonly message: string }): string {
  return `first at ${minute(at)}: ${printable(message, MESSAGE_MAX)}`;
}

/** Of each rule that made orders smaller, how many and the first of them; most first. */
export function cappedRows({ caps = {} }: RunRecord): readonly CappedRow[] {
  return Object.entries(caps)
    .map(([rule, first]) => ({ rule, orders: first.orders, text: firstText(first) }))
    .sort((one, other) => other.orders - one.orders);
}

type CappedRow = { readonly rule: string; readonly orders: number; readonly text: string };

/** Undefined where a fair part of the proposals became orders. Those for pairs without data do not count. */
export function mostlyRefusedText(record: RunRecord): string | undefined {
  const missing = withoutData(record).reduce((sum, [, count]) => sum + count, 0);
  const rules = Object.entries(record.refusals)
    .map(([rule, count]) => ({ rule, count: rule === "RC19" ? count - missing : count }))
    .sort((one, other) => other.count - one.count);
  const [most] = rules;
  const refused = rules.reduce((sum, { count }) => sum + count, 0);
  const all = refused + record.fills.length + record.unfilled.length;
  if (most === undefined || refused === 0 || refused < MOST * all) return undefined;
  const part =
    refused === all ? `all of ${counted(all, "proposal")}` : `${number(refused, 0)} of ${number(all, 0)} proposals`;
  const others = rules.length === 1 ? "" : `, ${number(most.count, 0)} of them`;
  return `refused: ${part}${others} by ${printable(most.rule)}, ${refusedText(record, most.rule)}`;
}

/** Orders that did not leave, and why the first did not; undefined where all did. */
export function unsentOf({ unfilled }: Pick<RunRecord, "unfilled">): Unsent | undefined {
  const unsent = UNFILLED_ENDS.indexOf("not-sent");
  const first = unfilled.end.indexOf(unsent);
  if (first < 0) return undefined;
  const orders = unfilled.end.reduce((sum, end) => sum + (end === unsent ? 1 : 0), 0);
  return { orders, first: { at: unfilled.time[first] as number, cause: unfilled.cause[first] as string } };
}

type Unsent = { readonly orders: number; readonly first: { readonly at: number; readonly cause: string } };

/** Undefined where nearly every order left. */
function mostlyUnsentText(record: Pick<RunRecord, "fills" | "unfilled">): string | undefined {
  const all = record.fills.length + record.unfilled.length;
  const unsent = unsentOf(record);
  if (unsent === undefined || unsent.orders < MANY * all) return undefined;
  const { orders, first } = unsent;
  const part = orders === all ? `all of ${counted(all, "order")}` : `${number(orders, 0)} of ${number(all, 0)} orders`;
  const why = firstText({ at: first.at, message: first.cause });
  return `not sent: ${part} that the strategy decided on and the gate approved; ${why}`;
}

function withoutData({ settings, refusedPairs = {} }: RunRecord): readonly [string, number][] {
  return Object.entries(refusedPairs).filter(([pair]) => settings.pairsWithoutData?.includes(pair as PairSymbol));
}

/** The strategy's own last word: of one that did nothing often all that there is to read. */
function saidText({ settings, said }: RunRecord): string | undefined {
  return said && `${printable(settings.strategy)} says since ${minute(said.at)}: ${said.text}`;
}

function worthProblemText({ worthProblem }: RunRecord): string | undefined {
  if (worthProblem === undefined) return undefined;
  return `worth: ${firstText(worthProblem)}; where its word cannot be taken, quotes are served as their class is`;
}

/** In the head of table and page, in this order. */
export function runNotes(record: RunRecord): readonly string[] {
  return [
    openedText(record),
    mostlyRefusedText(record),
    mostlyUnsentText(record),
    worthProblemText(record),
    timerText(record),
    outsideText(record),
    saidText(record),
  ].filter((text) => text !== undefined);
}

function timerText({ timer }: RunRecord): string | undefined {
  if (timer === undefined) return undefined;
  return `the strategy uses ${printable(timer)}: a strategy has no timer of its own, nothing of it comes in a backtest, and live whatever it throws ends the bot`;
}

/** Both, of a run that stands for many. */
export function ownWaysTexts(record: RunRecord): readonly string[] {
  return [timerText(record), outsideText(record)].filter((text) => text !== undefined);
}

/** What no view shows is not the same in the next run, nor what was decided by it. */
function outsideText({ outside }: RunRecord): string | undefined {
  if (outside === undefined) return undefined;
  return `the strategy uses ${printable(outside)}: a strategy has no clock and no chance of its own, so the same run may come to something else, and these figures are of one of them (pegbot backtest check says whether it does)`;
}
