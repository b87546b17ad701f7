// The bot at one moment, as plain data: screen, page, `pegbot status`, metrics, messages and the control API read this one schema. A running
// bot makes it of itself; without one it is a fold of the journal, and what only a running bot knows is absent. Amounts are exact texts,
// prices are signals; what is not known is absent, never zero.

import { z } from "zod";
import type { NoFair } from "../domain/fair.ts";
import { refusalOf } from "../domain/money/grammar.ts";
import type { RiskState } from "../domain/step.ts";
import { STOP_CAUSES } from "../domain/stop-cause.ts";
import type { Millis } from "../domain/time.ts";

export type Shown<T> = T extends string | number | boolean | undefined
  ? T
  : T extends readonly (infer One)[]
    ? readonly Shown<One>[]
    : { readonly [K in keyof T]: Shown<T[K]> };

export const amount = z
  .string()
  .refine((text) => refusalOf(text, "any") === undefined)
  .meta({ description: "an exact decimal" });
export const moment = z
  .number()
  .int()
  .meta({ description: "UTC milliseconds" }) as z.ZodType<number> as z.ZodType<Millis>;
export const RISK_STATES = ["ACTIVE", "REDUCED", "HALTED"] as const satisfies readonly RiskState[];

export const LIMIT_KEYS = [
  "daily-loss",
  "drawdown",
  "asset-exposure",
  "gross-exposure",
  "turnover-hour",
  "turnover-day",
  "fees-day",
  "orders-minute",
  "orders-day",
  "rejects",
  "losses",
  "doubts",
  "doubt-age",
] as const;

const countsSchema = z.object({ approved: z.number(), refused: z.number(), fills: z.number() });

const budgetSchema = z.object({
  /** Granted since the key's ledger was made, to whatever process. */

  slots: z.number(),
  /** Requests in the last minute, of those that the pace would allow. */

  usedBps: z.number().optional(),
  spacingMs: z.number(),
  waiting: z.array(z.string()),
  rateLimited: z.number(),
  /** After a storm of them: until it is calm nothing but doubts is asked about. */

  doubtsOnly: z.boolean().optional(),
  skewMs: z.number().optional(),
});
export type ShownBudget = Shown<z.output<typeof budgetSchema>>;

export const DECISION_OUTCOMES = [
  "refused",
  "approved",
  "sending",
  "filled",
  "confirmed",
  "rejected",
  "not sent",
  "doubt",
  "escalated",
  "dead",
] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

export const decisionSchema = z.object({
  at: moment,
  clientOrderId: z.string().optional(),
  symbol: z.string(),
  side: z.string(),
  size: z.string(),
  limit: z.string(),
  reason: z.string(),
  outcome: z.enum(DECISION_OUTCOMES),
  /** Which rule refused, what the venue said. */

  note: z.string(),
  /** How often in a row, of the same refusal. */

  times: z.number(),
});
export type ShownDecision = Shown<z.output<typeof decisionSchema>>;

/** Of the engine's statement, as `ShownTotals`: what is held is worth at this moment, and what the UTC day came to. */
const equitySchema = z.object({
  currency: z.string(),
  /** As limits count it: a coin at the lower of par and the best known bid, every open order at its worst. */

  now: amount.optional(),
  /** All that is held at the middle of the venue's prices, and with every coin at par. */

  atMid: amount.optional(),
  atPar: amount.optional(),
  /** Of the oldest price behind it. */

  markAgeMs: z.number().optional(),
  /** What it waits for while it is not known. */

  missing: z.string().optional(),
  /** Since the UTC day was opened, also where a person resumed in it: what moved in value, and what was realised by trades. */

  today: amount.optional(),
  realised: amount,
  turnover: amount,
  orders: z.number(),
  /**
   * What prices and rates did today to what is held: today = realised + revaluation - mintFees - railFees. Fees of trades are in what
   * was realised or in the cost of what is held.
   */

  revaluation: amount.optional(),
  fees: amount.optional(),
  mintFees: amount.optional(),
  railFees: amount.optional(),
  /** Change of equity for each request since the process, or the UTC day, began; of a running bot. */

  perRequest: z.number().optional(),
});
export type ShownEquity = Shown<z.output<typeof equitySchema>>;

/** Where prices come from, and whether they come. */
const feedSchema = z.object({
  name: z.string(),
  kind: z.enum(["venue", "reference"]),
  /** Since its last price; undefined before the first. */

  ageMs: z.number().optional(),
  /** What is wrong with it. */

  trouble: z.string().optional(),
});
export type ShownFeed = Shown<z.output<typeof feedSchema>>;

