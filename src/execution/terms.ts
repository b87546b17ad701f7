// How patient the protocol is, as settings with defaults, and what they come to now that something has been measured.
// Nothing here makes a mint or a rail die by itself: that is no setting.

import { hasSettled, type MintRecord } from "../domain/mint.ts";
import type { Money } from "../domain/money/money.ts";
import type { MoneyKind, State, Submission, Witness } from "./submission.ts";

export type Schedule = {
  /** Milliseconds after the start, ascending. */
  readonly atMs: readonly number[];
  /** Afterwards, in phases. */
  readonly afterwards: readonly { readonly everyMs: number; readonly untilMs: number }[];
};

export type Settings = {
  readonly windowMsMin: number;
  /** The window is at least so many times the largest publication delay seen. */
  readonly windowPerDelay: number;
  readonly negatives: number;
  /** Of equity; what is worth more is never freed without a person. */
  readonly releaseBpsMax: number;
  /** Until so many orders were answered and seen in history, everything needs a person. */
  readonly acknowledgedMin: number;
  readonly escalateAfterMs: number;
  /** Without a fence the venue is asked again after so long, or after a tenth of the time that it has been asked for. */
  readonly fenceRetryMs: number;
  readonly fenceRetryMsMax: number;
  /** A round of questions that takes longer was lost. */
  readonly lookMsMax: number;
  /** Balances follow a fill within so long: until then a difference freezes its assets, afterwards it halts. */
  readonly balancesMsMax: number;
  readonly looks: Readonly<Record<MoneyKind, Schedule>>;
  /** When what has happened and takes its time is looked after: without an end, for the venue may hold it for weeks. */
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

export type Measured = {
  /** The largest of the delays between the answer to an order and its trade in history, of the last fills. */
  readonly slowestMs: number;
  readonly acknowledged: number;
  readonly equity: Money | undefined;
};

export type Terms = Omit<Settings, "windowMsMin" | "windowPerDelay" | "releaseBpsMax" | "acknowledgedMin"> & {
  readonly windowMs: number;
  /** The largest publication delay seen. */
  readonly publishedMs: number;
  /** Undefined: nothing is freed without a person. */
  readonly releaseMax: Money | undefined;
  /** Enough was measured, but what equity is cannot be said at the moment: a later look decides, no person is needed yet. */
  readonly awaitsEquity?: boolean;
};

export function termsOf(settings: Settings, { slowestMs, acknowledged, equity }: Measured): Terms {
  const { windowMsMin, windowPerDelay, releaseBpsMax, acknowledgedMin, ...patience } = settings;
  const isMeasured = acknowledged >= acknowledgedMin;
  return {
    ...patience,
    windowMs: Math.max(windowMsMin, windowPerDelay * slowestMs),
    publishedMs: slowestMs,
    releaseMax: isMeasured ? equity?.share(releaseBpsMax, "down") : undefined,
    awaitsEquity: isMeasured && equity === undefined,
  };
}

/** The first moment after `lastMs` at which to look, both counted from the start; undefined when looking is over. */
export function nextLook({ atMs, afterwards }: Schedule, lastMs: number | undefined): number | undefined {
  if (lastMs === undefined) return atMs[0] ?? afterwards[0]?.everyMs;
  // Every answered order asks: neither a function nor room for what it would see is made.
  for (let i = 0; i < atMs.length; i++) if ((atMs[i] as number) > lastMs) return atMs[i];
  for (const { everyMs, untilMs } of afterwards) if (lastMs < untilMs) return lastMs + everyMs;
  return undefined;
}

export type KindRule = {
  /** One round of questions; the first is the fence and the confirmation. */
  readonly witnesses: readonly [Witness, ...Witness[]];
  /** Only what carries an id of ours can be known to be missing. */
  readonly presumesDeath: boolean;
  readonly answers: string;
  /** Who says how it goes on after it happened; nobody of what is done at once. */
  readonly followed: readonly Witness[];
};

export const KIND_RULES: Readonly<Record<MoneyKind, KindRule>> = {
  order: {
    witnesses: ["trades", "orders", "balances"],
    presumesDeath: true,
    answers: "--filled|--not-filled",
    followed: [],
  },
  mint: {
    witnesses: ["supply-changes", "balances"],
    presumesDeath: false,
    answers: "--landed|--not-landed",
    followed: ["supply-changes"],
  },
  rail: {
    witnesses: ["rails"],
    presumesDeath: false,
    answers: "--landed|--not-landed",
    followed: ["rails", "payments"],
  },
};

/** It has happened, and is not over with that. */
export function isFollowed({ kind, state }: Pick<Submission, "kind" | "state">): boolean {
  return (state.kind === "confirmed" || state.kind === "zombie") && KIND_RULES[kind].followed.length > 0;
}

/** Whom a round of questions is asked of, as things stand. */
export function witnessesOf({ kind, state }: Pick<Submission, "kind" | "state">): readonly Witness[] {
  const { witnesses, followed } = KIND_RULES[kind];
  if (state.kind === "confirmed" || state.kind === "zombie") {
    if (isAwaited(kind, state)) return BALANCES;
    // What it cost stands in the balances.
    return kind === "mint" && (state.receipt as MintRecord).spent === undefined ? [...followed, ...BALANCES] : followed;
  }
  const isFenced = (state.kind === "fenced" || state.kind === "escalated") && state.fence !== undefined;
  // Without a fence only the fence matters, and an answered order needs only the history that decides.
  return isFenced ? witnesses : FIRST_WITNESS[kind];
}

const BALANCES: readonly Witness[] = ["balances"];
const FIRST_WITNESS: Readonly<Record<MoneyKind, readonly Witness[]>> = {
  order: [KIND_RULES.order.witnesses[0]],
  mint: [KIND_RULES.mint.witnesses[0]],
  rail: [KIND_RULES.rail.witnesses[0]],
};

/** The record says that it has settled: the balances are the last word. */
function isAwaited(kind: MoneyKind, state: Extract<State<unknown>, { readonly receipt: unknown }>): boolean {
  return kind === "mint" && hasSettled(state.receipt as MintRecord);
}
