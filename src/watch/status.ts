// The bot at one moment, as plain data: screen, page, `pegbot status`, metrics, notices and the control API all read
// this one schema. A running bot builds it from its state; without one it is folded from the journal, and fields that
// only a running bot knows are absent. Amounts are exact texts, prices are signals; unknown values are absent, never
// zero.

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
  "depeg-loss",
  "issuer-loss",
  "everything-lost",
  "turnover-hour",
  "turnover-day",
  "fees-day",
  "orders-minute",
  "orders-day",
  "rejects",
  "losses",
  "adverse-fills",
  "doubts",
  "doubt-age",
] as const;

const countsSchema = z.object({ approved: z.number(), refused: z.number(), fills: z.number(), roundTrips: z.number() });

const budgetSchema = z.object({
  /** Slots granted to all processes since the key's ledger was created. */

  slots: z.number(),
  /** Requests in the last minute as a share of those that the pace allows, in basis points. */

  usedBps: z.number().optional(),
  spacingMs: z.number(),
  waiting: z.array(z.string()),
  rateLimited: z.number(),
  /** Set after a burst of 429s: until it ends, only unknown outcomes are queried. */

  doubtsOnly: z.boolean().optional(),
  /** Until when an answer of the venue keeps us from asking, and which answer: its HTTP status, its Retry-After and its call. */

  paused: z.object({ until: z.number(), ms: z.number(), status: z.number(), call: z.string() }).optional(),
  skewMs: z.number().optional(),
});
export type ShownBudget = Shown<z.output<typeof budgetSchema>>;

/** The kinds of a message that tells of it. */
export const NEED_KINDS = ["stop", "doubt", "mint", "rail", "plan", "strategy", "machine"] as const;

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

/** What is known of the pair at a decision. */
const basisSchema = z.object({
  bid: z.number().optional(),
  ask: z.number().optional(),
  fair: z.number().optional(),
  ageMs: z.number().optional(),
});

export const decisionSchema = basisSchema.extend({
  at: moment,
  clientOrderId: z.string().optional(),
  symbol: z.string(),
  side: z.string(),
  size: z.string(),
  limit: z.string(),
  reason: z.string(),
  outcome: z.enum(DECISION_OUTCOMES),
  /** The rule that refused, or the venue's message. */

  note: z.string(),
  /** The number of times the same refusal occurred in a row. */

  times: z.number(),
  /** The fullest limits at the decision; known to the process that decided. */

  room: z.string().optional(),
  /** What became of the order and which slot it used, with the time of each. */

  trail: z.array(z.object({ at: moment, what: z.string() })),
});
export type ShownDecision = Shown<z.output<typeof decisionSchema>>;

/**
 * From the engine's statement, as in `ShownTotals`: the present value of the holdings, and the result of the UTC day.
 */
const equitySchema = z.object({
  currency: z.string(),
  /** As the limits count it: a coin at the lower of par and the best known bid, every open order at its worst. */

  now: amount.optional(),
  /** While `now` is unknown: what the holdings with a price are worth. */

  priced: amount.optional(),
  /** All holdings at the middle of the venue's prices, and with every coin at par. */

  atMid: amount.optional(),
  atPar: amount.optional(),
  /** The age of the oldest price used. */

  markAgeMs: z.number().optional(),
  /** The missing input while equity is unknown. */

  missing: z.string().optional(),
  /** Since the start of the UTC day, regardless of resumes: the change in value, and the profit realised by trades. */

  today: amount.optional(),
  /**
   * The sources of `today`, which is their sum to the cent: trading (realised and open profit of trades, less all
   * fees), opening (coins that no trade bought, moved against par) and currency. Absent while the day's base is unknown.
   */

  sources: z.object({ trading: amount, opening: amount, fx: amount }).optional(),
  realised: amount,
  turnover: amount,
  orders: z.number(),
  fees: amount.optional(),
  mintFees: amount.optional(),
  railFees: amount.optional(),
  /** What fills captured of the edge over fair value, per request of this process; running bot only. */

  edgePerRequest: z.number().optional(),
});
export type ShownEquity = Shown<z.output<typeof equitySchema>>;

