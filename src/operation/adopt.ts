// A person accepts the balances and history that the venue has and the journal does not.

import { z } from "zod";
import type { Turn } from "../bot/turn.ts";
import type { Asset } from "../domain/asset.ts";
import { CommandFailure, orFail } from "../domain/command-failure.ts";
import { exitCode } from "../domain/exit-code.ts";
import type { Money } from "../domain/money/money.ts";
import { printable } from "../domain/sanitise.ts";
import { utcText } from "../domain/time-text.ts";
import {
  type Adopting,
  type AdoptionPlan,
  type Comparison,
  compareWithVenue,
  comparisonAsks,
  type Difference,
  differenceOf,
  planAdoption,
} from "../execution/adjustment.ts";
import type { Answer } from "../execution/effects.ts";
import { type HistoryRow, isContested } from "../execution/history.ts";
import { WAS_IT_YOU } from "../execution/remediation.ts";
import { stopsOf } from "../risk/trading-state.ts";
import { type Ended, moneyOperation, type Replaced, type Trader } from "./money.ts";
import { whyOptional } from "./plan.ts";
import { seePrices } from "./prices.ts";

const adoptInput = z.strictObject({
  reason: whyOptional,
  beside: z
    .array(z.string().max(100))
    .optional()
    .meta({ value: "id", description: "it is other money than that of this order, mint or payment, open or young" }),
  shown: z
    .enum(["none", "all"])
    .optional()
    .meta({ value: "how much", description: "how much of what is open the balances show already" }),
  gone: z.array(z.string().max(20)).optional().meta({
    value: "asset",
    description: "the venue no longer lists this asset, and confirms that nothing of it is left",
  }),
});
export type AdoptInput = z.output<typeof adoptInput>;

const ROWS_SHOWN = 20;

export const adopt = moneyOperation<AdoptInput>({
  name: "adopt",
  sentence: "Takes over what the venue has and the journal does not",
  scope: "trade",
  begins: "restored",
  input: adoptInput,
  async act(trader, input, asking) {
    const { comparison, moves } = await compared(trader);
    const replaced = await trader.replaced();
    show(trader, comparison, asking.tell);
    for (const line of replaced === undefined ? [] : replacedLines(replaced)) asking.tell(line);
    const plan = planAdoption(comparison, adoptingBy(asking.by, input), trader.now().at);
    if (!plan.ok) throw new CommandFailure(exitCode.refused, `not taken over: ${plan.error}`);
    const { isOpened } = trader.core().executor;
    const isNews = !isOpened || hasNews(plan.value, comparison);
    const json = plainComparison(trader, comparison, replaced);
    const ended = (text: string): Ended => ({ exit: exitCode.done, id: "journal", outcome: "adopted", text, json });
    if (isOpened && hasStrangers(comparison)) asking.tell(WAS_IT_YOU);
    if (!isNews) asking.tell("venue and journal agree: there is nothing to take over");
    // With open items the adopted amount may differ from the shown difference.
    const amounts = plan.value.record.amounts.map((amount) => `${amount} ${amount.asset}`);
    if (amounts.length > 0) asking.tell(`adopts   ${amounts.join(", ")}`);
    if (isNews || replaced !== undefined) {
      const rows = comparison.rows.map(({ text }) => text).join("\n");
      const sent = { amounts: amounts.join(", "), rows, replaces: replaced?.path ?? "" };
      await asking.agree({ word: "adopt", sent, worst: [], caveats: [], shown: json });
    }
    // Before the key is bound to this journal: if a stop cannot be written, nothing changes.
    for (const control of replaced?.stops ?? [])
      await trader.take({ kind: "event", event: { kind: "control", control, receivedAt: trader.now().at } });
    const said: string[] = [];
    const isAnew = isNews && (await taken(trader, plan.value, moves, said));
    await trader.bind();
    if (replaced !== undefined) said.push(`the key's journal is ${trader.config.journal.path} now`);
    if (!isNews && replaced === undefined) return ended("nothing to take over");
    const next = nextOf({ isStopped: trader.standing().state !== "ACTIVE", isAnew });
    return ended([...said, ...(next === undefined ? [] : [next])].join("; "));
  },
});

/** The record names the requests that the money does not belong to, together with the reason. */
function adoptingBy(by: string, { reason, beside = [], shown, gone = [] }: AdoptInput): Adopting {
  const given = printable(reason?.trim() || `accepted by ${by}`);
  // Appended after the reason is cut to length, so that the ids are never cut off.
  const other = beside.length === 0 ? "" : ` (other money than that of ${printable(beside.join(", "))})`;
  return { reason: `${given}${other}`, by, beside, shown, gone };
}