export const fillSchema = z.object({
  at: moment,
  clientOrderId: z.string(),
  symbol: z.string(),
  side: z.string(),
  size: amount,
  price: z.number(),
  bought: amount,
  boughtAsset: z.string(),
  sold: amount,
  soldAsset: z.string(),
  fee: amount,
  feeAsset: z.string(),
  edgeBps: z.number().optional(),
});
export type ShownFill = Shown<z.output<typeof fillSchema>>;

const flightSchema = z.object({
  id: z.string(),
  door: z.string(),
  spent: z.string(),
  comes: z.string(),
  since: moment,
  ageMs: z.number(),
  /** The venue's word, and why. */

  status: z.string().optional(),
  reason: z.string().optional(),
  /** What counts of it in a cautious figure. */

  cautious: amount,
});
export type ShownFlight = Shown<z.output<typeof flightSchema>>;

const bandSchema = z.object({ low: amount.optional(), target: amount.optional(), high: amount.optional() });

export const holdingSchema = z.object({
  asset: z.string(),
  held: amount.optional(),
  available: amount.optional(),
  /** What open orders may still spend. */

  reserved: amount,
  /** The venue's own figure next to what is available; undefined when it states none. */

  pending: amount.optional(),
  /** Part of what is held: on its way by mints and payments, and not spendable. */

  inFlight: amount,
  /** No part of what is held: coins of mints that the books do not have yet. Plans count them as in flight too. */

  mayCome: amount,
  /** What the limits keep back; none where that is loosened. */

  floor: amount.optional(),
  /** What `treasury.targets` wants here; undefined where it says nothing. */

  band: bandSchema.optional(),
  /** In the currency of the limits. */

  value: amount.optional(),
});
export type ShownHolding = Shown<z.output<typeof holdingSchema>>;

const limitSchema = z.object({
  key: z.enum(LIMIT_KEYS),
  /** RC05 and the like. */

  rule: z.string(),
  name: z.string(),
  /** An asset, `s`, or nothing for counts. */

  unit: z.string(),
  /** Undefined when it cannot be computed. */

  used: z.number().optional(),
  /** Undefined when it is loosened by name, NaN while its base is unknown: null in JSON. */

  limit: z
    .number()
    .nullish()
    .transform((most) => (most === null ? Number.NaN : most)),
  usedBps: z.number().optional(),
});
export type ShownLimit = Shown<z.output<typeof limitSchema>>;

const offlineSchema = z.object({
  symbol: z.string(),
  /** The venue's word, or `not listed`. */

  word: z.string(),
  /** Since when it is seen so. */

  since: moment,
});
export type ShownOffline = Shown<z.output<typeof offlineSchema>>;

const quoteSchema = z.object({
  symbol: z.string(),
  bid: z.number().optional(),
  ask: z.number().optional(),
  ageMs: z.number().optional(),
  fair: z.number().optional(),
  /** Why there is no fair value. */

  noFair: (z.string() as unknown as z.ZodType<NoFair>).optional(),
});
export type ShownQuote = Shown<z.output<typeof quoteSchema>>;

/** What `pegbot status` adds from the journal and the key ledger. */
const seenFromOutsideSchema = z.object({
  /** The running one, with where it was started and the address of its page; and why it is not known whether one runs. */

  bot: z.object({ pid: z.number(), since: moment, folder: z.string(), page: z.string().optional() }).optional(),
  botUnknown: z.string().optional(),
  /** Why the running bot gave no status: this one is folded from the journal. */

  silent: z.string().optional(),
  /** The journal that the key's bot and commands use, where this is another file. */

  keyJournal: z.string().optional(),
  /** The journal is not all that its anchor knows: what is shown may be less than what happened. */

  damage: z.object({ verdict: z.string(), message: z.string(), wayOut: z.string() }).optional(),
  /**
   * Equity as the journal last recorded it, where it opened a day or set a peak; and what was adopted or paid in and out since, which
   * is no gain, and money all the same.
   */

  marked: z.object({ equity: z.string(), at: moment, adopted: z.string().optional() }).optional(),
  /** When the last record was written. */

  recordedAt: moment.optional(),
});

export const stopSchema = z.object({
  state: z.enum(RISK_STATES),
  reason: z.string(),
  /** The command that leads out. */

  wayOut: z.string(),
  by: z.string(),
  since: moment,
  /** Of every stop; absent in ACTIVE. */

  cause: z.enum(STOP_CAUSES).optional(),
  /** What of that cause, and what more was found of it; absent where the reason says it. */

  subject: z.string().optional(),
  finding: z.string().optional(),
});
export type ShownStop = Shown<z.output<typeof stopSchema>>;

