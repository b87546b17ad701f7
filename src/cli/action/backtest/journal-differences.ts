// What sets the bot of a journal apart from the backtest beside it, in words: both are of one time and one market, so whatever
// else was different would be taken for the strategy's doing. Limits are in no journal, and nothing is said of them.

import type { Figures } from "../../../../backtest/metric/figures.ts";
import type { Holding, RunRecord, RunSettings } from "../../../../backtest/record/run-record.ts";
import { counted, duration, number, second } from "../../../../backtest/report/format.ts";
import { changesOf } from "../../../bot/seat/strategy-state.ts";
import type { RiskState } from "../../../domain/step.ts";
import type { Millis } from "../../../domain/time.ts";
import { saveState } from "../../../strategy/state.ts";
import type { Span } from "./plan.ts";

/** A strategy that a journal names, with its parameters as they are saved where it has them, and since when. */
export type Ran = { readonly at: Millis; readonly name: string; readonly params: unknown };

/** The state of the bot from then on. */
export type Stood = { readonly at: Millis; readonly state: RiskState; readonly reason: string };

/** From the last record of a bot to its next start. */
export type Pause = Span;

/** What a journal says of the life of its bot, apart from its steps. */
export type Life = {
  readonly ran: readonly Ran[];
  readonly stood: readonly Stood[];
  readonly pauses: readonly Pause[];
};

export type Side = { readonly record: Pick<RunRecord, "books" | "fills" | "settings">; readonly figures: Figures };

/** Less of an account is no other account. */
const FUNDS_APART = 0.01;
const FEE_APART_BPS = 0.05;
const TOLD_MAX = 3;

/** `name` is the journal's, `own` what it says of the time that is compared. */
export function differences(name: string, own: Life, journal: Side, backtest: Side): readonly string[] {
  const texts = [
    ...strategyTexts(name, own.ran, journal.record, backtest.record.settings),
    stopText(name, own.stood, journal.record.settings),
    pauseText(name, own.pauses, journal.record.settings),
    fundsText(name, journal.record.books.opening, backtest.record.books.opening),
    feeText(name, journal.figures, backtest.figures),
  ];
  return texts.filter((text) => text !== undefined);
}

/** Two that are not the same strategy differ in more than the market and the venue. */
function strategyTexts(
  name: string,
  ran: readonly Ran[],
  { fills, settings: { from, to } }: Side["record"],
  backtest: RunSettings,
): readonly string[] {
  return ran.flatMap((one, place) => {
    const span = { from: place === 0 ? from : one.at, to: ran[place + 1]?.at ?? to };
    const count = fills.time.filter((at) => at >= span.from && at < span.to).length;
    const when = `from ${second(span.from)} to ${second(span.to)}, with ${number(count, 0)} of its ${counted(fills.length, "fill")}`;
    return differenceText(name, one, backtest, ran.length === 1 ? "" : ` (${when})`) ?? [];
  });
}

function differenceText(
  journal: string,
  { name, params }: Ran,
  { strategy, params: own }: Pick<RunSettings, "strategy" | "params">,
  when: string,
): string | undefined {
  if (name !== strategy)
    return `${journal} is of the strategy ${name}${when}, the backtest of ${strategy}: what is set side by side are two strategies`;
  const saved = saveState(own);
  const changes = params === undefined || !saved.ok ? [] : changesOf(params, saved.value);
  if (changes.length === 0) return undefined;
  return `${journal} is of other parameters than the backtest${when}: ${changes.join("; ")}`;
}

function stopText(name: string, stood: readonly Stood[], { from, to }: Span): string | undefined {
  const stops = stood
    .map((one, place) => ({
      ...one,
      begin: Math.max(from, one.at),
      end: Math.min(to, stood[place + 1]?.at ?? to),
    }))
    .filter(({ state, begin, end }) => state !== "ACTIVE" && begin < end);
  if (stops.length === 0) return undefined;
  const texts = stops.slice(0, TOLD_MAX).map(({ state, reason, begin, end }) => {
    const until = end < to ? `until ${second(end)}` : "to the end";
    return `${state} from ${second(begin)} ${until} (${reason})`;
  });
  const more = stops.length > TOLD_MAX ? [`and ${stops.length - TOLD_MAX} more`] : [];
  const ms = stops.reduce((sum, { begin, end }) => sum + end - begin, 0);
  return `the bot of ${name} was stopped for ${duration(ms)} of this time: ${[...texts, ...more].join("; ")}`;
}

/** When it ended no record says: at the last one it was there. */
function pauseText(name: string, pauses: readonly Pause[], { from, to }: Span): string | undefined {
  const within = pauses.filter((pause) => pause.to > from && pause.from < to);
  const [first] = within;
  if (first === undefined) return undefined;
  const ms = within.reduce((sum, pause) => sum + Math.min(to, pause.to) - Math.max(from, pause.from), 0);
  const times = within.length === 1 ? "once" : `${within.length} times`;
  return `the bot of ${name} was started again ${times} in this time, first at ${second(first.to)}, and was down for ${duration(ms)} at most`;
}

function fundsText(name: string, journal: Books, backtest: Books): string | undefined {
  if (journal === undefined || backtest === undefined) return undefined;
  const [was, is] = [amountsOf(journal), amountsOf(backtest)];
  const texts = [...new Set([...was.keys(), ...is.keys()])].flatMap((asset) => {
    const [one, other] = [was.get(asset) ?? 0, is.get(asset) ?? 0];
    const isApart = Math.abs(one - other) > FUNDS_APART * Math.max(one, other);
    return isApart ? [`${number(one, 2)} and ${number(other, 2)} ${asset}`] : [];
  });
  if (texts.length === 0) return undefined;
  return `${name} and the backtest begin with different funds: ${texts.join(", ")}; --funds sets those of the backtest`;
}

type Books = readonly Holding[] | undefined;

function amountsOf(holdings: readonly Holding[]): ReadonlyMap<string, number> {
  return new Map(holdings.map(({ asset, amount }) => [asset, Number(amount)]));
}

/** As far as there are fills: what a fee would have been nobody says. */
function feeText(name: string, journal: Figures, backtest: Figures): string | undefined {
  const [was, is] = [feeBps(journal), feeBps(backtest)];
  if (was === undefined || is === undefined || Math.abs(was - is) <= FEE_APART_BPS) return undefined;
  return `fills of ${name} cost ${number(was, 2)} bp in fees, those of the backtest ${number(is, 2)} bp; --fee-bps sets those of the backtest`;
}

function feeBps({ fees, turnover }: Figures): number | undefined {
  if (fees.kind === "n/a" || turnover.kind === "n/a") return undefined;
  const traded = turnover.value.total.toNumber();
  return traded > 0 ? (fees.value.trade.toNumber() / traded) * 10_000 : undefined;
}