/** The price sources and their condition. */
const feedSchema = z.object({
  name: z.string(),
  kind: z.enum(["venue", "reference"]),
  /** The age of its last price; undefined before the first. */

  ageMs: z.number().optional(),

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
  /** In the currency of the limits; absent without a rate. */

  value: amount.optional(),
  fair: z.number().optional(),
  edgeBps: z.number().optional(),
  /** Profit over average cost in the currency of the limits; absent where it closed nothing. */
  realised: amount.optional(),
  reason: z.string().optional(),
});
export type ShownFill = Shown<z.output<typeof fillSchema>>;

const flightSchema = z.object({
  id: z.string(),
  door: z.string(),
  spent: z.string(),
  comes: z.string(),
  since: moment,
  ageMs: z.number(),
  /** The venue's status, and its reason. */

  status: z.string().optional(),
  reason: z.string().optional(),
});
export type ShownFlight = Shown<z.output<typeof flightSchema>>;

const bandSchema = z.object({ low: amount.optional(), target: amount.optional(), high: amount.optional() });

export const holdingSchema = z.object({
  asset: z.string(),
  held: amount.optional(),
  available: amount.optional(),
  /** The most that open orders may still spend. */

  reserved: amount,
  /** The venue's pending figure; undefined when it states none. */

  pending: amount.optional(),
  /** Part of the holding: in transit by mints and payments, not spendable. */

  inFlight: amount,
  /** Not part of the holding: coins of mints that are not booked yet. Plans count them as in transit too. */

  mayCome: amount,
  /** The reserve that the limits keep back; undefined where that limit is off. */

  floor: amount.optional(),
  /** The band from `treasury.targets`; undefined without a target. */

  band: bandSchema.optional(),
  /** In the currency of the limits. */

  value: amount.optional(),
});
export type ShownHolding = Shown<z.output<typeof holdingSchema>>;

const limitSchema = z.object({
  key: z.enum(LIMIT_KEYS),
  /** For example RC05. */

  rule: z.string(),
  name: z.string(),
  /** An asset, `s`, or empty for counts. */

  unit: z.string(),
  /** Undefined when it cannot be computed. */

  used: z.number().optional(),
  /** Undefined when the limit is switched off by name; NaN while its base is unknown, which is null in JSON. */

  limit: z
    .number()
    .nullish()
    .transform((most) => (most === null ? Number.NaN : most)),
  usedBps: z.number().optional(),
});
export type ShownLimit = Shown<z.output<typeof limitSchema>>;

const offlineSchema = z.object({
  symbol: z.string(),
  /** The venue's status, or `not listed`. */

  word: z.string(),
  /** When this was first observed. */

  since: moment,
});
export type ShownOffline = Shown<z.output<typeof offlineSchema>>;

/** The limit of the last order of a side, moved with fair value, and the chance that another one fills. */
const askedSchema = z.object({ limit: z.number(), chance: z.number() });

const quoteSchema = z.object({
  symbol: z.string(),
  bid: z.number().optional(),
  ask: z.number().optional(),
  ageMs: z.number().optional(),
  fair: z.number().optional(),
  /** Why there is no fair value. */

  noFair: (z.string() as unknown as z.ZodType<NoFair>).optional(),
  /**
   * Where the venue shows no quotes: what order outcomes suggest of its prices, and the time since the last outcome.
   */

  hidden: z.object({ bid: askedSchema.optional(), ask: askedSchema.optional(), ageMs: z.number() }).optional(),
});
export type ShownQuote = Shown<z.output<typeof quoteSchema>>;

const reliabilitySchema = z.object({
  orders: z.number(),
  filled: z.number(),
  expected: z.number(),
  slope: z.number().optional(),
  worst: z.number().optional(),
  gainExpected: z.number(),
  gained: z.number(),
  gainedError: z.number(),
});

