// The bot at one moment, as plain data: screen, page, `pegbot status`, metrics and messages read this one type. A running bot makes it of
// itself; without one it is a fold of the journal, and what only a running bot knows is absent. Amounts are exact texts, prices are
// signals; what is not known is absent, never zero.

import type { NoFair } from "../domain/fair.ts";
import type { RiskState } from "../domain/step.ts";
import type { StopCause } from "../domain/stop-cause.ts";
import type { Millis } from "../domain/time.ts";

export type Status = {
  readonly at: Millis;
  readonly version: string;
  /** Of the running bot: when it started, and what SIGUSR2 and SIGTERM may be sent to. */
  readonly startedAt?: Millis | undefined;
  readonly pid?: number | undefined;
  readonly mode: "paper" | "live";
  readonly environment: string;
  /** Host and port of the venue. */
  readonly venue: string;
  readonly strategy: string;
  /** The strategy's own last word on what it does, or why it does nothing; absent where it says nothing. */
  readonly said?: { readonly at: Millis; readonly text: string } | undefined;
  /** Of the last three days: a strategy sat down without the state that it had, and why. */
  readonly freshStart?: { readonly at: Millis; readonly text: string } | undefined;
  /** Why it is not ready to trade, as `/readyz` has it; none when it is. Of a stop it begins with the state. */
  readonly unready: readonly string[];
  /** What the bot is doing besides trading. */
  readonly phase: { readonly kind: string; readonly text: string };
  /** What counts, and in `also` whatever else stands: further reasons, and the bot's own beneath a person's stop. */
  readonly standing: ShownStop & { readonly also: readonly ShownStop[] };
  readonly equity: ShownEquity;
  readonly holdings: readonly ShownHolding[];
  /** Absent while something held has no price. */
  readonly worth?: ShownWorth | undefined;
  readonly quotes: readonly ShownQuote[];
  /** Pairs that may be traded and are not online by the venue's last list; of a running bot. */
  readonly offline?: readonly ShownOffline[] | undefined;
  /** Newest first. */
  readonly decisions: readonly ShownDecision[];
  /** Of the UTC day, whatever process it was and whoever resumed in it. */
  readonly counts: { readonly approved: number; readonly refused: number; readonly fills: number };
  /** Since the journal began; absent before it is read. */
  readonly totals?: ShownTotals | undefined;
  readonly open: readonly ShownSubmission[];
  /** What is not traded while something of it is in doubt, and why. */
  readonly frozen?: string | undefined;
  /** Since when balances agree with the books, or are explained, at every reading of this process; absent while they do not. */
  readonly balancesAgreeSince?: Millis | undefined;
  /** No operator has said for too long that sending is wanted, where one must. */
  readonly unheard?: string | undefined;
  /** The journal's time is ahead of the clock: until when nothing is ordered, and the way out. */
  readonly ahead?: string | undefined;
  /** What waits for people; absent where nobody keeps books. */
  readonly treasury?: ShownTreasury | undefined;
  /** Those that fill up; in the order in which they matter. */
  readonly limits: readonly ShownLimit[];
  /** Which of all limits the configuration has otherwise by now, with both values: the bot goes by its own until it is restarted. */
  readonly otherLimits?: string | undefined;
  /** Why the log is lost, while it is. */
  readonly unlogged?: string | undefined;
  readonly feeds: readonly ShownFeed[];
  readonly budget: ShownBudget | undefined;
  readonly journal: { readonly path: string; readonly records: number | undefined };
  /** Things that a person may want to know; newest first. */
  readonly notes: readonly { readonly at: Millis; readonly text: string }[];
  /** Gone from one asset and not arrived in another. */
  readonly flights?: readonly ShownFlight[] | undefined;
} & SeenFromOutside;

