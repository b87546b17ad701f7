// `adopt`: shows what the venue has against what the books have, and takes the difference over when a person accepts it:
// history from before the first start, wires, activity in the portal. It also begins anew after a journal was lost.

import type { Turn } from "../../bot/desk/turn.ts";
import { IDLE } from "../../bot/seat/idle.ts";
import type { Asset } from "../../domain/asset.ts";
import type { Money } from "../../domain/money/money.ts";
import { printable } from "../../domain/outside-text.ts";
import type { Result } from "../../domain/result.ts";
import { type HistoryRow, isContested } from "../../execution/history/foreign.ts";
import type { MintCost } from "../../execution/mint-cost.ts";
import { WAS_IT_YOU } from "../../execution/move.ts";
import { type Adopting, type AdoptionPlan, planAdoption } from "../../execution/plan-adoption.ts";
import { type Comparison, compareWithVenue, type Difference } from "../../execution/reconcile.ts";
import type { Entry, JournalRecord } from "../../journal/record.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { problemOf, type Shell } from "../shell.ts";
import { personHere, requireConfirmation } from "../terminal/confirmation.ts";
import { type Prompts, terminalPrompts } from "../terminal/prompts.ts";
import { type HeardReferences, hearReferences } from "../tool/hear-references.ts";
import { seeAccount } from "../tool/see-account.ts";
import { seePrices } from "../tool/see-prices.ts";
import { type Tool, withTool } from "../tool/tool.ts";
import {
  lookAtReplaced,
  plainReplaced,
  type ReplacedJournal,
  replacedLines,
  stopNow,
} from "./adopt/replaced-journal.ts";

export type AdoptOptions = {
  readonly reason?: string;
  /** Mints and payments under way whose money it is not. */
  readonly beside?: readonly string[];
  readonly yes?: boolean;
  readonly json?: boolean;
};

const ROWS_SHOWN = 20;

