// `adopt`: a person accepts the balances and history that the venue has and the journal does not.

import { type Command, Option } from "commander";
import { isSameFile } from "../../app/journal/journal-binding.ts";
import { peekJournal } from "../../app/journal/peek-journal.ts";
import { controlsFrom, openKillFile } from "../../app/kill-switch/kill-file.ts";
import { standingIn } from "../../app/kill-switch/stop-journal.ts";
import { type HeardReferences, hearReferences, seePrices } from "../../app/money-command/market.ts";
import { type MoneyCommand, standingOf, withMoneyCommand } from "../../app/money-command/money-command.ts";
import { seeAccount } from "../../app/money-command/with-open-books.ts";
import { problemOf, type Run, type Shell } from "../../app/shell.ts";
import { requireConfirmation } from "../../app/terminal/confirmation.ts";
import { type Prompts, terminalPrompts } from "../../app/terminal/prompts.ts";
import { IDLE } from "../../bot/strategy-host/strategy-state.ts";
import type { Turn } from "../../bot/trading-core/turn.ts";
import type { Config } from "../../config/schema.ts";
import { CommandFailure, orFail } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { utcText } from "../../domain/time-text.ts";
import type { JournalBinding } from "../../exchange/budget/ledger-store.ts";
import {
  type Adopting,
  type AdoptionPlan,
  type Comparison,
  compareWithVenue,
  type Difference,
  differenceOf,
  planAdoption,
  type Shown,
} from "../../execution/adjustment.ts";
import { type HistoryRow, isContested } from "../../execution/history.ts";
import { WAS_IT_YOU } from "../../execution/remediation.ts";
import type { Entry } from "../../journal/record.ts";
import { personHere } from "../../operation/person.ts";
import { FRESH, joined, stopsOf, type TradingState } from "../../risk/trading-state.ts";
import { columns } from "../columns.ts";

export function defineAdopt(command: Command, run: Run): void {
  command
    .option("--reason <text>", "what the difference is, for the journal")
    .option(
      "--beside <id...>",
      "the difference is other money than that of this order, mint or payment, which is open or young",
    )
    .addOption(
      new Option("--shown <how much>", "how much of what is open the balances show already").choices(["none", "all"]),
    )
    .option("--gone <asset...>", "the venue no longer lists this asset, and confirms that nothing of it is left")
    .option("--yes", "confirm without a terminal")
    .action((options: AdoptOptions) => run((shell) => adopt(shell, options)));
}

export type AdoptOptions = {
  readonly reason?: string;
  /** Mints and payments in transit that the difference does not belong to. */
  readonly beside?: readonly string[];
  readonly shown?: Shown;
  /** Assets that the venue no longer lists, and of which it reports no remainder. */
  readonly gone?: readonly string[];
  readonly yes?: boolean;
};

const ROWS_SHOWN = 20;

export async function adopt(
  shell: Shell,
  options: AdoptOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  return withMoneyCommand(shell, { strategy: IDLE, books: "any" }, async (tool) => {
    const references = hearReferences(tool);
    try {
      return await adoptWith(tool, { shell, prompts, references }, options);
    } finally {
      references.close();
    }
  });
}

type Around = { readonly shell: Shell; readonly prompts: Prompts; readonly references: HeardReferences };

export async function adoptWith(
  tool: MoneyCommand,
  { shell, prompts, references }: Around,
  options: AdoptOptions,
): Promise<ExitCode> {
  const comparison = await compared(tool, references);
  const plan = planAdoption(comparison, adoptingBy(personHere(), options), tool.now().at);
  const { terminal } = shell;
  const known = await tool.replaces();
  const replaced = known && lookAtReplaced(tool.config, known);
  // Also with --json, on stderr: the person must see it before the prompt.
  show(shell, tool, comparison);
  for (const line of replaced === undefined ? [] : replacedLines(replaced)) terminal.print(line);
  const accepting = { plan, yes: options.yes, replaced };
  const accepted = () => takeOver(tool, { shell, prompts, references }, comparison, accepting);
  if (!terminal.wantsJson) return accepted();
  // One value with the comparison, and the reason if it was not adopted.
  const shown = {
    ...plainComparison(tool, comparison),
    replaces: replaced && { ...replaced, standing: undefined, state: replaced.standing.state },
  };
  try {
    const code = await accepted();
    terminal.json(shown);
    return code;
  } catch (error) {
    if (error instanceof CommandFailure) terminal.json({ ...shown, ...problemOf(error) });
    throw error;
  }
}