/** What `pegbot status` knows of a bot that the bot does not say itself, from journal and key ledger. */
export type SeenFromOutside = {
  /** The running one, with where it was started and the address of its page; and why it is not known whether one runs. */
  readonly bot?:
    | { readonly pid: number; readonly since: Millis; readonly folder: string; readonly page?: string | undefined }
    | undefined;
  readonly botUnknown?: string | undefined;
  /** Why the running bot did not say it itself: what is shown is the journal's. */
  readonly silent?: string | undefined;
  /** The journal that the key's bot and commands use, where this is another file. */
  readonly keyJournal?: string | undefined;
  /** The journal is not all that its anchor knows: what is shown may be less than what happened. */
  readonly damage?: { readonly verdict: string; readonly message: string; readonly wayOut: string } | undefined;
  /**
   * Equity as the journal last recorded it, where it opened a day or set a peak; and what was adopted or paid in and out since, which
   * is no gain, and money all the same.
   */
  readonly marked?: { readonly equity: string; readonly at: Millis; readonly adopted?: string | undefined } | undefined;
  /** When the last record was written. */
  readonly recordedAt?: Millis | undefined;
};

export type ShownFlight = {
  readonly id: string;
  readonly door: string;
  readonly spent: string;
  readonly comes: string;
  readonly since: Millis;
  readonly ageMs: number;
  /** The venue's word, and why. */
  readonly status: string | undefined;
  readonly reason: string | undefined;
  /** What counts of it in a cautious figure. */
  readonly cautious: string;
};

export type ShownStop = {
  readonly state: RiskState;
  readonly reason: string;
  /** The command that leads out. */
  readonly wayOut: string;
  readonly by: string;
  readonly since: Millis;
  /** Of every stop; absent in ACTIVE. */
  readonly cause?: StopCause | undefined;
  /** What of that cause, and what more was found of it; absent where the reason says it. */
  readonly subject?: string | undefined;
  readonly finding?: string | undefined;
};

/** Of the engine's statement, as `ShownTotals`: what is held is worth at this moment, and what the UTC day came to. */
export type ShownEquity = {
  readonly currency: string;
  /** As limits count it: a coin at the lower of par and the best known bid, every open order at its worst. */
  readonly now: string | undefined;
  /** All that is held at the middle of the venue's prices, and with every coin at par. */
  readonly atMid?: string | undefined;
  readonly atPar?: string | undefined;
  /** Of the oldest price behind it. */
  readonly markAgeMs?: number | undefined;
  /** What it waits for while it is not known. */
  readonly missing?: string | undefined;
  /** Since the UTC day was opened, also where a person resumed in it: what moved in value, and what was realised by trades. */
  readonly today: string | undefined;
  readonly realised: string;
  readonly turnover: string;
  readonly orders: number;
  /**
   * What prices and rates did today to what is held: today = realised + revaluation - mintFees - railFees. Fees of trades are in what
   * was realised or in the cost of what is held.
   */
  readonly revaluation?: string | undefined;
  readonly fees?: string | undefined;
  readonly mintFees?: string | undefined;
  readonly railFees?: string | undefined;
  /** Change of equity for each request since the process, or the UTC day, began; of a running bot. */
  readonly perRequest?: number | undefined;
};

/** Never starting anew: two of them tell what happened between. */
export type ShownTotals = Status["counts"] & {
  readonly currency: string;
  readonly turnover: string;
  /** The fees of trades; those of mints and rails stand apart. */
  readonly fees: string;
  /** Of mints and of payments on rails; and how many of these had no value. */
  readonly mintFees: string;
  readonly railFees: string;
  readonly unvaluedFees: number;
  /** At average cost and at the rate of each fill; what trades left open, at the mark; and FX revaluation. */
  readonly realised: string;
  readonly unrealised?: string | undefined;
  readonly fx?: string | undefined;
  /** What people and payments put in, less what they took out; and how often that had no value. */
  readonly brought: string;
  readonly unvalued: number;
};

/** Net worth in its parts, in the currency of the limits. */
export type ShownWorth = {
  readonly currency: string;
  readonly cash: string;
  readonly tokens: string;
  /** Of cash and tokens: tied up by what is open. */
  readonly reserved: string;
  readonly inFlight: string;
  readonly total: string;
  /** Less a haircut on what is in flight. */
  readonly cautious: string;
};

