// Notes on a run, to read before its figures: how it ended, when its books opened, doubtful or missing prices, refused
// and unsent orders, and strategy behaviour that a backtest cannot reproduce.

import { type Asset, assetsOf, type PairSymbol } from "../../src/domain/asset.ts";
import { askedText, reliabilityText } from "../../src/domain/reliability.ts";
import { printable } from "../../src/domain/sanitise.ts";
import { DAY_MS } from "../../src/domain/time.ts";
import type { Figures } from "../metric/figures.ts";
import { openedAt } from "../metric/worth.ts";
import { type Holes, type RunRecord, UNFILLED_ENDS } from "../record/run-record.ts";
import { counted, duration, minute, number, percent, second } from "./format.ts";

/** Undefined where it ended ACTIVE, or the record does not state it. */
export function endedText({ ended, settings }: Pick<RunRecord, "ended" | "settings">): string | undefined {
  if (ended === undefined || ended.state === "ACTIVE") return undefined;
  const { state, since, reason } = ended;
  const { from, to } = settings;
  const what = state === "REDUCED" ? "the bot only reduced exposure at the end" : "the bot did not trade to the end";
  const when = `after ${duration(Math.max(0, since - from))} of ${duration(to - from)}`;
  return `${what}: ${state} since ${second(since)} UTC, ${when} (figures count the whole time): ${reason}`;
}

/** Undefined where the books opened at the start of the run, or never did: the figures state that. */
function openedText(record: Pick<RunRecord, "samples" | "settings">): string | undefined {
  const { from, to } = record.settings;
  const at = openedAt(record);
  if (at === undefined || at <= from) return undefined;
  return `the books open at ${minute(at)} UTC, ${duration(at - from)} after the run begins: before that something held had no price. Profit, return and every figure a day or a year are of the ${duration(to - at)} from there`;
}

/** A Sharpe ratio above this is rarer than a mistake in prices or assumptions. */
export const SHARPE_MAX = 3;

/** Figures too good to be taken at their word. */
export function figureCautions({ sharpe, sharpeOverHolding }: Pick<Figures, "sharpe" | "sharpeOverHolding">): string[] {
  const high = Object.entries({ Sharpe: sharpe, "Sharpe over holding": sharpeOverHolding }).flatMap(([name, figure]) =>
    figure.kind === "known" && figure.value > SHARPE_MAX ? [`${name} is ${number(figure.value, 2)}`] : [],
  );
  if (high.length === 0) return [];
  return [
    `${high.join(", ")}: above ${SHARPE_MAX} it tells of the prices and assumptions before it tells of the strategy. See what is left by episode, with the edge removed (--no-edge), with other scenarios (--market) and latencies`,
  ];
}

export function holeText({ symbol, limitMs, count, totalMs, longest, refused, turnedAway }: Holes): string {
  const times = count === 1 ? "once" : `${number(count, 0)} times`;
  const where = `${minute(longest.from)} to ${minute(longest.to)}`;
  const longestText = count === 1 ? where : `the longest ${where}`;
  const wanted = `${counted(refused, "proposal")} refused meanwhile, ${number(turnedAway, 0)} of its orders not filled`;
  return `${symbol} was closed ${times}, for ${duration(totalMs)} (${longestText}), where rows are more than ${duration(limitMs)} apart; ${wanted}`;
}

/** For a message of the gate, or a value that a strategy returned instead of a proposal. */
const MESSAGE_MAX = 400;
/** From this fraction on, nearly all proposals were refused. */
const MOST = 0.9;
/** This fraction is more than the usual few orders whose slot came too late. */
const MANY = 0.1;

/** The refusals of a rule; for pairs without data, how often each was proposed. */
export function refusedText(record: RunRecord, code: string): string {
  const missing = code === "RC19" ? withoutData(record) : [];
  if (missing.length > 0) {
    const each = missing.map(([pair, count]) => `${pair} (${number(count, 0)})`).join(", ");
    return `not recorded, which is no finding about the strategy: ${each}; --synthetic-too trades such pairs`;
  }
  const { firstRefusals = {} } = record;
  const first = Object.hasOwn(firstRefusals, code) ? firstRefusals[code] : undefined;
  return first === undefined ? "a rule of docs/guides/limits.md" : firstText(first);
}

function firstText({ at, message }: { readonly at: number; readonly message: string }): string {
  return `first at ${minute(at)}: ${printable(message, MESSAGE_MAX)}`;
}

