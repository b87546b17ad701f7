// The parameters of the protocol: settings with their defaults, the query schedules, and what the settings come to once
// publication delays and equity are known. No setting releases a mint or a rail without a person.

import type { Money } from "../domain/money/money.ts";
import type { MoneyKind, Witness } from "./request.ts";

export type Schedule = {
  /** Milliseconds after the start, ascending. */
  readonly atMs: readonly number[];
  readonly afterwards: readonly { readonly everyMs: number; readonly untilMs: number }[];
};

export type Settings = {
  readonly windowMsMin: number;
  /** The window is at least this many times the slowest publication of the last fills. */
  readonly windowPerDelay: number;
  readonly negatives: number;
  /** Of equity: a request worth more is not released without a person. */
  readonly releaseBpsMax: number;
  /** Until this many orders are acknowledged, three releases a day are the most. */
  readonly acknowledgedMin: number;
  readonly escalateAfterMs: number;
  /** Without a fence the venue is queried again after this long, or after a tenth of the time since the first query. */
  readonly fenceRetryMs: number;
  readonly fenceRetryMsMax: number;
  /** A round that takes longer was lost. */
  readonly lookMsMax: number;
  /** Balances show a booking within this time; the limits of the balance check follow from it. */
  readonly balancesMsMax: number;
  readonly looks: Readonly<Record<MoneyKind, Schedule>>;
  /** For what happened and takes its time to settle. */
  readonly follow: Schedule;
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const SLOW: Schedule = {
  atMs: [0],
  afterwards: [
    { everyMs: MINUTE, untilMs: 10 * MINUTE },
    { everyMs: 5 * MINUTE, untilMs: 6 * HOUR },
    { everyMs: 15 * MINUTE, untilMs: 7 * DAY },
  ],
};

export const DEFAULT_SETTINGS: Settings = {
  windowMsMin: 120 * SECOND,
  windowPerDelay: 10,
  negatives: 3,
  releaseBpsMax: 100,
  acknowledgedMin: 200,
  escalateAfterMs: 15 * MINUTE,
  fenceRetryMs: 5 * SECOND,
  fenceRetryMsMax: 15 * MINUTE,
  lookMsMax: 90 * SECOND,
  balancesMsMax: 120 * SECOND,
  looks: {
    order: {
      atMs: [0, 5, 15, 30, 60, 120, 300, 600, 900].map((seconds) => seconds * SECOND),
      afterwards: [{ everyMs: 15 * MINUTE, untilMs: DAY }],
    },
    mint: SLOW,
    rail: SLOW,
  },
  follow: {
    atMs: [5 * SECOND, 15 * SECOND, 30 * SECOND],
    afterwards: [
      { everyMs: MINUTE, untilMs: 10 * MINUTE },
      { everyMs: 5 * MINUTE, untilMs: DAY },
      { everyMs: 15 * MINUTE, untilMs: Number.POSITIVE_INFINITY },
    ],
  },
};

/** Whether an absent request may be released without a person now. */
export type Release =
  | { readonly kind: "up-to"; readonly value: Money }
  /** Equity has no price at the moment: a later round decides. */
  | { readonly kind: "awaits-equity" }
  | { readonly kind: "person"; readonly why: string };

/** What has been measured and released so far. */
export type Measured = {
  readonly slowestMs: number;
  readonly acknowledged: number;
  /** Releases without a person on this UTC day. */
  readonly releasedToday: number;
  /** A fill of ours was shown by trades, orders and balances. */
  readonly hasShownFill: boolean;
  /** A released order filled after all, and no person has resumed since. */
  readonly hasLateFill: boolean;
};

export type Parameters = Omit<Settings, "windowMsMin" | "windowPerDelay" | "releaseBpsMax" | "acknowledgedMin"> & {
  readonly windowMs: number;
  /** The slowest publication seen. */
  readonly publishedMs: number;
  readonly release: Release;
};

const RELEASES_A_DAY_MAX = 3;
/** A venue whose publication was hardly measured yet may take this long. */
export const PUBLISHED_MS_MIN = 30 * SECOND;

/** `orderMax`: the limit on the value of one order; undefined where there is none. */
export function parametersOf(
  settings: Settings,
  measured: Measured,
  { equity, orderMax }: { readonly equity: Money | undefined; readonly orderMax: Money | undefined },
): Parameters {
  const { windowMsMin, windowPerDelay, releaseBpsMax, acknowledgedMin, ...rest } = settings;
  const windowMs = Math.max(windowMsMin, windowPerDelay * measured.slowestMs);
  const share = equity?.share(releaseBpsMax, "down");
  const why = personNeeded(measured, acknowledgedMin);
  const release: Release =
    why !== undefined
      ? { kind: "person", why }
      : share === undefined
        ? { kind: "awaits-equity" }
        : { kind: "up-to", value: orderMax?.asset === share.asset ? share.min(orderMax) : share };
  return { ...rest, windowMs, publishedMs: measured.slowestMs, release };
}

function personNeeded(measured: Measured, acknowledgedMin: number): string | undefined {
  const { acknowledged, releasedToday, hasShownFill, hasLateFill } = measured;
  if (hasLateFill) return "a released order filled after all, and no one has resumed since";
  if (!hasShownFill) return "trades, orders and balances have not shown a fill of this account yet";
  if (acknowledged < acknowledgedMin && releasedToday >= RELEASES_A_DAY_MAX)
    return `${RELEASES_A_DAY_MAX} releases a day are the most until ${acknowledgedMin} orders are acknowledged`;
  return undefined;
}

/** The first query time after `lastMs`, both counted from the start; undefined when querying is over. */
export function nextQuery({ atMs, afterwards }: Schedule, lastMs: number | undefined): number | undefined {
  if (lastMs === undefined) return atMs[0] ?? afterwards[0]?.everyMs;
  for (const ms of atMs) if (ms > lastMs) return ms;
  for (const { everyMs, untilMs } of afterwards) if (lastMs < untilMs) return lastMs + everyMs;
  return undefined;
}

type KindRule = {
  /** One round of queries; the first is the fence and the confirmation. */
  readonly witnesses: readonly [Witness, ...Witness[]];
  /** Only a request with an id of ours can be known to be missing. */
  readonly isReleasable: boolean;
  readonly answers: string;
  /** Queried after it happened. */
  readonly followed: readonly Witness[];
};

export const KIND_RULES: Readonly<Record<MoneyKind, KindRule>> = {
  order: {
    witnesses: ["trades", "orders", "balances"],
    isReleasable: true,
    answers: "--filled|--not-filled",
    followed: [],
  },
  mint: {
    witnesses: ["supply-changes", "balances"],
    isReleasable: false,
    answers: "--landed|--not-landed",
    followed: ["supply-changes"],
  },
  rail: {
    witnesses: ["rails"],
    isReleasable: false,
    answers: "--landed|--not-landed",
    followed: ["rails", "payments"],
  },
};