export async function adopt(
  shell: Shell,
  options: AdoptOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  return withTool(shell, { strategy: IDLE, books: "any" }, async (tool) => {
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
  tool: Tool,
  { shell, prompts, references }: Around,
  options: AdoptOptions,
): Promise<ExitCode> {
  const comparison = await compared(tool, references);
  const plan = planAdoption(comparison, adoptingBy(personHere(), options), tool.now().at);
  const { terminal } = shell;
  const known = await tool.replaces();
  const replaced = known && lookAtReplaced(shell, tool.config, known);
  // With --json too, on stderr: whoever is asked must have seen it.
  show(shell, tool, comparison);
  for (const line of replaced === undefined ? [] : replacedLines(replaced)) terminal.print(line);
  const accepting = { plan, yes: options.yes, replaced };
  const accepted = () => takeOver(tool, { shell, prompts, references }, comparison, accepting);
  if (options.json !== true) return accepted();
  // One value: what was compared, and why it was not taken over.
  const shown = { ...plainComparison(tool, comparison), replaces: replaced && plainReplaced(replaced) };
  try {
    const code = await accepted();
    terminal.json(shown);
    return code;
  } catch (error) {
    if (error instanceof CommandFailure) terminal.json({ ...shown, ...problemOf(error) });
    throw error;
  }
}

/** Whose money a person says it is not is on record with the reason. */
export function adoptingBy(by: string, { reason, beside = [] }: AdoptOptions): Adopting {
  const given = printable(reason?.trim() || `accepted by ${by}`);
  // Not cut off with what a person wrote at length: nobody would know whose money it was not.
  const other = beside.length === 0 ? "" : ` (other money than that of ${printable(beside.join(", "))})`;
  return { reason: `${given}${other}`, by, beside };
}

type Accepting = {
  readonly plan: Result<AdoptionPlan>;
  readonly yes: boolean | undefined;
  readonly replaced: ReplacedJournal | undefined;
};

export async function takeOver(
  tool: Tool,
  { shell, prompts, references }: Around,
  comparison: Comparison,
  { plan, yes, replaced }: Accepting,
): Promise<ExitCode> {
  if (!plan.ok) throw new CommandFailure(exitCode.refused, `not taken over: ${plan.error}`);
  const say = shell.terminal.print;
  const isNews = !tool.desk.executor.isOpened || hasNews(plan.value, comparison);
  if (tool.desk.executor.isOpened && hasStrangers(comparison)) say(WAS_IT_YOU);
  if (!isNews) say("venue and journal agree: there is nothing to take over");
  if (isNews || replaced !== undefined) await requireConfirmation(shell, prompts, { word: "adopt", yes });
  if (replaced !== undefined) carryStop(shell, tool, replaced);
  const isAnew = isNews && (await taken(tool, { shell, references }, plan.value));
  await tool.bind();
  if (replaced !== undefined) say(`the key's journal is ${tool.config.journal.path} now`);
  if (!isNews && replaced === undefined) return exitCode.done;
  const next = nextOf({ isStopped: isStopped(tool), isAnew });
  if (next !== undefined) say(next);
  return exitCode.done;
}

/** Before the key goes by this journal: where it cannot be written, nothing is changed. */
function carryStop(shell: Shell, { latch, config }: Tool, replaced: ReplacedJournal): void {
  const carried = latch.tighten(stopNow(shell, config, replaced));
  if (!carried.ok) throw new CommandFailure(exitCode.failed, `not taken over: ${carried.error}`);
}

/** Whether a strategy must begin anew. */
async function taken(
  tool: Tool,
  { shell, references }: Omit<Around, "prompts">,
  { event: _, record, ...more }: AdoptionPlan,
): Promise<boolean> {
  const say = shell.terminal.print;
  const { currency } = tool.desk.engine.context.pricing;
  // By the prices of now: a person may have thought for long. An opening entry moves no base.
  const isPriced = tool.desk.executor.isOpened && record.amounts.some(({ asset }) => asset !== currency);
  if (isPriced || hasUnratedFee(more.costs, currency)) await seePrices(tool, references, movedMeanwhile);
  const turn = await tool.take({ kind: "adoption", adoption: record, ...more }, movedMeanwhile);
  say("taken over: venue and journal agree now");
  if (isPriced) say(worthText(turn));
  for (const warning of turn.warnings) say(warning);
  return turn.warnings.length > 0;
}

function hasNews({ record, costs }: AdoptionPlan, { rows }: Comparison): boolean {
  return record.amounts.length > 0 || costs.length > 0 || rows.length > 0;
}

/** Rows that nobody here has sent, and not another word on an order of ours. */
export function hasStrangers({ rows }: { readonly rows: readonly Pick<HistoryRow, "key">[] }): boolean {
  return rows.some((row) => !isContested(row));
}

/** Without a rate the fees of the day would be unknown. */
export function hasUnratedFee(costs: readonly Pick<MintCost, "fee">[], currency: Asset): boolean {
  return costs.some(({ fee }) => fee.asset !== currency && !fee.isZero());
}

async function compared(tool: Tool, references: HeardReferences): Promise<Comparison> {
  const answers = await seeAccount(tool, () => seePrices(tool, references));
  const { accounts } = tool.desk.engine.context;
  return orFail(compareWithVenue(tool.desk.executor, answers, accounts, tool.now(), { takesOver: true }));
}

const MOVERS: ReadonlySet<JournalRecord["kind"]> = new Set(["intent", "sending", "outcome", "resolution", "adoption"]);

/**
 * Why the difference that a person saw is not the one that there is now. What a running bot finds in the histories meanwhile, a
 * fill that came late, a payment, coins of a mint, is booked by it: taken over as well it would be in the books twice.
 */
export function movedMeanwhile(news: readonly Pick<Entry, "record">[]): string | undefined {
  const what = news.map(({ record }) => moverOf(record)).find((mover) => mover !== undefined);
  return what && `the account moved while it was looked at (${what}): pegbot halt first, then adopt again`;
}

function moverOf(record: JournalRecord): string | undefined {
  if (MOVERS.has(record.kind)) return record.kind;
  if (record.kind !== "step") return undefined;
  const { event } = record.step;
  if (event.kind === "report" || event.kind === "movement") return `${event.kind} ${event.report.kind}`;
  return event.kind === "adoption" ? event.kind : undefined;
}

function shownOf({ differences }: Comparison): readonly Difference[] {
  return differences.filter(({ venue, ledger }) => venue?.isZero() !== true || ledger?.isZero() === false);
}

function plainComparison({ config, desk }: Tool, comparison: Comparison): object {
  const mints = comparison.costs.map(({ id, spent, fee, isTold }) => {
    return { id, asset: spent.asset, spent: String(spent), fee: String(fee), isTold };
  });
  return {
    journal: config.journal.path,
    opened: desk.executor.isOpened,
    assets: shownOf(comparison).map(plainOf),
    mints,
    unpaid: unpaidIn(desk, comparison),
    unknown: textsOf(comparison.rows),
    ...unbookedOf(desk),
  };
}

function show({ terminal }: Shell, { config, desk }: Tool, comparison: Comparison): void {
  const { path } = config.journal;
  const { isOpened } = desk.executor;
  const { costs, rows, likeness } = comparison;
  const shown = shownOf(comparison);
  terminal.print(`journal  ${path}${isOpened ? "" : " (new: the venue's totals become its opening entry)"}`);
  const right = (title: string) => ({ title, align: "right" as const });
  terminal.table(
    [{ title: "asset" }, right("venue"), right("journal"), right("difference")],
    shown.map((one) => [one.asset, textOf(one.venue), textOf(one.ledger), textOf(differenceOf(one))]),
  );
  for (const cost of costs) terminal.print(costText(cost));
  for (const id of unpaidIn(desk, comparison)) terminal.print(unpaidText(id));
  if (likeness !== undefined && likeness !== "") terminal.print(`of ours  ${likeness.slice("; ".length)}`);
  for (const line of rowLines(rows, unbookedOf(desk))) terminal.print(line);
}

/** Mints of which only the list is known, and of which the balances do not show what left for them beside what differs. */
function unpaidIn({ executor }: Tool["desk"], { differences, costs }: Comparison): readonly string[] {
  const differing = differences.filter((one) => differenceOf(one)?.isZero() === false);
  const mints = differing.flatMap(({ asset }) => executor.movements.uncosted(asset));
  return mints.flatMap(({ id }) => (costs.some((cost) => cost.id === id) ? [] : [id]));
}

function unpaidText(id: string): string {
  return `mint ${id} is in the venue's list, and what left for it cannot be told from what differs: taken over with the rest, its coins count as brought from outside`;
}

/** In the table it is off what the journal has. */
function costText({ id, spent, fee, isTold }: MintCost): string {
  const { asset } = spent;
  const told = isTold ? "" : ", which cannot be told from what else differs";
  return `mint ${id} is in the venue's list: ${spent} ${asset} are booked as its cost, fee ${fee} ${asset}${told}; its coins are in flight`;
}

/** Payments on rails of ours that nobody books: under words that nobody knows, or in rows that are none of a payment of ours. What they moved is among the differences. */
type Unbooked = { readonly unsaid: readonly string[]; readonly odd: readonly string[] };

function unbookedOf({ executor: { movements } }: Pick<Tool["desk"], "executor">): Unbooked {
  return { unsaid: movements.unsaid(), odd: movements.odd() };
}

export function rowLines(rows: readonly Pick<HistoryRow, "text">[], { unsaid, odd }: Unbooked): readonly string[] {
  const lines = [
    ...listed("rows of the venue's histories are unknown to the journal:", textsOf(rows)),
    ...listed("payments are listed under words that nobody knows, and are not booked:", unsaid),
    ...listed("payments are listed in rows that nobody books:", odd),
  ];
  return lines.length > 0 ? lines : ["every row of the venue's histories is known"];
}

function textsOf(rows: readonly Pick<HistoryRow, "text">[]): readonly string[] {
  return rows.map(({ text }) => text);
}

function listed(title: string, texts: readonly string[]): readonly string[] {
  return texts.length === 0 ? [] : [`${texts.length} ${title}`, ...shortened(texts)];
}

function shortened(texts: readonly string[]): readonly string[] {
  const lines = texts.slice(0, ROWS_SHOWN).map((text) => `  ${printable(text)}`);
  return texts.length > ROWS_SHOWN ? [...lines, `  and ${texts.length - ROWS_SHOWN} more`] : lines;
}

function plainOf(one: Difference): object {
  const plain = (amount: Money | undefined): string | null => (amount === undefined ? null : String(amount));
  const { asset, venue, ledger } = one;
  return { asset, venue: plain(venue), journal: plain(ledger), difference: plain(differenceOf(one)) };
}

function differenceOf({ venue, ledger }: Difference): Money | undefined {
  return ledger === undefined ? venue : venue?.minus(ledger);
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

/** A strategy that must begin anew does so at a start: a bot that is only resumed stops again. */
export function nextOf({ isStopped, isAnew }: { isStopped: boolean; isAnew: boolean }): string | undefined {
  const resume = 'pegbot resume --reason "..."';
  if (isAnew) return `next: what is said above of the strategy, start the bot again, then ${resume}`;
  return isStopped ? `next: ${resume}` : undefined;
}

function isStopped({ latch, desk }: Tool): boolean {
  return [latch.standing().state, desk.engine.context.books.state].some((state) => state !== "ACTIVE");
}
