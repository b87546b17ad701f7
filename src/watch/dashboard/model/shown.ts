// What the page gets with the status: fills, unfilled orders, slots, mints and rails, prices over time, and the sentences about the
// status, in the words of screen, log and commands. Plain data; amounts are exact texts, prices are signals.

import type { Millis } from "../../../domain/time.ts";
import type { ShownFill, Status } from "../../status.ts";
import { ALL_ANEW, acceptedTexts, againTexts, agreeText } from "../../text/resume-text.ts";
import { clockText, doingText, unsaidReasons } from "../../text/status-text.ts";
import type { TierData, TierPoint } from "./series.ts";

/** An order that left and was not filled: killed by the venue, or refused by it. */
export type ShownMiss = {
  readonly at: Millis;
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: string;
  readonly limit: number;
  readonly why: string;
};

/** A slot of the key's budget that this process had. */
export type ShownSlot = {
  readonly at: Millis;
  readonly class: string;
  /** Begins with the path of the call. */
  readonly what: string;
  readonly waitedMs: number;
  readonly tookMs: number;
  readonly end: string;
  /** Why it was this: in hundredths of the currency of the limits, and the best of what else waited. */
  readonly worth?: number | undefined;
  readonly over?: { readonly class: string; readonly worth: number } | undefined;
};

/** A mint or a rail, from request to arrival, or a payment on a rail, from the account to where it goes. */
export type ShownSettlement = {
  readonly id: string;
  readonly kind: "mint" | "rail" | "payment";
  readonly asset: string;
  readonly what: string;
  readonly state: string;
  readonly from: Millis;
  /** Undefined while it is on its way. */
  readonly to: Millis | undefined;
};

export type PairShown = {
  readonly symbol: string;
  /** Of a coin against its own fiat: how far from 1 fair value is still believed. */
  readonly parBandBps: number | undefined;
};

/** The status with the sentences that are said of it. */
export type SpokenStatus = Status & { readonly words: Words };

/** Everything: what a page begins with, and begins again with when it was away. */
export type Snapshot = {
  /** Of the process: another one is another life. */
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

/** What a second brought. Lists that did not change are left out. */
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
  /** Why it is not ready, where no stop and no phase says it already. */
  readonly unsaid: readonly string[];
  /** What would stop it again after a resume, with what to do first. */
  readonly again: readonly string[];
  /** What a resume accepts, and what becomes of the figures. */
  readonly accepts: readonly string[];
  readonly forgiven: string;
  /** Of a stop over balances: whether they agree again, and since when. */
  readonly balances?: string | undefined;
  /** How far our clock is from the venue's; absent where they agree. */
  readonly skew?: string | undefined;
};

export function wordsOf(status: Status): Words {
  // Of a person's own stop nothing is accepted.
  const isOwn = status.standing.cause === "person";
  return {
    doing: doingText(status),
    unsaid: unsaidReasons(status),
    again: againTexts(status.standing),
    accepts: isOwn ? [] : acceptedTexts(status.limits).map((text) => `accepts ${text}`),
    forgiven: isOwn ? "all figures stay: a limit that is still broken stops the bot again" : ALL_ANEW,
    balances: agreeText(status.standing, status.balancesAgreeSince),
    skew: clockText(status.budget?.skewMs),
  };
}
