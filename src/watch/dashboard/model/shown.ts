// The data that the page gets with the status: fills, unfilled orders, slots, mints and rails, prices over time, and
// the sentences about the status in the same words as screen, log and commands. Plain data; amounts are exact texts,
// prices are signals.

import type { Millis } from "../../../domain/time.ts";
import type { ShownFill, Status } from "../../status.ts";
import { ALL_ANEW, acceptedTexts, againTexts, agreeText } from "../../text/resume-text.ts";
import { clockText, stateText, unsaidReasons } from "../../text/status-text.ts";
import type { TierData, TierPoint } from "./series.ts";

/** An order that was sent and not filled: killed or refused by the venue. */
export type ShownMiss = {
  readonly at: Millis;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: string;
  readonly limit: number;
  readonly why: string;
};

/** A slot of the key's budget that this process used. */
export type ShownSlot = {
  readonly at: Millis;
  readonly class: string;
  /** Starts with the path of the call. */
  readonly what: string;
  readonly waitedMs: number;
  readonly tookMs: number;
  readonly end: string;
};

/** A mint or a rail from request to arrival, or a payment on a rail from the account to its destination. */
export type ShownSettlement = {
  readonly id: string;
  readonly kind: "mint" | "rail" | "payment";
  readonly asset: string;
  readonly what: string;
  readonly state: string;
  readonly from: Millis;
  /** Undefined while it is in progress. */
  readonly to: Millis | undefined;
};

export type PairShown = {
  readonly symbol: string;
  /** For a coin against its own fiat: the largest deviation from 1 at which fair value is still trusted. */
  readonly parBandBps: number | undefined;
};

/** The status with the sentences about it. */
export type SpokenStatus = Status & { readonly words: Words };

/** The complete data with which a page starts, and restarts after a lost connection. */
export type Snapshot = {
  /** The id of the process; it changes at a restart. */
  readonly boot: string;
  readonly pairs: readonly PairShown[];
  readonly status: SpokenStatus;
  readonly columns: readonly string[];
  readonly tiers: readonly TierData[];
  readonly fills: readonly ShownFill[];
  readonly misses: readonly ShownMiss[];
  readonly slots: readonly ShownSlot[];
  readonly settlements: readonly ShownSettlement[];
};

/** The changes of one second. Unchanged lists are left out. */
export type Tick = {
  readonly status: Omit<SpokenStatus, "decisions" | "notes"> & Partial<Pick<Status, "decisions" | "notes">>;
  readonly points: readonly TierPoint[];
  readonly fills: readonly ShownFill[];
  readonly misses: readonly ShownMiss[];
  readonly slots: readonly ShownSlot[];
  readonly settlements?: readonly ShownSettlement[];
};

export type Words = {
  readonly doing: string;
  /** Reasons for not being ready that neither a stop nor the phase already states. */
  readonly unsaid: readonly string[];
  /** Causes that would stop the bot again after a resume, each with its first remedy. */
  readonly again: readonly string[];
  /** The figures that a resume accepts, and how they count afterwards. */
  readonly accepts: readonly string[];
  readonly forgiven: string;
  /** For a stop over balances: whether they agree again, and since when. */
  readonly balances?: string | undefined;
  /** The difference between our clock and the venue's; absent where they agree. */
  readonly skew?: string | undefined;
};

export function wordsOf(status: Status): Words {
  // Lifting a person's own stop accepts no figures.
  const isOwn = status.standing.cause === "person";
  return {
    doing: stateText(status.state, status.at),
    unsaid: unsaidReasons(status),
    again: againTexts(status.standing),
    accepts: isOwn ? [] : acceptedTexts(status.limits).map((text) => `accepts ${text}`),
    forgiven: isOwn ? "all figures stay: a limit that is still broken stops the bot again" : ALL_ANEW,
    balances: agreeText(status.standing, status.balancesAgreeSince),
    skew: clockText(status.budget?.skewMs),
  };
}