/** Returns whether a strategy must start fresh. */
async function taken(
  trader: Trader,
  { event: _, record, ...more }: AdoptionPlan,
  moves: number,
  said: string[],
): Promise<boolean> {
  const { currency } = trader.core().books.pricing;
  const { isOpened } = trader.core().executor;
  const assets = record.amounts.map(({ asset }) => asset).filter((asset) => asset !== currency);
  // Valued at current prices, because the prompt may have taken long. An opening entry does not move the bases of
  // losses.
  const isPriced = isOpened && assets.length > 0;
  if (isPriced) await seePrices(trader, assets);
  const turn = await trader.take({
    kind: "unless",
    input: { kind: "adoption", adoption: record, ...more },
    why: () =>
      trader.moves() === moves
        ? undefined
        : "the account moved while it was looked at: pegbot halt first, then adopt again",
  });
  if (turn.refusal !== undefined)
    throw new CommandFailure(exitCode.refused, `${turn.refusal.message}; nothing was changed`);
  said.push("taken over: venue and journal agree now");
  if (isPriced) said.push(worthText(turn));
  said.push(...turn.warnings);
  return turn.warnings.length > 0;
}

function hasNews({ record }: AdoptionPlan, { rows }: Comparison): boolean {
  return record.amounts.length > 0 || rows.length > 0;
}

/** Whether any row is unattributed; a contested row of one of our orders does not count. */
function hasStrangers({ rows }: { readonly rows: readonly Pick<HistoryRow, "key">[] }): boolean {
  return rows.some((row) => !isContested(row));
}

/** Every history, and the balances last, so that they include everything the histories show. */
async function compared(trader: Trader): Promise<{ readonly comparison: Comparison; readonly moves: number }> {
  const { executor } = trader.core();
  const instruments = await trader.read("pairs", trader.exchange.pairs({ class: "other" }));
  const mintable = new Set<Asset>();
  for (const { base, quote } of instruments) if (base === `V${quote}`) mintable.add(base);
  const answers: Answer[] = [];
  for (const question of comparisonAsks([...mintable], executor.treasury.hasRails)) {
    // Payments are booked as payments: adopted as a difference, they would be booked again when the bot sees them.
    const isPayment = question.witness === "payments";
    answers.push(await (isPayment ? trader.ask(question) : trader.look(question)));
  }
  const { accounts } = trader.core().books;
  const comparison = orFail(compareWithVenue(executor, answers, accounts, trader.now()));
  return { comparison, moves: trader.moves() };
}

function shownOf({ differences }: Comparison): readonly Difference[] {
  return differences.filter(({ venue, ledger }) => venue?.isZero() !== true || ledger?.isZero() === false);
}

function plainComparison({ config, core }: Trader, comparison: Comparison, replaced: Replaced | undefined): object {
  return {
    journal: config.journal.path,
    opened: core().executor.isOpened,
    assets: shownOf(comparison).map(plainOf),
    unknown: comparison.rows.map(({ text }) => text),
    replaces: replaced && { ...replaced, standing: undefined, state: replaced.standing.state },
  };
}

function show({ config, core }: Trader, comparison: Comparison, tell: (text: string) => void): void {
  const shown = shownOf(comparison);
  const isNew = !core().executor.isOpened;
  tell(`journal  ${config.journal.path}${isNew ? " (new: the venue's totals become its opening entry)" : ""}`);
  for (const one of shown)
    tell(
      `${one.asset.padEnd(8)} venue ${textOf(one.venue)}, journal ${textOf(one.ledger)}, difference ${textOf(differenceOf(one))}`,
    );
  const ours = new Map(shown.flatMap(({ ours }) => ours.map(({ id, text }) => [id, text] as const)));
  for (const text of ours.values()) tell(`of ours  ${text}`);
  for (const line of rowLines(comparison.rows)) tell(line);
}

function rowLines(rows: readonly Pick<HistoryRow, "text">[]): readonly string[] {
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
    ? "worth unknown: something of it has no rate, so the next equity that is known is the new base of losses"
    : `worth ${value} ${value.asset}, by which the bases of losses move: it is no profit and no loss`;
}

/** A strategy starts fresh only at a start of the bot: a bot that is only resumed stops again. */
function nextOf({ isStopped, isAnew }: { isStopped: boolean; isAnew: boolean }): string | undefined {
  const resume = 'pegbot resume --reason "..."';
  if (isAnew) return `next: follow the lines above on the strategy, start the bot again, then ${resume}`;
  return isStopped ? `next: ${resume}` : undefined;
}

function replacedLines({ path, chainId, isRead, standing }: Replaced): readonly string[] {
  const stops = stopsOf(standing).map(
    ({ state, since, by, reason }) =>
      `  ${state} since ${utcText(since)}, by ${printable(by)}: ${printable(reason)}; it goes with the key`,
  );
  return [
    `replaces ${path}, chain ${chainId}, the journal of this key so far${isRead ? "" : ", which is gone or cannot be read"}`,
    ...stops,
    "  no longer counted, where only it has them: open requests (pegbot status with it as journal.path names them), records, figures of the day and from the peak, plans, the strategy's state",
  ];
}
