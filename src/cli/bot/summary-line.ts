// The status in one line, for logs.

import { doubtsOf, type Status } from "../../telemetry/status.ts";
import { amountText, changeText, perRequestText } from "./amount-text.ts";
import { doingText } from "./phase-text.ts";

/** With the cause, where it may not trade. */
export function minuteLine(status: Status): string {
  const { state, reason } = status.standing;
  return state === "ACTIVE" ? summaryLine(status) : `${summaryLine(status)}; ${state} because ${reason}`;
}

export function summaryLine(status: Status): string {
  const { standing, phase, equity, counts, open, budget, journal } = status;
  const used = budget?.usedBps === undefined ? "" : `, budget used ${Math.round(budget.usedBps / 100)} %`;
  const each =
    equity.perRequest === undefined ? "" : `, ${perRequestText(equity.perRequest)} ${equity.currency} a request`;
  return (
    `${standing.state}, ${doingText(standing.state, phase)}: equity ${amountText(equity.now)} ${equity.currency}, today ${changeText(equity.today)}, ` +
    `fills ${counts.fills}, refused ${counts.refused}, open ${open.length}, doubts ${doubtsOf(status).length}${used}${each}, ` +
    `journal ${journal.records ?? "-"} records`
  );
}