/** A request that moves money and has not come to its end. */
export const submissionSchema = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  what: z.string(),
  isDoubt: z.boolean(),
  since: moment.optional(),
  /** The venue's word of how far a mint or rail is, verbatim. */

  venueWord: z.string().optional(),
  /** Why, and by what id the venue knows it: its support asks for both. */

  venueReason: z.string().optional(),
  /** Since when the venue is seen to hold it; absent where it does not. */

  heldSince: moment.optional(),
  venueId: z.string().optional(),
  /** How a person decides what evidence did not; absent while it still may. */

  decide: z.string().optional(),
});
export type ShownSubmission = Shown<z.output<typeof submissionSchema>>;

/** Never starting anew: two of them tell what happened between. */
export const totalsSchema = countsSchema.extend({
  currency: z.string(),
  turnover: amount,
  /** The fees of trades; those of mints and rails stand apart. */

  fees: amount,
  /** Of mints and of payments on rails; and how many of these had no value. */

  mintFees: amount,
  railFees: amount,
  unvaluedFees: z.number(),
  /** At average cost and at the rate of each fill; what trades left open, at the mark; and FX revaluation. */

  realised: amount,
  unrealised: amount.optional(),
  fx: amount.optional(),
  /** What people and payments put in, less what they took out; and how often that had no value. */

  brought: amount,
  unvalued: z.number(),
});
export type ShownTotals = Shown<z.output<typeof totalsSchema>>;

const awaitedSchema = z.object({
  id: z.string(),
  rail: z.string(),
  /** Which rail that is: its template, where it leads, and by what id the venue knows it. */

  over: z.string().optional(),
  /** Undefined where no amount is named. */

  pays: z.string().optional(),
  since: moment,
});
export type ShownAwaited = Shown<z.output<typeof awaitedSchema>>;

const heldPaymentSchema = z.object({
  id: z.string(),
  /** The id by which the venue's support knows it. */

  venueId: z.string(),
  amount: z.string(),
  /** Since when it is seen to be held. */

  since: moment,
});

const leftHoldingSchema = z.object({ holding: z.string(), why: z.string() });

const planSchema = z.object({
  id: z.string(),
  at: moment,
  expiresAt: moment,
  by: z.string(),
  persons: z.number(),
  approvedBy: z.array(z.string()),
  /** Why it is approved and not begun; only the bot knows. */

  waitsFor: z.string().optional(),
  steps: z.array(z.string()),
});
export type ShownPlan = Shown<z.output<typeof planSchema>>;

const refusalSchema = z.object({
  kind: z.enum(["mint", "order", "rail"]),
  what: z.string(),
  reason: z.string(),
  /** The first time in a row. */

  since: moment,
  times: z.number(),
  until: moment,
  /** A person said no to it, the last time. */

  isDeclined: z.boolean().optional(),
});
export type ShownRefusal = Shown<z.output<typeof refusalSchema>>;

const underWaySchema = z.object({
  id: z.string(),
  at: moment,
  by: z.string(),
  done: z.number(),
  steps: z.array(z.string()),
  /** Only the bot that carries it out knows. */

  waitsFor: z.string().optional(),
});
export type ShownUnderWay = Shown<z.output<typeof underWaySchema>>;

const unusedPlanSchema = z.object({
  id: z.string(),
  at: moment,
  why: z.string(),
  /** Who said no to it. */

  declinedBy: z.string().optional(),
});

const treasurySchema = z.object({
  /** Plans of rebalancing that wait for an approval. */

  plans: z.array(planSchema),
  /** The plan that was begun and has not ended. */

  underWay: underWaySchema.optional(),
  /** Payments that are to come, and rails that never had one. */

  awaited: z.array(awaitedSchema),
  /** Payments in flight that the venue holds. */

  held: z.array(heldPaymentSchema).optional(),
  /** Why no rail is used until a person has looked. */

  railsFrozen: z.string().optional(),
  /** When the last reason for it came: the same words a second time are news. */

  railsFrozenAt: moment.optional(),
  /** What was refused of plans of the bot, which leave it alone for a while. */

  refused: z.array(refusalSchema).optional(),
  /** Holdings that the bot's plans leave outside their bands for now, and why; only the bot knows. */

  left: z.array(leftHoldingSchema).optional(),
  /** Plans of the last day that were declined, or approved and not begun: not in time, or no longer needed. */

  expired: z.array(unusedPlanSchema).optional(),
});
export type ShownTreasury = Shown<z.output<typeof treasurySchema>>;

/** Net worth in its parts, in the currency of the limits. */
const worthPartsSchema = z.object({
  currency: z.string(),
  cash: amount,
  tokens: amount,
  /** Of cash and tokens: tied up by what is open. */

  reserved: amount,
  inFlight: amount,
  total: amount,
  /** Less a haircut on what is in flight. */

  cautious: amount,
});
export type ShownWorth = Shown<z.output<typeof worthPartsSchema>>;

const standingSchema = stopSchema.extend({ also: z.array(stopSchema) });

