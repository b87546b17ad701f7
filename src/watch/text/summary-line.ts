// The status in one line, for logs.

import { amountText, changeText, perRequestText } from "../../domain/amount-text.ts";
import { STORM } from "../status/connectivity.ts";
import { doubtsOf, openCount, type Status } from "../status.ts";
import { doingText, isAllFrozen, unsaidReasons } from "./doing-text.ts";

/** With the cause, where it may not trade; with the strategy's own word, where it may. */
export function minuteLine(status: Status): string {
  const { state, reason } = status.standing;
  if (state !== "ACTIVE") return `${summaryLine(status)}; ${state} because ${reason}`;
  if (isAllFrozen(status)) return `${summaryLine(status)}; frozen ${status.frozen}`;
  // Also while venue and journal are still compared: then nothing else says why that takes minutes.
  const [unsaid] = status.budget?.doubtsOnly === true ? [STORM] : unsaidReasons(status);
  if (unsaid !== undefined) return `${summaryLine(status)}; ${unsaid}`;
  const { strategy, said, frozen } = status;
  if (frozen !== undefined) return `${summaryLine(status)}; frozen ${frozen}`;
  return said === undefined ? summaryLine(status) : `${summaryLine(status)}; ${strategy} says: ${said.text}`;
}

export function summaryLine(status: Status): string {
  const { standing, equity, counts, budget, journal } = status;
  const used = budget?.usedBps === undefined ? "" : `, budget used ${Math.round(budget.usedBps / 100)} %`;
  const each =
    equity.perRequest === undefined ? "" : `, ${perRequestText(equity.perRequest)} ${equity.currency} a request`;
  return (
    `${standing.state}, ${doingText(status)}: equity ${amountText(equity.now)} ${equity.currency}, today ${changeText(equity.today)}, ` +
    `fills ${counts.fills}, refused ${counts.refused}, open ${openCount(status)}, doubts ${doubtsOf(status).length}${used}${each}, ` +
    `journal ${journal.records ?? "-"} records`
  );
}