export type ShownHolding = {
  readonly asset: string;
  readonly held: string | undefined;
  readonly available: string | undefined;
  /** What open orders may still spend. */
  readonly reserved: string;
  /** As the venue has it beside what is available; undefined when it does not say. */
  readonly pending: string | undefined;
  /** Part of what is held: on its way by mints and payments, and not spendable. */
  readonly inFlight: string;
  /** No part of what is held: coins of mints that the books do not have yet. Plans count them as in flight too. */
  readonly mayCome: string;
  /** What the limits keep back; none where that is loosened. */
  readonly floor: string | undefined;
  /** What `treasury.targets` wants here; undefined where it says nothing. */
  readonly band: ShownBand | undefined;
  /** In the currency of the limits. */
  readonly value: string | undefined;
};

export type ShownBand = {
  readonly low: string | undefined;
  readonly target: string | undefined;
  readonly high: string | undefined;
};

export type ShownQuote = {
  readonly symbol: string;
  readonly bid: number | undefined;
  readonly ask: number | undefined;
  readonly ageMs: number | undefined;
  readonly fair: number | undefined;
  /** Why there is no fair value. */
  readonly noFair: NoFair | undefined;
};

export type ShownOffline = {
  readonly symbol: string;
  /** The venue's word, or `not listed`. */
  readonly word: string;
  /** Since when it is seen so. */
  readonly since: Millis;
};

/** `VCHF/CHF is offline, VGBP/GBP is not listed at the venue`. */
export function offlineText(offline: readonly Pick<ShownOffline, "symbol" | "word">[]): string {
  return `${offline.map(({ symbol, word }) => `${symbol} is ${word}`).join(", ")} at the venue`;
}

/** Where prices come from, and whether they come. */
export type ShownFeed = {
  readonly name: string;
  readonly kind: "venue" | "reference";
  /** Since its last price; undefined before the first. */
  readonly ageMs: number | undefined;
  /** What is wrong with it. */
  readonly trouble: string | undefined;
};

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

export type ShownLimit = {
  readonly key: (typeof LIMIT_KEYS)[number];
  /** RC05 and the like. */
  readonly rule: string;
  readonly name: string;
  /** An asset, `s`, or nothing for counts. */
  readonly unit: string;
  /** Undefined when nobody can say. */
  readonly used: number | undefined;
  /** Undefined when it is loosened by name, NaN while its base is unknown. */
  readonly limit: number | undefined;
  readonly usedBps: number | undefined;
};

export type DecisionOutcome =
  | "refused"
  | "approved"
  | "sending"
  | "filled"
  | "confirmed"
  | "rejected"
  | "not sent"
  | "doubt"
  | "escalated"
  | "dead";

export type ShownDecision = {
  readonly at: Millis;
  readonly clientOrderId: string | undefined;
  readonly symbol: string;
  readonly side: string;
  readonly size: string;
  readonly limit: string;
  readonly reason: string;
  readonly outcome: DecisionOutcome;
  /** Which rule refused, what the venue said. */
  readonly note: string;
  /** How often in a row, of the same refusal. */
  readonly times: number;
};

/** What was decided about. What a strategy answers without a side or a pair is no order. */
export function wantedText({ side, size, symbol, limit }: ShownDecision): string {
  return side === "" ? "an answer that is no order" : `${side} ${size} ${symbol} at ${limit}`;
}

/** A request that moves money and has not come to its end. */
export type ShownSubmission = {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly what: string;
  readonly isDoubt: boolean;
  readonly since: Millis | undefined;
  /** The venue's word of how far a mint or rail is, verbatim. */
  readonly venueWord: string | undefined;
  /** Why, and by what id the venue knows it: whoever writes to its support needs both. */
  readonly venueReason?: string | undefined;
  /** Since when the venue is seen to hold it; absent where it does not. */
  readonly heldSince?: Millis | undefined;
  readonly venueId?: string | undefined;
  /** How a person decides what evidence did not; absent while it still may. */
  readonly decide?: string | undefined;
};