export const statusSchema = z
  .object({
    at: moment,
    version: z.string(),
    /** Of the running bot: when it started, and what SIGUSR2 and SIGTERM may be sent to. */

    startedAt: moment.optional(),
    pid: z.number().optional(),
    mode: z.enum(["paper", "live"]),
    environment: z.string(),
    /** Host and port of the venue. */

    venue: z.string(),
    strategy: z.string(),
    /** The strategy's last status text; absent where it gives none. */

    said: z.object({ at: moment, text: z.string() }).optional(),
    /** Of the last three days: a strategy started without its earlier state, and why. */

    freshStart: z.object({ at: moment, text: z.string() }).optional(),
    /** Why it is not ready to trade, as `/readyz` has it; none when it is. Of a stop it begins with the state. */

    unready: z.array(z.string()),
    /** What the pipeline does: trading, or what comes before and after it. */

    phase: z.object({ kind: z.string(), text: z.string() }),
    /** What counts, and in `also` whatever else stands: further reasons, and the bot's own beneath a person's stop. */

    standing: standingSchema,
    equity: equitySchema,
    holdings: z.array(holdingSchema),
    /** Absent while something held has no price. */

    worth: worthPartsSchema.optional(),
    quotes: z.array(quoteSchema),
    /** Pairs that may be traded and are not online by the venue's last list; of a running bot. */

    offline: z.array(offlineSchema).optional(),
    /** Newest first. */

    decisions: z.array(decisionSchema),
    /** Of the UTC day, over restarts and resumes. */

    counts: countsSchema,
    /** Since the journal began; absent before it is read. */

    totals: totalsSchema.optional(),
    open: z.array(submissionSchema),
    /** What is not traded while something of it is in doubt, and why. */

    frozen: z.string().optional(),
    /** Since when balances agree with the books, or are explained, at every reading of this process; absent while they do not. */

    balancesAgreeSince: moment.optional(),
    /** The operator's heartbeat is overdue, where one is required. */

    unheard: z.string().optional(),
    /** The journal's time is ahead of the clock: until when nothing is ordered, and the way out. */

    ahead: z.string().optional(),
    /** What waits for people; absent before the books are read. */

    treasury: treasurySchema.optional(),
    /** Those that fill up; in the order in which they matter. */

    limits: z.array(limitSchema),
    /** Which of all limits the configuration has otherwise by now, with both values: the bot goes by its own until it is restarted. */

    otherLimits: z.string().optional(),
    /** Why the log is lost, while it is. */

    unlogged: z.string().optional(),
    feeds: z.array(feedSchema),
    budget: budgetSchema.optional(),
    journal: z.object({ path: z.string(), records: z.number().optional() }),
    /** Things that a person may want to know; newest first. */

    notes: z.array(z.object({ at: moment, text: z.string() })),
    /** Gone from one asset and not arrived in another. */

    flights: z.array(flightSchema).optional(),
  })
  .extend(seenFromOutsideSchema.shape);
export type Status = Shown<z.output<typeof statusSchema>>;

/** `VCHF/CHF is offline, VGBP/GBP is not listed at the venue`. */
export function offlineText(offline: readonly Pick<ShownOffline, "symbol" | "word">[]): string {
  return `${offline.map(({ symbol, word }) => `${symbol} is ${word}`).join(", ")} at the venue`;
}

/** What was decided about. What a strategy answers without a side or a pair is no order. */
export function wantedText({ side, size, symbol, limit }: ShownDecision): string {
  return side === "" ? "an answer that is no order" : `${side} ${size} ${symbol} at ${limit}`;
}

/** An order says itself what it is. */
export function titleOf({ kind, what }: Pick<ShownSubmission, "kind" | "what">): string {
  return kind === "order" ? what : `${kind} ${what}`;
}

/** `command` closes it, by what the venue's own record shows; where the venue answers nothing, it would be refused. */
export function decideText(command: string): string {
  return `look at the venue's portal, then ${command} (it reads the venue's lists first, and changes nothing while they cannot be read; a running bot goes on looking)`;
}

/** How far it is, as people read it: an order that history shows has nothing left that could go wrong with it. */
export function stageOf(one: Pick<ShownSubmission, "kind" | "state">): string {
  return isShownFill(one) ? "filled, the balances are still to be compared" : one.state;
}

/** How many are still to come to something: one that is only to be compared with the balances is a fill, and counted there. */
export function openCount({ open }: Pick<Status, "open">): number {
  return open.filter((one) => !isShownFill(one)).length;
}

function isShownFill({ kind, state }: Pick<ShownSubmission, "kind" | "state">): boolean {
  return kind === "order" && state === "confirmed";
}

/** Of unknown outcome. */
export function doubtsOf({ open }: Pick<Status, "open">): readonly ShownSubmission[] {
  return open.filter(({ isDoubt }) => isDoubt);
}
