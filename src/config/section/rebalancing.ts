// Rebalancing: the targets, the costs and times of the routes, and how much the running bot may do without approval.
// The venue's actual charges are read from its answers; plans calculate with these.

import { z } from "zod";
import { amount, assetName, basisPoints, milliseconds, wholeNumber } from "../../domain/field.ts";
import { day, matching, yesOrNo } from "../text.ts";
import { chainCode, entryName } from "./destination.ts";

const MONEY_MAX = "1000000000";
/** Below the edge that most strategies require, so that a strategy's purchase is not sold again at a loss. */
export const COST_BPS_MAX = 10;
const HOLDING = "must be an asset like VCHF, or an asset and a place like VCHF@ETH or CHF@BANK";
export const EVERY = [
  ...(["day", "weekday", "monday", "tuesday", "wednesday"] as const),
  ...(["thursday", "friday", "saturday", "sunday"] as const),
];
const PERSON = "must be 1 to 64 letters, digits, dots, hyphens and underscores";

function money(about: string) {
  return amount("0", MONEY_MAX, about);
}

function holding(about: string) {
  return matching(/^[A-Z0-9]{2,12}(?:@[A-Z0-9]{2,16})?$/, HOLDING, about);
}

function timeOfDay(about: string) {
  return matching(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a quoted time of day like "15:00", in UTC', about);
}

function mapping<K extends z.ZodType<string>, V extends z.ZodType>(key: K, value: V, about: string) {
  return z.record(key as unknown as z.ZodString, value, { error: "must be a mapping" }).describe(about);
}

/** A fee or a charge, from a day to another. */
function dated<S extends z.ZodRawShape>(shape: S, rule: string, about: string) {
  const first = day("first day, UTC; absent: since ever").optional();
  const last = day("last day, UTC; absent: without an end").optional();
  const one = z.strictObject({ from: first, until: last, ...shape }).refine(
    (days) => {
      const { from = "", until = "9" } = days as { readonly from?: string; readonly until?: string };
      return from <= until;
    },
    { error: "must not be before from", path: ["until"] },
  );
  return z.array(one, { error: rule }).default([]).describe(about);
}

const share = {
  bps: basisPoints(1, 99, "expected fee; absent: none").optional(),
  tiers: z
    .array(
      z.strictObject({
        above: money("what the journal has moved of its kind before, in the currency of the limits"),
        bps: basisPoints(0, 99, "fee from then on"),
      }),
      { error: "must be a list of { above, bps }" },
    )
    .default([])
    .describe("another share by the volume so far"),
};

const fixed = (about: string) => amount("0.01", "10000", about).optional();

function fees<S extends z.ZodRawShape>(shape: S) {
  const about = "fees with dates and tiers: on its days the first of them holds in place of feeBps and feeFixed";
  return dated({ ...share, ...shape }, "must be a list of fees", about);
}

/** Settings that mints and rails share. */
const toll = {
  feeBps: basisPoints(1, 99, "expected fee; absent: none").optional(),
  feeFixed: fixed("expected fee of any size, in what arrives; absent: none"),
  fees: fees({
    fixed: fixed("in addition to the share, in what arrives; absent: none"),
    minimum: fixed("the least that the share comes to, in what arrives; absent: none"),
  }),
  settlementHours: wholeNumber(1, 240, "expected hours until what was sent can be spent").default(4),
  opens: timeOfDay("when a working day begins there").default("08:00"),
  cutOff: timeOfDay("what comes later is served on the next working day; absent: served at any time").optional(),
};

const band = z.strictObject({
  low: money("never less").optional(),
  target: money("what shall be there").optional(),
  high: money("never more").optional(),
});

const mint = z.strictObject({ chain: chainCode, ...toll });

const rail = z.strictObject({
  toVenue: yesOrNo("of an on-ramp: its wallet is our own deposit address at the venue").default(false),
  minimum: amount("1", MONEY_MAX, "least that is moved").prefault("1"),
  quantityMax: amount("1", MONEY_MAX, "never more at once").optional(),
  ...toll,
});

export const planningSchema = z.strictObject({
  returnTo: z
    .enum(["edge", "target"])
    .default("edge")
    .describe("how far a holding that left its band is brought back: just inside, which is cheapest, or to its target"),
  elsewhere: mapping(
    holding("a place outside the venue"),
    money("what lies there"),
    "what the venue cannot tell us",
  ).default({}),
  capitalBpsPerYear: basisPoints(10, 999, "price of time: what capital on its way costs a year").default(500),
  riskBpsPerDay: basisPoints(1, 99, "price of rates that move while money is on its way, a day").default(5),
  stepCost: amount("0.01", "100", "further cost of every step, in the currency of the limits").prefault("0.1"),
  orders: z
    .strictObject({
      slippageBps: basisPoints(
        1,
        99,
        "how much worse than the venue's price an order is planned, each further one of a pair again",
      ).default(1),
      ordersMax: wholeNumber(1, 20, "orders of one pair and side in a plan").default(5),
      feeBps: basisPoints(1, 99, "expected fee of an order; absent: none").optional(),
      fees: fees({}),
      refillMs: milliseconds(1_000, 900_000, "expected time until the next order of a pair finds a price").default(
        30_000,
      ),
    })
    .prefault({})
    .describe("orders as a route"),
  mints: mapping(assetName("a coin"), mint, "mints as a route, by coin").default({}),
  rails: mapping(entryName, rail, "rails as a route, by the name of their template in treasury.rails").default({}),
  unused: dated(
    {
      above: money("wired in so far; a charge falls on what is above it"),
      currency: assetName("of the threshold"),
      bps: basisPoints(10, 999, "share charged of what is above it"),
      spentBps: basisPoints(100, 9_999, "part of all that was wired in from which on nothing is charged"),
    },
    "must be a list of { above, currency, bps, spentBps }",
    "charges on money that was wired in and not spent, of which the first that holds on a day counts: warned of before a wire or an off-ramp",
  ),
});

export const targetsSchema = mapping(
  holding("what the target is about"),
  band,
  "what to hold of each asset, and where",
);

const person = z.strictObject({
  name: matching(/^[A-Za-z0-9._-]{1,64}$/, PERSON, "of the user on this machine"),
});

export const approvalsSchema = z.strictObject({
  automatic: yesOrNo("the running bot rebalances by itself, within what follows").default(false),
  lookMs: milliseconds(5_000, 3_600_000, "how often the running bot looks at its targets").default(60_000),
  orderValueMax: amount("1", MONEY_MAX, "an order of more is asked for; absent: every order").optional(),
  mintValueMax: amount("1", MONEY_MAX, "a mint of more is asked for; absent: every mint").optional(),
  railValueMax: amount("1", MONEY_MAX, "a payment on a rail of more is asked for; absent: every rail").optional(),
  costBpsMax: basisPoints(
    1,
    99,
    "a step that loses more of what it moves, by spread and fees at fair value, is asked for",
  ).default(COST_BPS_MAX),
  dayValueMax: amount("1", MONEY_MAX, "all that is moved on a UTC day without asking; absent: nothing").optional(),
  expiryMs: milliseconds(60_000, 3_600_000, "how long a plan can be approved, and an approval be used").default(
    600_000,
  ),
  persons: wholeNumber(1, 2, "how many different people must approve").default(1),
  people: z
    .array(person, { error: "must be a list of people" })
    .max(20)
    .default([])
    .describe("who may approve; without any, every user of this machine"),
  byHand: yesOrNo(
    "one person may mint and register rails by the commands; false: they go out with approved plans alone; absent: true unless persons is 2",
  ).optional(),
});

/** Requiring two people applies to every mint and rail, unless `byHand` says otherwise. */
export function isByHand({ byHand, persons }: Pick<z.infer<typeof approvalsSchema>, "byHand" | "persons">): boolean {
  return byHand ?? persons === 1;
}

// Standing instructions: a holding that is kept within a band, or an amount that is converted at set times.

const instruction = z.strictObject({
  keep: holding("the holding that is kept within low and high; then without from, to, amount, every and at").optional(),
  low: money("never less").optional(),
  target: money("what shall be there").optional(),
  high: money("never more").optional(),
  from: holding("what is given, at set times").optional(),
  to: holding("what is wanted").optional(),
  amount: z
    .union([z.literal("all"), amount("0.01", "1000000000", "")])
    .describe("of from; all: what is available then, and its own band can spare")
    .optional(),
  every: z.enum(EVERY).describe("day, weekday, or the day of the week; on a holiday the next working day").optional(),
  at: timeOfDay("when it begins").optional(),
  withinHours: wholeNumber(
    1,
    160,
    "it ends by then; until then it waits for a better price, and for approvals",
  ).default(4),
  maxCostBps: basisPoints(1, 999, "no step loses more; absent: 20 at set times, for a band as planned").optional(),
});

export const conversionsSchema = mapping(entryName, instruction, "standing instructions, by a name of ours");
