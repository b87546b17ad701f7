// Whether the venue's balances show that an amount is on the account beside what the books have: what was spent on a mint or a
// payment and is back, or a payment that has come. Asked twice with the same balances: before a person is, and against the books
// as they are when it is written, since another person may have closed another one by the very same money. What something else of
// ours may have moved, an order of unknown outcome above all, would pass for it or hide it: that must be known first.

import type { Balance } from "../../../domain/balance.ts";
import { Money } from "../../../domain/money/money.ts";
import { pause } from "../../../domain/pause.ts";
import type { Millis } from "../../../domain/time.ts";
import { utcText } from "../../../domain/time-text.ts";
import { explanationsOf, totalOf } from "../../../execution/balance-vote.ts";
import { touches } from "../../../execution/mint-cost.ts";
import { isUnknown, type Moment } from "../../../execution/submission.ts";
import type { Mover } from "../../../execution/totals.ts";
import { wayToKnow } from "../../../execution/way-out.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";
import type { Tool } from "../../tool/tool.ts";

/**
 * `id`: whose money it is. `feeMax`: so much may be missing of it; that stops the bot by itself afterwards. `left`: of what went from
 * the account.
 */
export type Sought = {
  readonly id: string;
  readonly amount: Money;
  readonly feeMax: Money;
  readonly left?: Left;
};

/** `dueAt`: before then the balances may not show that it left. `isSeen`: they have once shown it, or a person has the venue's word that it is back. */
export type Left = { readonly dueAt: Millis | undefined; readonly isSeen: boolean };

/** `venueConfirms`: that word stands for balances that never showed that it left. */
export function leftBy(tool: Tool, id: string, dueAt: Millis | undefined, venueConfirms = false): Left {
  return { dueAt, isSeen: venueConfirms || tool.desk.executor.balances.haveShownGone(id) };
}

/** `what`: of what no money has left. */
export function refuseWord(id: string, what: string, venueConfirms = false): void {
  if (!venueConfirms) return;
  const why = "--venue-confirms is of money that left, by a mint or by a payment to a bank";
  throw new CommandFailure(exitCode.usage, `${id} is a ${what}: ${why}`, "the same command without it");
}

/** For the journal, after a person's reason: what was believed against the balances. */
export function wordFor(tool: Tool, id: string, venueConfirms = false): string {
  const isNeeded = venueConfirms && !tool.desk.executor.balances.haveShownGone(id);
  return isNeeded ? " (--venue-confirms: the balances never showed that it left)" : "";
}

export type Shown = {
  readonly isThere: boolean;
  /** What the account lacks of what there would be; undefined where the balances do not say. */
  readonly lack: Money | undefined;
  /** What must be known before anybody can tell. */
  readonly hiddenBy?: Mover | undefined;
};

export async function balancesOf(tool: Tool, sought: Sought): Promise<() => Shown> {
  const rows = await tool.read("balances", tool.exchange.balances({ class: "doubt" }));
  return () => shownBy(tool, rows, sought);
}

/** So long after what one answer shows, or leaves out, it is read once more. */
export const AGAIN_MS = 5_000;

/** What is back two readings show: one of several servers of the venue may be behind the others. */
export async function balancesTwice(tool: Tool, sought: Sought): Promise<() => Shown> {
  const first = await balancesOf(tool, sought);
  const { isThere, hiddenBy } = first();
  if (!isThere || hiddenBy !== undefined) return first;
  await pause(tool.timers, AGAIN_MS);
  const again = await balancesOf(tool, sought);
  // They have what a running bot did meanwhile.
  await tool.take({ kind: "news" });
  return again;
}

/** `isBeside`: whether something of ours may have moved these balances too; all of it may unless told. */
export function shownBy(
  { desk: { engine, executor }, now }: Tool,
  rows: readonly Balance[],
  sought: Sought,
  isBeside: (mover: Mover) => boolean = () => true,
): Shown {
  const { id, amount, feeMax } = sought;
  const { asset } = amount;
  const total = totalOf(rows.find((row) => row.asset === asset));
  if (total === undefined) return { isThere: false, lack: undefined };
  // Without what is in flight: that is on its way to a bank, or from one, and not on the account.
  const settled = engine.context.accounts.settled(asset) ?? Money.zero(asset);
  const lack = settled.plus(amount).minus(total);
  const byLack = { isThere: lack.atMost(feeMax), lack };
  const movers = executor.balances.movers(now()).filter((one) => one.id !== id && touches(one, asset));
  const still = perhapsStill(sought, now());
  const others = [...still, ...movers.filter(isBeside)];
  if (others.length === 0) return byLack;
  const hiddenBy = others.find((one) => one.booked || isOpen(executor, one)) ?? others[0];
  const ways = waysOf(others, sought, total.minus(settled));
  // Nothing explains all of it: what is not known of ours may be any part.
  if (ways.length === 0) return { ...byLack, hiddenBy };
  if (ways.every((isThere) => !isThere)) return { isThere: false, lack: lack.max(amount) };
  // Of balances from before it left, what came in since passes for a fee: then only this looks like an explanation.
  return { isThere: true, lack, hiddenBy: ways.every((isThere) => isThere) ? still[0] : hiddenBy };
}

