// The status in words: current activity and why it is not trading, one line for the log, value and profit, our clock
// against the venue's.

import type { Phase } from "../../bot/observer.ts";
import { amountText, changeText, perRequestText } from "../../domain/amount-text.ts";
import { unreachable } from "../../domain/invariant.ts";
import { type Millis, millis } from "../../domain/time.ts";
import { durationText } from "../../domain/time-text.ts";
import { pauseOf } from "../status/connectivity.ts";
import { doubtsOf, openCount, type ShownEquity, type ShownState, type ShownTotals, type Status } from "../status.ts";

/** The prefix of `frozen` when everything is frozen. */
const ALL = "everything: ";

/** Reasons for not being ready that neither a stop nor the phase already states. */
export function unsaidReasons({ unready, phase }: Pick<Status, "unready" | "phase">): readonly string[] {
  if (phase.kind !== "trading") return [];
  return unready.filter((reason) => !/^(REDUCED|HALTED): /.test(reason));
}

/** Whether orders may leave, even if only those that reduce: pipeline, state and all other reasons must allow it. */
export function isTrading(status: Pick<Status, "phase" | "standing" | "unready">): boolean {
  const { phase, standing } = status;
  const isOpen = standing.state === "ACTIVE" || standing.state === "REDUCED";
  return phase.kind === "trading" && isOpen && unsaidReasons(status).length === 0;
}

/** With only some assets frozen, the others are traded. */
export function isAllFrozen({ frozen }: Pick<Status, "frozen">): boolean {
  return frozen?.startsWith(ALL) ?? false;
}

/** `CAPPED for 0:12:00: why. Frees it: what`. */
export function stateText({ word, since, why, frees }: ShownState, at: number): string {
  const age = since === undefined ? "" : ` for ${durationText(at - since)}`;
  return `${word}${age}${why === "" ? "" : `: ${why}`}${frees === "" ? "" : `. Frees it: ${frees}`}`;
}

/** The state with its reason, the figures, and the strategy's words while it trades. */
export function minuteLine(status: Status): string {
  const { state, at, strategy, said, frozen, budget } = status;
  // A pause also explains why venue and journal are still being compared.
  const pause = state.word === "STARTING" ? pauseOf(false, budget) : undefined;
  const more =
    pause ?? (frozen === undefined ? undefined : `frozen ${frozen}`) ?? (said && `${strategy} says: ${said.text}`);
  return `${stateText(state, at)}; ${summaryLine(status)}${more === undefined ? "" : `; ${more}`}`;
}

export function summaryLine(status: Status): string {
  const { equity, counts, budget, journal } = status;
  const used = budget?.usedBps === undefined ? "" : `, budget used ${Math.round(budget.usedBps / 100)} %`;
  return (
    `equity ${equityText(equity)}, today ${changeText(equity.today)}${sourcesText(equity.sources)}, ` +
    `fills ${counts.fills}, round trips ${counts.roundTrips}, refused ${counts.refused}, open ${openCount(status)}, doubts ${doubtsOf(status).length}${used}${requestEdgeText(equity)}, ` +
    `journal ${journal.records ?? "-"} records`
  );
}

/** `, edge 0.0012 CHF a request`. */
export function requestEdgeText({ edgePerRequest, currency }: ShownEquity): string {
  return edgePerRequest === undefined ? "" : `, edge ${perRequestText(edgePerRequest)} ${currency} a request`;
}

/** `1,234.56 CHF`; what has a price, and what has none, while equity is unknown. */
export function equityText({ now, priced, missing, currency }: ShownEquity): string {
  if (now !== undefined || priced === undefined) return `${amountText(now)} ${currency}`;
  return `at least ${amountText(priced)} ${currency} (${missing})`;
}

/** `PAPER, demo market: prices built to be earned from`. */
export function marketText({ mode, environment, market }: Pick<Status, "mode" | "environment" | "market">): string {
  const where = mode === "live" ? `LIVE on ${environment}` : mode.toUpperCase();
  return market === undefined ? where : `${where}, ${market}`;
}

/** ` = trading +1.20, opening -0.40, FX +12.00`: the parts add up to the result of the day. */
export function sourcesText(sources: ShownEquity["sources"]): string {
  if (sources === undefined) return "";
  const { trading, opening, fx } = sources;
  return ` = trading ${changeText(trading)}, opening ${changeText(opening)}, FX ${changeText(fx)}`;
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

/**
 * The venue's Date is truncated to the second, and answers take time to arrive: smaller differences are no skew.
 * PegbotClockSkew uses the same values.
 */
const BEHIND_MS_MAX = 1_000;
const AHEAD_MS_MAX = 2_000;

/** `skewMs`: our clock minus the venue's. Undefined if they agree or were not compared. */
export function clockText(skewMs: number | undefined): string | undefined {
  if (skewMs === undefined || (skewMs >= -BEHIND_MS_MAX && skewMs <= AHEAD_MS_MAX)) return undefined;
  const how = `${(Math.abs(skewMs) / 1_000).toFixed(1)} s ${skewMs < 0 ? "behind" : "ahead of"} the venue's`;
  return `${how}: orders go by the venue's; tell the venue if NTP says that this machine's clock is right, else mend it`;
}

/** Our clock minus its lead over the venue's; ages and expiries are counted by it, as in the bot. */
export function ownTime(at: Millis, skewMs: number | undefined): Millis {
  return millis(at - Math.max(0, Math.floor(skewMs ?? 0)));
}