/** Additions of `pegbot status` from the journal and the key ledger. */
const seenFromOutsideSchema = z.object({
  /**
   * The running bot, with the folder where it was started and the address of its page.
   */

  bot: z.object({ pid: z.number(), since: moment, folder: z.string(), page: z.string().optional() }).optional(),
  /** Why the running bot gave no status; this one is folded from the journal. */

  silent: z.string().optional(),
  /** The journal lacks entries that its anchor knows, so this status may be incomplete. */

  damage: z.object({ verdict: z.string(), message: z.string(), wayOut: z.string() }).optional(),
  /** Equity as last journaled, at the opening of a day or at a peak. */

  marked: z.object({ equity: z.string(), at: moment }).optional(),
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
  /** Set for every stop; absent in ACTIVE. */

  cause: z.enum(STOP_CAUSES).optional(),
  /** The subject of the cause, and further findings about it; absent where the reason already states them. */

  subject: z.string().optional(),
  finding: z.string().optional(),
});
export type ShownStop = Shown<z.output<typeof stopSchema>>;

/** In order of precedence: a word of the list hides those after it. */
export const STATE_WORDS = [
  "STOPPED",
  "UNKNOWN",
  "HALTED",
  "STOPPING",
  "PAUSED",
  "STARTING",
  "FROZEN",
  "REDUCED",
  "CAPPED",
  "IDLE",
  "ACTIVE",
] as const;

/** How the bot stands in one word, the same on terminal, page, status, metric and message. */
export const stateSchema = z.object({
  word: z.enum(STATE_WORDS),
  since: moment.optional(),
  why: z.string(),
  /** What would free it: a command, a time, or a change of the market. */

  frees: z.string(),
});
export type ShownState = Shown<z.output<typeof stateSchema>>;

/** Something that a person should know until it has ended. */
export const needSchema = z.object({
  /** Told once. */
  id: z.string(),
  /** The same at each age of it and each question about it. */

  matter: z.string(),
  kind: z.enum(NEED_KINDS),
  urgency: z.enum(["warning", "critical"]),
  what: z.string(),
  since: moment.optional(),
  wayOut: z.string(),
  /** It waits for a decision or an action of a person. */

  isAsked: z.boolean(),
  /** The plan to approve or decline. */

  plan: z.string().optional(),
});
export type Need = Shown<z.output<typeof needSchema>>;

/** A request that moves money and has not ended. */
export const submissionSchema = z.object({
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  what: z.string(),
  isDoubt: z.boolean(),
  /** Why its outcome is unknown, and why a person was asked. */

  cause: z.string().optional(),
  since: moment.optional(),
  /** The venue's status of a mint or rail, verbatim. */

  venueWord: z.string().optional(),
  /** The venue's reason; its support asks for it and for the id. */

  venueReason: z.string().optional(),
  /** Since when the venue has been observed to hold it; absent if it does not. */

  heldSince: moment.optional(),
  venueId: z.string().optional(),
  /** How a person decides the outcome that evidence did not; absent while evidence still may. */

  decide: z.string().optional(),
});
export type ShownSubmission = Shown<z.output<typeof submissionSchema>>;

/** Never reset: the difference of two totals is the activity in between. */
export const totalsSchema = countsSchema.extend({
  currency: z.string(),
  turnover: amount,
  /** Trading fees; fees of mints and rails are separate. */

  fees: amount,
  /** Fees of mints and of payments on rails, and the number of those without a value. */

  mintFees: amount,
  railFees: amount,
  unvaluedFees: z.number(),
  /**
   * Realised at average cost and at the rate of each fill; open positions of trades at the mark; and FX revaluation.
   */

  realised: amount,
  unrealised: amount.optional(),
  /** The part of `unrealised` in coins that the account opened with at a stated cost: no trade of the bot's. */
  opening: amount.optional(),
  fx: amount.optional(),
  /** Deposits less withdrawals, by people and payments, and the number of those without a value. */

  brought: amount,
  unvalued: z.number(),
});
export type ShownTotals = Shown<z.output<typeof totalsSchema>>;

const awaitedSchema = z.object({
  id: z.string(),
  rail: z.string(),
  /** Describes the rail: its template, its destination, and its id at the venue. */

  over: z.string().optional(),
  /** Undefined without a stated amount. */

  pays: z.string().optional(),
  since: moment,
  /** What names it at the venue, the conversion that counts it, and until when that lasts. */

  reference: z.string().optional(),
  conversion: z.string().optional(),
  until: moment.optional(),
});
export type ShownAwaited = Shown<z.output<typeof awaitedSchema>>;

