// The kinds of world that the net is cast in: what happens there, how late the venue's lists are, and what must hold.

import { Money } from "../../../src/domain/money/money.ts";

/** How the fee of a payment onto the account can be known: from its row, from the configuration, or not at all. */
export type FeeSource = "row" | "configuration" | "none";

export type Kind = {
  readonly name: string;
  /** Per hour. */
  readonly orders: number;
  readonly payments: number;
  readonly mints: number;
  readonly fees: FeeSource;
  /** Share of order and mint requests whose answer, or which themselves, are lost. */
  readonly lost: number;
  /** The same for mints alone. */
  readonly lostMints: number;
  /** What the venue takes for a mint, in its answer only; what may be taken at most is 10 in worlds where it is above zero. */
  readonly mintFeeBps: number;
  /** Each list of a life is late by nothing, half of this, or all of it. */
  readonly lateMs: number;
  /** Share of answers that come from a replica 5 to 60 s behind, so that lists go back in time. */
  readonly behind: number;
  /** Bot processes killed per hour, at any point. */
  readonly restarts: number;
  /** Commands of other processes per hour, a third of them killed at any point. */
  readonly commands: number;
  /** Whether the rule promises that nothing halts the bot but a theft. */
  readonly isPromised: boolean;
};

const CALM: Omit<Kind, "name"> = {
  orders: 50,
  payments: 0,
  mints: 0,
  fees: "row",
  lost: 0,
  lostMints: 0,
  mintFeeBps: 0,
  lateMs: 0,
  behind: 0,
  restarts: 0,
  commands: 0,
  isPromised: true,
};

const UNDER_FOUR = 3.5;
const MIXED = { payments: UNDER_FOUR, mints: 2 };

export const KINDS: readonly Kind[] = [
  { ...CALM, name: "orders" },
  { ...CALM, name: "unknown outcomes", lost: 0.15 },
  { ...CALM, name: "mints", mints: 4, mintFeeBps: 7 },
  { ...CALM, name: "mints of unknown outcome", mints: 4, lostMints: 0.5 },
  { ...CALM, name: "mints of unknown outcome and fee", mints: 4, lostMints: 0.5, mintFeeBps: 7, isPromised: false },
  { ...CALM, name: "payments, fees stated", payments: UNDER_FOUR },
  { ...CALM, name: "payments, fees configured", payments: UNDER_FOUR, fees: "configuration" },
  { ...CALM, name: "payments, fees unstated", payments: UNDER_FOUR, fees: "none", isPromised: false },
  { ...CALM, name: "busy payments", payments: 12, isPromised: false },
  { ...CALM, ...MIXED, name: "late by 5 s", lateMs: 5_000 },
  { ...CALM, ...MIXED, name: "late by 30 s", lateMs: 30_000 },
  { ...CALM, ...MIXED, name: "late by 60 s", lateMs: 60_000 },
  { ...CALM, ...MIXED, name: "30 % from a replica behind", behind: 0.3 },
  { ...CALM, ...MIXED, name: "restarts", restarts: 20 },
  { ...CALM, ...MIXED, name: "a restart a minute", restarts: 60 },
  { ...CALM, ...MIXED, name: "commands", mints: 0, commands: 12 },
  {
    ...CALM,
    ...MIXED,
    name: "all together",
    lost: 0.1,
    lostMints: 0.1,
    lateMs: 30_000,
    behind: 0.1,
    restarts: 10,
    commands: 6,
  },
];

/** What the venue takes off a payment onto the account. */
export function feeOf(amount: Money): Money {
  return amount.share(30, "up").rounded(2, "up").max(Money.zero(amount.asset));
}

/** What may be taken for a mint at most: nothing where the venue takes nothing. */
export const MINT_FEE_BPS_MAX = 10;
