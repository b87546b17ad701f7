// The status in words: what the bot does and why it does not trade, one line for the log, value and profit, the clock against the venue's.

import type { Phase } from "../../bot/observer.ts";
import { amountText, changeText, perRequestText } from "../../domain/amount-text.ts";
import { unreachable } from "../../domain/invariant.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import { STORM } from "../status/connectivity.ts";
import { doubtsOf, openCount, type ShownEquity, type ShownTotals, type Status } from "../status.ts";

/** What is frozen begins with it where nothing is left out. */
const ALL = "everything: ";

type Doing = Pick<Status, "phase" | "frozen"> &
  Partial<Pick<Status, "unready">> & { readonly standing: Pick<Status["standing"], "state"> };

/** The pipeline's own word, unless the state, what is frozen, or another reason says that nothing may leave. */
export function doingText(status: Doing): string {
  const { phase, standing } = status;
  if (phase.kind !== "trading") return phase.text;
  if (standing.state === "REDUCED") return "reducing only";
  if (standing.state !== "ACTIVE") return "not trading, reading goes on";
  if (isAllFrozen(status)) return "not trading, everything is frozen";
  return (status.unready ?? []).length === 0 ? phase.text : "not ready";
}

/** Why it is not ready, where no stop and no phase says it already. */
export function unsaidReasons({ unready, phase }: Pick<Status, "unready" | "phase">): readonly string[] {
  if (phase.kind !== "trading") return [];
  return unready.filter((reason) => !/^(REDUCED|HALTED): /.test(reason));
}

/** Orders may leave, if only those that reduce: the pipeline, the state and whatever else keeps them back agree. */
export function isTrading(status: Pick<Status, "phase" | "standing" | "unready">): boolean {
  const { phase, standing } = status;
  const isOpen = standing.state === "ACTIVE" || standing.state === "REDUCED";
  return phase.kind === "trading" && isOpen && unsaidReasons(status).length === 0;
}

/** With what freezes everything: at a start nothing else tells it. */
export function doingLine(status: Doing): string {
  const text = doingText(status);
  return status.phase.kind === "trading" && isAllFrozen(status) ? `${text}: ${status.frozen?.slice(ALL.length)}` : text;
}

/** With some assets frozen the others are traded. */
export function isAllFrozen({ frozen }: Pick<Status, "frozen">): boolean {
  return frozen?.startsWith(ALL) ?? false;
}

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

/** `at mid 99,800.00, at par 100,000.00, oldest price 2 s`. */
export function valueText({ atMid, atPar, markAgeMs }: ShownEquity): string {
  const age = markAgeMs === undefined ? "" : `, oldest price ${durationText(markAgeMs)}`;
  return `at mid ${amountText(atMid)}, at par ${amountText(atPar)}${age}`;
}

/** `realised +1.20, unrealised -0.40, FX +12.00, fees of trades 0.30, of mints 5.00`. */
export function profitText({ realised, unrealised, fx, fees, mintFees, railFees }: ShownTotals): string {
  const gained = `realised ${changeText(realised)}, unrealised ${changeText(unrealised)}, FX ${changeText(fx)}`;
  const moved = Object.entries({ mints: mintFees, rails: railFees }).filter(([, fee]) => Number(fee) !== 0);
  return `${gained}, fees of trades ${amountText(fees)}${moved.map(([of, fee]) => `, of ${of} ${amountText(fee)}`).join("")}`;
}

export function phaseText(phase: Phase): string {
  switch (phase.kind) {
    case "waiting":
      return "waiting for an answer of the venue; nothing is sent before it";
    case "restoring":
      return "reading the journal";
    case "reading":
      return "comparing venue and journal";
    case "resolving":
      return `resolving ${phase.open} request${phase.open === 1 ? "" : "s"} of unknown outcome`;
    case "trading":
      return "trading";
    case "unwritable":
      return `the journal cannot be written: ${phase.error.message}`;
    case "stopping":
      return "stopping";
    default:
      return unreachable(phase);
  }
}

/** The venue's Date is cut to the second, and its answers take their way: less than these is no skew. PegbotClockSkew has the same. */
const BEHIND_MS_MAX = 1_000;
const AHEAD_MS_MAX = 2_000;

/** `skewMs`: our clock less the venue's. Undefined where they agree, or were not compared. */
export function clockText(skewMs: number | undefined): string | undefined {
  if (skewMs === undefined || (skewMs >= -BEHIND_MS_MAX && skewMs <= AHEAD_MS_MAX)) return undefined;
  const how = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs < 0 ? "behind" : "ahead of"} the venue's`;
  return `${how}: mend this machine's time service`;
}

/** Our clock less what it is ahead of the venue's: ages and ends are counted by it, as by the bot itself. */
export function ownTime(at: Millis, skewMs: number | undefined): Millis {
  return millis(at - Math.max(0, Math.floor(skewMs ?? 0)));
}
