// Whether a start may go on, by what venue and journal say: the books are opened, the strategy may run, or a person is needed.

import { Money } from "../domain/money/money.ts";
import { assetsIn } from "./balance-vote.ts";
import type { ExecutorSight } from "./executor.ts";
import { type HistoryRow, isContested, strangersStop } from "./history/foreign.ts";
import { type AdoptionPlan, planAdoption } from "./plan-adoption.ts";
import type { Comparison, Difference } from "./reconcile.ts";
import type { Moment } from "./submission.ts";
import { unexplainedStop, unsaidStop } from "./totals-watch.ts";
import { type Stop, stepsOf } from "./way-out.ts";

export type Start =
  /** The strategy may run; what is still in doubt freezes what it concerns. */
  | { readonly kind: "ready" }
  /** An untouched account: whoever comes first opens the books, and says so. */
  | { readonly kind: "first"; readonly plan: AdoptionPlan; readonly note: string }
  | {
      readonly kind: "refused";
      readonly code: "history-without-journal" | "foreign-activity" | "unexplained-balance" | "unknown-balance";
      readonly reason: string;
      readonly wayOut: string;
      /** Of the stop that it is where the books were open before. */
      readonly stop?: Stop | undefined;
    };

/** May the bot trade, or a command send? The answers have been handed to the executor before, where the books were open. */
export function judgeStart(executor: ExecutorSight, comparison: Comparison, now: Moment, by = "bot"): Start {
  const { differences } = comparison;
  // What contradicts an order of ours the executor has stopped for: it is nobody else's.
  const rows = comparison.rows.filter((one) => !isContested(one));
  const [row] = rows;
  if (!executor.isOpened) {
    if (row !== undefined)
      return refused(
        "history-without-journal",
        `the journal is empty, and the venue shows ${row.text}${andMore(rows)}: the books must not begin at zero`,
      );
    const plan = planAdoption(comparison, { reason: "opening balances of an untouched account", by }, now.at);
    return plan.ok
      ? { kind: "first", plan: plan.value, note: openingNote(plan.value) }
      : refused("unknown-balance", plan.error);
  }
  const strangers = strangersStop(rows);
  if (strangers !== undefined) return stopped("foreign-activity", strangers, executor);
  const orders = comparison.unclear.flatMap(({ submission }) => submission.assets);
  // What these differ by is looked at again, and stops the bot when the balances cannot be behind any more.
  const unclear = [...orders, ...assetsIn(executor.balances.paidLately(now))];
  const differs = differences.filter((one) => !isEqual(one) && !unclear.includes(one.asset));
  return differs.length === 0
    ? { kind: "ready" }
    : stopped("unexplained-balance", differenceStop(differs, executor), executor);
}

/** What is not whole proves nothing about the rest, and is named where nothing else differs. */
function differenceStop(differs: readonly Difference[], executor: ExecutorSight): Stop {
  const known = differs.flatMap(({ asset, venue, ledger }) =>
    venue === undefined ? [] : [venue.minus(ledger ?? Money.zero(asset))],
  );
  if (known.length === 0) return unsaidStop(differs[0]?.asset);
  return unexplainedStop(known, (differences) => executor.balances.likeness(differences));
}

function openingNote({ record: { amounts } }: AdoptionPlan): string {
  const shown = amounts.map((amount) => `${amount} ${amount.asset}`).join(", ");
  return `first start: the venue's balances are the opening entry: ${shown === "" ? "none" : shown}`;
}

/** What the ledger never had counts as nothing. */
function isEqual({ asset, venue, ledger }: Difference): boolean {
  return venue?.equals(ledger ?? Money.zero(asset)) === true;
}

function andMore(rows: readonly HistoryRow[]): string {
  return rows.length > 1 ? ` and ${rows.length - 1} more` : "";
}

function refused(code: Extract<Start, { kind: "refused" }>["code"], reason: string): Start {
  return { kind: "refused", code, reason, wayOut: stepsOf({}, []) };
}

function stopped(code: "foreign-activity" | "unexplained-balance", stop: Stop, executor: ExecutorSight): Start {
  return { kind: "refused", code, reason: stop.reason, wayOut: stepsOf(stop, executor.open()), stop };
}