/** For each rule that cut orders down, how many and the first of them; largest count first. */
export function cappedRows({ caps = {} }: RunRecord) {
  return Object.entries(caps)
    .map(([rule, first]) => ({ rule, orders: first.orders, text: firstText(first) }))
    .sort((one, other) => other.orders - one.orders);
}

/** Undefined where a fair share of the proposals became orders. Proposals for pairs without data do not count. */
function mostlyRefusedText(record: RunRecord): string | undefined {
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

/** The number of unsent orders, and why the first was not sent; undefined where all were sent. */
export function unsentOf({ unfilled }: Pick<RunRecord, "unfilled">) {
  const unsent = UNFILLED_ENDS.indexOf("not-sent");
  const first = unfilled.end.indexOf(unsent);
  if (first < 0) return undefined;
  const orders = unfilled.end.reduce((sum, end) => sum + (end === unsent ? 1 : 0), 0);
  return { orders, first: { at: unfilled.time[first] as number, cause: unfilled.cause[first] as string } };
}

/** Undefined where nearly every order was sent. */
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

/** The strategy's last message; for one that did nothing it is often the only information. */
function saidText({ settings, said }: RunRecord): string | undefined {
  return said && `${printable(settings.strategy)} says since ${minute(said.at)}: ${said.text}`;
}

function hiddenText({ symbol, bid, ask, ageMs }: NonNullable<RunRecord["hidden"]>[number]): string {
  return `hidden prices of ${symbol} at the end: ${askedText({ bid, ask })}; last outcome ${duration(ageMs)} before`;
}

/** Notes in the head of table and page, in this order. */
export function runNotes(record: RunRecord): readonly string[] {
  return [
    openedText(record),
    mostlyRefusedText(record),
    mostlyUnsentText(record),
    ...unrealTexts(record),
    timerText(record),
    outsideText(record),
    saidText(record),
    ...(record.hidden ?? []).map(hiddenText),
    record.reliability && reliabilityText(record.reliability, record.settings.currency),
  ].filter((text) => text !== undefined);
}

/** Coins that exist, about; of others it is not known. */
const SUPPLY: readonly (readonly [Asset, number])[] = [["VCHF" as Asset, 6_700_000]];
const ORDER_SHARE_MAX = 0.01;
const DAY_SHARE_MAX = 0.1;

/** Sizes and turnover that the coins which exist cannot bear. */
function unrealTexts({ fills }: Pick<RunRecord, "fills">): readonly string[] {
  return SUPPLY.flatMap(([coin, supply]) => {
    const days = new Map<number, number>();
    let largest = 0;
    for (const [i, symbol] of fills.symbol.entries()) {
      const { base, quote } = assetsOf(symbol);
      if (base !== coin && quote !== coin) continue;
      const size = Number(((base === coin) === (fills.side[i] === 0) ? fills.bought : fills.sold)[i]);
      const day = Math.floor((fills.time[i] as number) / DAY_MS);
      largest = Math.max(largest, size);
      days.set(day, (days.get(day) ?? 0) + size);
    }
    const busiest = Math.max(0, ...days.values());
    if (largest <= ORDER_SHARE_MAX * supply && busiest <= DAY_SHARE_MAX * supply) return [];
    const of = (size: number): string => `${number(size, 0)} (${percent(size / supply, 1)})`;
    return [
      `${coin}: the largest order is ${of(largest)} and the busiest day ${of(busiest)} of the about ${number(supply, 0)} that exist: orders above ${percent(ORDER_SHARE_MAX, 0)} or days above ${percent(DAY_SHARE_MAX, 0)} of that are not there to be traded`,
    ];
  });
}

function timerText({ timer }: RunRecord): string | undefined {
  if (timer === undefined) return undefined;
  return `the strategy uses ${printable(timer)}: a strategy has no timer of its own, nothing of it comes in a backtest, and live whatever it throws ends the bot`;
}

/** Both notes, for a run that stands for many. */
export function ownWaysTexts(record: RunRecord): readonly string[] {
  return [timerText(record), outsideText(record)].filter((text) => text !== undefined);
}

/** Values from outside the view differ in the next run, and so may decisions based on them. */
function outsideText({ outside }: RunRecord): string | undefined {
  if (outside === undefined) return undefined;
  return `the strategy uses ${printable(outside)}: a strategy has no clock and no chance of its own, so the same run may come to something else, and these figures are of one of them (pegbot backtest check says whether it does)`;
}