/** Balances that are behind look as if it were back. */
function perhapsStill({ id, amount, left }: Sought, { at }: Moment): readonly Mover[] {
  if (left === undefined || (left.isSeen && isDue(left, at))) return [];
  const change = amount.negated();
  return [{ id, booked: true, movements: [{ least: change, most: change }] }];
}

function isDue({ dueAt }: Left, at: Millis): boolean {
  return dueAt === undefined || at >= dueAt;
}

/** Of each way to explain what the venue has more than the books, whether the amount that is sought is in it. */
function waysOf(others: readonly Mover[], { id, amount, feeMax }: Sought, change: Money): readonly boolean[] {
  const sought: Mover = { id, booked: false, movements: [{ least: amount.minus(feeMax), most: amount }] };
  const ways = waysWith(sought, others, change) ?? [];
  return ways.map((way) => way.includes(sought));
}

/** Every way to explain by how much the venue has more of an asset than the books; undefined where there are too many. */
export function waysWith(
  one: Mover,
  others: readonly Mover[],
  change: Money,
): readonly (readonly Mover[])[] | undefined {
  // What is booked may not be in the balances yet.
  const late = others.flatMap(({ booked, movements }) => (booked ? movements.map(({ least }) => least) : []));
  const own = late.filter(({ asset }) => asset === change.asset);
  return explanationsOf([...others, one], [change.plus(Money.sum(own, change.asset))]);
}

/** Names what must be known first, and how it gets known. */
export function refuseHidden(tool: Tool, { hiddenBy }: Shown, sought: Sought): void {
  if (hiddenBy === undefined) return;
  const { id, amount, left } = sought;
  if (hiddenBy.id === id && left !== undefined) throw refusalOfItself(tool, hiddenBy, left);
  throw new CommandFailure(
    exitCode.refused,
    `what ${hiddenBy.id} moved of ${amount.asset} must be known before the balances say where the money of ${id} is; nothing was changed`,
    `${wayToTell(tool, hiddenBy)}; then the same command again`,
  );
}

function refusalOfItself(tool: Tool, itself: Mover, left: Left): CommandFailure {
  const { id } = itself;
  const alike = "balances from before look the same as balances that have its money back; nothing was changed";
  if (!isDue(left, tool.now().at))
    return new CommandFailure(
      exitCode.refused,
      `${id} left so lately that ${alike}`,
      `${wayToTell(tool, itself, left.dueAt)}; then the same command again`,
    );
  return new CommandFailure(
    exitCode.refused,
    `the balances never showed that ${id} left, and ${alike}`,
    "a running bot puts on record that they show it: they may be behind. If the venue has confirmed in writing that it keeps none of this money, neither now nor later: the same command with --venue-confirms",
  );
}

function wayToTell({ desk: { executor } }: Tool, mover: Mover, due?: Millis): string {
  const { id, booked } = mover;
  const submission = executor.get(id);
  const dueAt = due ?? executor.balances.dueAt(id);
  if (booked && dueAt !== undefined) return `it is booked, and the balances have until ${utcText(dueAt)} to show it`;
  if (submission !== undefined && isOpen(executor, mover)) return wayToKnow(submission, executor.terms.escalateAfterMs);
  return `${id} is on its way: it ends when the venue's list and balances say so, or with pegbot resolve ${id}`;
}

function isOpen(executor: Tool["desk"]["executor"], { id }: Mover): boolean {
  const submission = executor.get(id);
  return submission !== undefined && isUnknown(submission.state);
}

/** Why what was judged before a person was asked is so no longer. */
export function movedSince(before: Shown, { isThere, hiddenBy }: Shown): string | undefined {
  return isThere === before.isThere && hiddenBy === undefined ? undefined : ACCOUNT_MOVED;
}

export const ACCOUNT_MOVED = "the account moved while it was looked at: the same command again";