export type ShownTreasury = {
  /** Plans of rebalancing that wait for an approval. */
  readonly plans: readonly ShownPlan[];
  /** The plan that was begun and has not ended. */
  readonly underWay?: ShownUnderWay | undefined;
  /** Payments that are to come, and rails that never had one. */
  readonly awaited: readonly ShownAwaited[];
  /** Payments in flight that the venue holds. */
  readonly held?: readonly ShownHeldPayment[] | undefined;
  /** Why no rail is used until a person has looked. */
  readonly railsFrozen: string | undefined;
  /** When the last reason for it came: the same words a second time are news. */
  readonly railsFrozenAt?: Millis | undefined;
  /** What was refused of plans of the bot, which leave it alone for a while. */
  readonly refused?: readonly ShownRefusal[] | undefined;
  /** Pots that plans of the running bot leave outside their bands for now, at two looks in a row or now and then, and why; only the bot knows. */
  readonly left?: readonly ShownLeft[] | undefined;
  /** Plans of the last day that somebody declined, or approved and that were not begun: not in time, or no longer needed. */
  readonly expired?: readonly ShownUnused[] | undefined;
};

export type ShownUnused = {
  readonly id: string;
  readonly at: Millis;
  readonly why: string;
  /** Who said no to it. */
  readonly declinedBy?: string | undefined;
};

export type ShownRefusal = {
  readonly kind: "mint" | "order" | "rail";
  readonly what: string;
  readonly reason: string;
  /** The first time in a row. */
  readonly since: Millis;
  readonly times: number;
  readonly until: Millis;
  /** A person said no to it, the last time. */
  readonly isDeclined?: boolean | undefined;
};

export type ShownLeft = { readonly pot: string; readonly why: string };

export type ShownPlan = {
  readonly id: string;
  readonly at: Millis;
  readonly expiresAt: Millis;
  readonly by: string;
  readonly persons: number;
  readonly approvedBy: readonly string[];
  /** Why it is not begun though somebody approved it; only the bot knows. */
  readonly waitsFor?: string | undefined;
  readonly steps: readonly string[];
};

export type ShownUnderWay = {
  readonly id: string;
  readonly at: Millis;
  readonly by: string;
  readonly done: number;
  readonly steps: readonly string[];
  /** Only the bot that carries it out knows. */
  readonly waitsFor: string | undefined;
};

export type ShownAwaited = {
  readonly id: string;
  readonly rail: string;
  /** Which rail that is: its template, where it leads, and by what id the venue knows it. */
  readonly over?: string | undefined;
  /** Undefined where no amount is named. */
  readonly pays: string | undefined;
  readonly since: Millis;
};

export type ShownHeldPayment = {
  readonly id: string;
  /** The id by which the venue's support knows it. */
  readonly venueId: string;
  readonly amount: string;
  /** Since when it is seen to be held. */
  readonly since: Millis;
};

export type ShownBudget = {
  /** Granted since the key's ledger was made, to whatever process. */
  readonly slots: number;
  /** Requests in the last minute, of those that the pace would allow. */
  readonly usedBps: number | undefined;
  readonly spacingMs: number;
  readonly waiting: readonly string[];
  readonly rateLimited: number;
  /** After a storm of them: until it is calm nothing but doubts is asked about. */
  readonly doubtsOnly?: boolean | undefined;
  readonly skewMs: number | undefined;
};

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

/** Whatever is not done: submissions, plans that wait or are under way, payments that are to come. */
export function openIds({ open, treasury }: Pick<Status, "open" | "treasury">): readonly string[] {
  const submissions = open.filter((one) => !isShownFill(one)).map(({ id, state }) => `${id} (${state})`);
  const { plans = [], underWay, awaited = [] } = treasury ?? {};
  return [...submissions, ...[...plans, ...(underWay ? [underWay] : []), ...awaited].map(({ id }) => id)];
}

/** May have happened, and nobody knows yet. */
export function doubtsOf({ open }: Pick<Status, "open">): readonly ShownSubmission[] {
  return open.filter(({ isDoubt }) => isDoubt);
}