/** The record names the requests that the money does not belong to, together with the reason. */
export function adoptingBy(by: string, { reason, beside = [], shown, gone = [] }: AdoptOptions): Adopting {
  const given = printable(reason?.trim() || `accepted by ${by}`);
  // Appended after the reason is cut to length, so that the ids are never cut off.
  const other = beside.length === 0 ? "" : ` (other money than that of ${printable(beside.join(", "))})`;
  return { reason: `${given}${other}`, by, beside, shown, gone };
}

type Accepting = {
  readonly plan: Result<AdoptionPlan>;
  readonly yes: boolean | undefined;
  readonly replaced: ReplacedJournal | undefined;
};

export async function takeOver(
  tool: MoneyCommand,
  { shell, prompts, references }: Around,
  comparison: Comparison,
  { plan, yes, replaced }: Accepting,
): Promise<ExitCode> {
  if (!plan.ok) throw new CommandFailure(exitCode.refused, `not taken over: ${plan.error}`);
  const say = shell.terminal.print;
  const isNews = !tool.tradingCore.executor.isOpened || hasNews(plan.value, comparison);
  if (tool.tradingCore.executor.isOpened && hasStrangers(comparison)) say(WAS_IT_YOU);
  if (!isNews) say("venue and journal agree: there is nothing to take over");
  // With open items the adopted amount may differ from the shown difference.
  const amounts = plan.value.record.amounts.map((amount) => `${amount} ${amount.asset}`);
  if (amounts.length > 0) say(`adopts   ${amounts.join(", ")}`);
  if (isNews || replaced !== undefined) await requireConfirmation(shell, prompts, { word: "adopt", yes });
  if (replaced !== undefined) await carryStop(tool, replaced);
  const isAnew = isNews && (await taken(tool, { shell, references }, plan.value));
  await tool.bind();
  if (replaced !== undefined) say(`the key's journal is ${tool.config.journal.path} now`);
  if (!isNews && replaced === undefined) return exitCode.done;
  const next = nextOf({ isStopped: standingOf(tool).state !== "ACTIVE", isAnew });
  if (next !== undefined) say(next);
  return exitCode.done;
}

/**
 * Runs before the key is bound to this journal: if the stop cannot be written, nothing changes. The old journal is read
 * again, because a stop may have come during the prompt.
 */
async function carryStop(tool: MoneyCommand, replaced: ReplacedJournal): Promise<void> {
  const { tradingState: standing } = tool.tradingCore.engine.books.counters;
  for (const control of controlsFrom(
    joined(replaced.standing, lookAtReplaced(tool.config, replaced).standing),
    standing,
  ))
    await tool.take({ kind: "event", event: { kind: "control", control, receivedAt: tool.now().at } });
}

/** Returns whether a strategy must start fresh. */
async function taken(
  tool: MoneyCommand,
  { shell, references }: Omit<Around, "prompts">,
  { event: _, record, ...more }: AdoptionPlan,
): Promise<boolean> {
  const say = shell.terminal.print;
  const { currency } = tool.tradingCore.engine.books.pricing;
  // Valued at current prices, because the prompt may have taken long. An opening entry does not move the bases of
  // losses.
  const isPriced = tool.tradingCore.executor.isOpened && record.amounts.some(({ asset }) => asset !== currency);
  if (isPriced) await seePrices(tool, references, movedMeanwhile);
  const turn = await tool.take({ kind: "adoption", adoption: record, ...more }, movedMeanwhile);
  say("taken over: venue and journal agree now");
  if (isPriced) say(worthText(turn));
  for (const warning of turn.warnings) say(warning);
  return turn.warnings.length > 0;
}

function hasNews({ record }: AdoptionPlan, { rows }: Comparison): boolean {
  return record.amounts.length > 0 || rows.length > 0;
}

/** Whether any row is unattributed; a contested row of one of our orders does not count. */
export function hasStrangers({ rows }: { readonly rows: readonly Pick<HistoryRow, "key">[] }): boolean {
  return rows.some((row) => !isContested(row));
}

async function compared(tool: MoneyCommand, references: HeardReferences): Promise<Comparison> {
  const answers = await seeAccount(tool, () => seePrices(tool, references));
  const { accounts } = tool.tradingCore.engine.books;
  return orFail(compareWithVenue(tool.tradingCore.executor, answers, accounts, tool.now()));
}

const MOVES = new Set<string>(["intent", "sending", "outcome", "resolution", "adoption", "report", "movement"]);

/**
 * Why the difference that the person saw is out of date: bookings of a running bot in the meantime would be adopted as
 * well.
 */