const heldPaymentSchema = z.object({
  id: z.string(),
  /** The id by which the venue's support knows it. */

  venueId: z.string(),
  amount: z.string(),
  /** Since when it has been observed as held. */

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
  /** Why an approved plan has not started; only the bot knows. */

  waitsFor: z.string().optional(),
  steps: z.array(z.string()),
});
export type ShownPlan = Shown<z.output<typeof planSchema>>;

const underWaySchema = z.object({
  id: z.string(),
  at: moment,
  by: z.string(),
  done: z.number(),
  steps: z.array(z.string()),
  /** Only the bot that runs the plan knows. */

  waitsFor: z.string().optional(),
});
export type ShownUnderWay = Shown<z.output<typeof underWaySchema>>;

const conversionSchema = z.object({
  id: z.string(),
  /** Holdings. */

  from: z.string(),
  to: z.string(),
  /** What leaves the one, or with `isBuy` arrives at the other. */

  amount: z.string(),
  isBuy: z.boolean(),
  /** What has left and arrived so far, what that was worth, and what it lost at fair value. */

  left: z.string(),
  arrived: z.string(),
  value: z.string(),
  lost: z.string(),
  until: moment,
  /** Why it waits for a person to resume or finish it. */

  paused: z.string().optional(),
  /** Only the bot that carries it out knows. */

  waitsFor: z.string().optional(),
});
export type ShownConversionUnderWay = Shown<z.output<typeof conversionSchema>>;

const unusedPlanSchema = z.object({
  id: z.string(),
  at: moment,
  why: z.string(),
  /** The person who declined it. */

  declinedBy: z.string().optional(),
});

const treasurySchema = z.object({
  /** Rebalancing plans that wait for an approval. */

  plans: z.array(planSchema),
  /** The plan that has started and not ended. */

  underWay: underWaySchema.optional(),
  conversions: z.array(conversionSchema).optional(),
  /** Standing instructions with their next times, and what one waits for whose time has come. */

  instructions: z
    .array(z.object({ name: z.string(), what: z.string(), next: moment, waitsFor: z.string().optional() }))
    .optional(),
  /** Expected payments, and rails that never had one. */

  awaited: z.array(awaitedSchema),
  /** Payments in transit that the venue holds. */

  held: z.array(heldPaymentSchema).optional(),
  /** Why no rail is used until a person acknowledges it. */

  railsFrozen: z.string().optional(),
  /** When the last reason came: the same reason a second time is news. */

  railsFrozenAt: moment.optional(),
  /** Why the bot makes no plan of its own until then: a step was refused, or a person said no. */

  rest: z.object({ until: moment, why: z.string() }).optional(),
  /** Holdings that the bot's plans leave outside their bands for now, and why; only the bot knows. */

  left: z.array(leftHoldingSchema).optional(),
  /**
   * Plans of the last day that were declined, or approved and not started because they expired or were no longer
   * needed.
   */

  expired: z.array(unusedPlanSchema).optional(),
});
export type ShownTreasury = Shown<z.output<typeof treasurySchema>>;

export const standingSchema = stopSchema.extend({ also: z.array(stopSchema) });