export function movedMeanwhile(news: readonly Pick<Entry, "record">[]): string | undefined {
  const kinds = news.map(({ record }) => (record.kind === "step" ? record.step.event.kind : record.kind));
  const what = kinds.find((kind) => MOVES.has(kind));
  return what && `the account moved while it was looked at (${what}): pegbot halt first, then adopt again`;
}

function shownOf({ differences }: Comparison): readonly Difference[] {
  return differences.filter(({ venue, ledger }) => venue?.isZero() !== true || ledger?.isZero() === false);
}

function plainComparison({ config, tradingCore }: MoneyCommand, comparison: Comparison): object {
  return {
    journal: config.journal.path,
    opened: tradingCore.executor.isOpened,
    assets: shownOf(comparison).map(plainOf),
    unknown: comparison.rows.map(({ text }) => text),
  };
}

function show({ terminal }: Shell, { config, tradingCore }: MoneyCommand, comparison: Comparison): void {
  const { path } = config.journal;
  const shown = shownOf(comparison);
  terminal.print(
    `journal  ${path}${tradingCore.executor.isOpened ? "" : " (new: the venue's totals become its opening entry)"}`,
  );
  terminal.table(
    columns("asset", ">venue", ">journal", ">difference"),
    shown.map((one) => [one.asset, textOf(one.venue), textOf(one.ledger), textOf(differenceOf(one))]),
  );
  const ours = new Map(shown.flatMap(({ ours }) => ours.map(({ id, text }) => [id, text] as const)));
  for (const text of ours.values()) terminal.print(`of ours  ${text}`);
  for (const line of rowLines(comparison.rows)) terminal.print(line);
}

export function rowLines(rows: readonly Pick<HistoryRow, "text">[]): readonly string[] {
  if (rows.length === 0) return ["every row of the venue's histories is known"];
  const shown = rows.slice(0, ROWS_SHOWN);
  const more = rows.length > ROWS_SHOWN ? [`  and ${rows.length - ROWS_SHOWN} more`] : [];
  return [
    `${rows.length} rows of the venue's histories are not in the journal:`,
    ...shown.map(({ text }) => `  ${printable(text)}`),
    ...more,
  ];
}

function plainOf(one: Difference): object {
  const plain = (amount: Money | undefined): string | null => (amount === undefined ? null : String(amount));
  const { asset, venue, ledger } = one;
  return { asset, venue: plain(venue), journal: plain(ledger), difference: plain(differenceOf(one)) };
}

function textOf(amount: Money | undefined): string {
  return amount === undefined ? "-" : String(amount);
}

function worthText({ steps }: Turn): string {
  const value = steps.flatMap(({ event }) => (event.kind === "adoption" ? [event.value] : []))[0];
  return value === undefined
    ? "worth    unknown: something of it has no rate, so the next equity that is known is the new base of losses"
    : `worth    ${value} ${value.asset}, by which the bases of losses move: it is no profit and no loss`;
}

/** A strategy starts fresh only at a start of the bot: a bot that is only resumed stops again. */
export function nextOf({ isStopped, isAnew }: { isStopped: boolean; isAnew: boolean }): string | undefined {
  const resume = 'pegbot resume --reason "..."';
  if (isAnew) return `next: what is said above of the strategy, start the bot again, then ${resume}`;
  return isStopped ? `next: ${resume}` : undefined;
}

export type ReplacedJournal = JournalBinding & {
  readonly standing: TradingState;
  /** Whether its records could be read; its kill file counts in any case. */
  readonly isRead: boolean;
};

export function lookAtReplaced(config: Config, known: JournalBinding): ReplacedJournal {
  // The new journal has replaced it at the same path, and uses the same kill file.
  if (isSameFile(known.path, config.journal.path)) return { ...known, isRead: false, standing: FRESH };
  const stop = openKillFile(known.path).standing();
  try {
    const own = peekJournal(known.path, standingIn);
    return { ...known, isRead: own !== undefined, standing: joined(stop, own ?? FRESH) };
  } catch {
    // An unreadable journal is often the reason for the replacement.
    return { ...known, isRead: false, standing: stop };
  }
}

export function replacedLines({ path, chainId, isRead, standing }: ReplacedJournal): readonly string[] {
  const stops = stopsOf(standing).map(
    ({ state, since, by, reason }) =>
      `  ${state} since ${utcText(since)}, by ${printable(by)}: ${printable(reason)}; it goes with the key`,
  );
  return [
    `replaces ${path}, chain ${chainId}, the journal of this key so far${isRead ? "" : ", which is gone or cannot be read"}`,
    ...stops,
    "  what only it knows counts no more: open requests (pegbot status with it as journal.path names them), records, figures of the day and from the peak, plans, the strategy's state",
  ];
}