export const statusSchema = z
  .object({
    at: moment,
    version: z.string(),
    /** For a running bot: its start, and the process that takes SIGUSR2 and SIGTERM. */

    startedAt: moment.optional(),
    pid: z.number().optional(),
    mode: z.enum(["paper", "shadow", "live"]),
    environment: z.string(),
    /** Which market is behind the prices; absent where only a running bot knows. */

    market: z.string().optional(),
    /** Host and port of the venue. */

    venue: z.string(),
    strategy: z.string(),
    /** The strategy's last status text; absent where it gives none. */

    said: z.object({ at: moment, text: z.string() }).optional(),
    /** A bot that may trade and has sent no order for a minute: since when, and why; running bot only. */

    /** Of the strategy, fee included; what is held may ask for more. */
    edgeWantedBps: z.number().optional(),
    idle: z.object({ since: moment, reason: z.string(), rule: z.string().optional() }).optional(),
    /** A strategy started without its earlier state within the last three days, and why. */

    freshStart: z.object({ at: moment, text: z.string() }).optional(),
    /**
     * Why the bot is not ready to trade, as in `/readyz`; empty when it is. Reasons from a stop start with the state.
     */

    unready: z.array(z.string()),
    state: stateSchema,
    /** Matters for people, the most urgent first. */

    needs: z.array(needSchema),
    /** The phase of the pipeline: trading, or the phases before and after it. */

    phase: z.object({ kind: z.string(), text: z.string(), wayOut: z.string().optional() }),
    /** The effective stop, and in `also` all others: further reasons, and the bot's own stops beneath a person's. */

    standing: standingSchema,
    equity: equitySchema,
    holdings: z.array(holdingSchema),
    quotes: z.array(quoteSchema),
    /** Of fill chances, where the venue shows no quotes. */

    reliability: reliabilitySchema.optional(),
    /** Tradable pairs that are not online according to the venue's last list; running bot only. */

    offline: z.array(offlineSchema).optional(),
    /** Newest first. */

    decisions: z.array(decisionSchema),
    /** For the UTC day, across restarts and resumes. */

    counts: countsSchema,
    /** Since the start of the journal; absent before it is read. */

    totals: totalsSchema.optional(),
    open: z.array(submissionSchema),
    /** The frozen assets and the reason. */

    frozen: z.string().optional(),
    /**
     * Since when the balances of every reading of this process have agreed with the ledger, or were explained; absent
     * while they do not.
     */

    balancesAgreeSince: moment.optional(),
    /** Set when the required operator's heartbeat is overdue. */

    unheard: z.string().optional(),
    /** The journal's time is ahead of the clock: until when no order is sent, and the way out. */

    ahead: z.string().optional(),
    /** Items that wait for people; absent before the journal is read. */

    treasury: treasurySchema.optional(),
    /** The limits that fill up, in order of importance. */

    limits: z.array(limitSchema),
    /**
     * Limits that differ in the present configuration file, with both values; the bot uses its own until it is
     * restarted.
     */

    otherLimits: z.string().optional(),
    feeds: z.array(feedSchema),
    budget: budgetSchema.optional(),
    journal: z.object({ path: z.string(), records: z.number().optional() }),
    /** Remarks for people, newest first. */

    notes: z.array(z.object({ at: moment, text: z.string() })),
    /** Money that has left one asset and not arrived in another. */

    flights: z.array(flightSchema).optional(),
  })
  .extend(seenFromOutsideSchema.shape);
export type Status = Shown<z.output<typeof statusSchema>>;

/** `VCHF/CHF is offline, VGBP/GBP is not listed at the venue`. */
export function offlineText(offline: readonly Pick<ShownOffline, "symbol" | "word">[]): string {
  return `${offline.map(({ symbol, word }) => `${symbol} is ${word}`).join(", ")} at the venue`;
}

/** The order that was decided on. An answer of a strategy without a side or a pair is not an order. */
export function wantedText({ side, size, symbol, limit }: ShownDecision): string {
  return side === "" ? "an answer that is no order" : `${side} ${size} ${symbol} at ${limit}`;
}

/** The text of an order already names its kind. */
export function titleOf({ kind, what }: Pick<ShownSubmission, "kind" | "what">): string {
  return kind === "order" ? what : `${kind} ${what}`;
}

/** `command` closes the request according to the venue's own records; it is refused while the venue does not answer. */
export function decideText(command: string): string {
  return `look at the venue's portal, then ${command} (it reads the venue's lists first, and changes nothing while they cannot be read; a running bot goes on looking)`;
}

/** The progress of a request for people: an order that history confirms is final. */
export function stageOf(one: Pick<ShownSubmission, "kind" | "state">): string {
  return isShownFill(one) ? "filled, the balances are still to be compared" : one.state;
}

/**
 * The number of requests that are still open: an order that only waits for the balance check is a fill and is counted
 * there.
 */
export function openCount({ open }: Pick<Status, "open">): number {
  return open.filter((one) => !isShownFill(one)).length;
}

function isShownFill({ kind, state }: Pick<ShownSubmission, "kind" | "state">): boolean {
  return kind === "order" && state === "confirmed";
}

/** Requests of unknown outcome. */
export function doubtsOf({ open }: Pick<Status, "open">): readonly ShownSubmission[] {
  return open.filter(({ isDoubt }) => isDoubt);
}
