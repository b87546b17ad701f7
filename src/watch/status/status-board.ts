// What screen, `status` and page show, collected from the pipeline's observers and read on request. It changes nothing.

import type { BotObserver, Phase } from "../../bot/observer.ts";
import type { Input } from "../../bot/trading-core/input.ts";
import type { TradingCore } from "../../bot/trading-core/trading-core.ts";
import type { Turn } from "../../bot/trading-core/turn.ts";
import type { Balance } from "../../domain/balance.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import type { Step } from "../../domain/step.ts";
import type { Clock, Mono } from "../../domain/time.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import type { JournalRecord } from "../../journal/record.ts";
import type { Complaint } from "../../market/complaint.ts";
import { FRESH, type TradingState } from "../../risk/trading-state.ts";
import type { ShownSettlement } from "../dashboard/model/shown.ts";
import type { ShownBudget, Status } from "../status.ts";
import { createDecisionList } from "./decision-list.ts";
import { createFeedList, VENUE } from "./feed-list.ts";
import { createSettlementList, type SettlementList } from "./settlement-list.ts";
import { type BoardParts, complaintsOf, type Heard, statusOf } from "./status-of.ts";

const NOTES_MAX = 20;

export interface StatusBoard {
  readonly watcher: Required<BotObserver>;
  note(text: string): void;
  /** From now on the switch is asked for the state where the journal fails: the engine hears of no stop then. */
  guardedBy(standing: () => TradingState): void;
  /** A record of an earlier process. */
  recall(record: JournalRecord): void;
  /** The same list as long as nothing changed. */
  readonly settlements: readonly ShownSettlement[];
  /** What is wrong with a source of prices; undefined when it is over. */
  trouble(feed: string, reason: string | undefined): void;
  isFailing(feed: string): boolean;
  /** Limits that the configuration has otherwise by now; undefined when they are the same again. */
  limitsDiffer(text: string | undefined): void;
  /** Why the log is lost; undefined when it is written. */
  logLost(text: string | undefined): void;
  /** A reference told a price; whether it is taken is seen by the turns. */
  spoke(quote: QuoteEvent): void;
  /** What is held against the prices of references. */
  complaints(): readonly Complaint[];
  readonly tradingCore: TradingCore | undefined;
  readonly phase: Phase;
  /** As in a snapshot, without the rest of it. */
  budget(): Status["budget"];
  snapshot(): Status;
}

export function createStatusBoard(parts: BoardParts): StatusBoard {
  const { clock } = parts;
  const settlements = createSettlementList();
  const heard = nothingHeard(parts);

  function note(text: string): void {
    const { notes } = heard;
    notes.unshift({ at: clock.now(), text });
    notes.length = Math.min(notes.length, NOTES_MAX);
  }

  return {
    watcher: hearing(heard, settlements, note),
    note,
    trouble: heard.feeds.trouble,
    isFailing: heard.feeds.isFailing,
    limitsDiffer(text) {
      heard.otherLimits = text;
    },
    logLost(text) {
      heard.unlogged = text;
    },
    spoke: heard.feeds.spoke,
    complaints: () => complaintsOf(heard),
    guardedBy(standing) {
      heard.guarded = standing;
    },
    recall(record) {
      settlements.take(record);
      if (record.kind === "step") heard.decisions.take(record.step);
    },
    get settlements() {
      if (heard.tradingCore !== undefined) settlements.follow(heard.tradingCore.executor, clock.now());
      return settlements.list;
    },
    budget: heard.budget,
    snapshot: () => statusOf(parts, heard),
    get tradingCore() {
      return heard.tradingCore;
    },
    get phase() {
      return heard.phase;
    },
  };
}

function nothingHeard(parts: BoardParts): Heard {
  return {
    startedAt: parts.clock.now(),
    decisions: createDecisionList(),
    feeds: createFeedList(parts.clock, parts.references),
    quotes: new Map(),
    pending: new Map(),
    notes: [],
    budget: createBudgetView(parts),
    tradingCore: undefined,
    phase: { kind: "restoring" },
    isUnwritten: false,
    otherLimits: undefined,
    unlogged: undefined,
    guarded: () => FRESH,
  };
}

function hearing(heard: Heard, settlements: SettlementList, note: (text: string) => void): Required<BotObserver> {
  const { decisions } = heard;
  return {
    core: (tradingCore) => {
      heard.tradingCore = tradingCore;
    },
    step: (step: Step) => {
      decisions.take(step);
      if (step.event.kind === "balances") takePending(heard, step.event.balances);
    },
    turn: (turn: Turn, input: Input) => {
      for (const record of turn.records) settlements.take(record);
      if (input.kind === "event" && input.event.kind === "quote") takeQuote(heard, input.event);
    },
    control: () => {},
    others: (step) => decisions.take(step),
    moved: (step) => settlements.take({ kind: "step", at: step.at, step }),
    phase: (next) => {
      if (next.kind !== "stopping") heard.isUnwritten = next.kind === "unwritable";
      heard.phase = next;
    },
    problem: (code, message) => note(`${code}: ${message}`),
    note,
    warning: note,
  };
}

function takePending({ pending }: Heard, balances: readonly Balance[]): void {
  pending.clear();
  for (const { asset, pending: amount } of balances) if (amount !== undefined) pending.set(asset, amount);
}

function takeQuote({ feeds, quotes }: Heard, quote: QuoteEvent): void {
  feeds.heard(quote.source, quote.receivedAt);
  if (quote.source === VENUE) quotes.set(quote.symbol, { ...quote });
}

/** Reading the key's ledger is a transaction that others wait for. */
const BUDGET_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;

type BudgetParts = { readonly ledger: () => LedgerStatus | undefined; readonly clock: Clock };

/** The ledger is looked at once a second at most. */
function createBudgetView({ ledger, clock }: BudgetParts): () => ShownBudget | undefined {
  const samples: { at: Mono; slots: number }[] = [];
  let shown: ShownBudget | undefined;
  let lookedAt: Mono | undefined;
  return () => {
    const now = clock.monotonic();
    if (lookedAt !== undefined && now - lookedAt < BUDGET_EVERY_MS) return shown;
    lookedAt = now;
    const status = ledger();
    if (status === undefined) return undefined;
    samples.push({ at: now, slots: status.slots });
    while (samples.length > 1 && now - (samples[0]?.at ?? now) > MINUTE_MS) samples.shift();
    const [first] = samples;
    const elapsedMs = first === undefined ? 0 : now - first.at;
    const could = elapsedMs / status.spacingMs;
    shown = {
      slots: status.slots,
      usedBps:
        could < 5 || first === undefined
          ? undefined
          : Math.min(10_000, Math.round(((status.slots - first.slots) / could) * 1e4)),
      spacingMs: status.spacingMs,
      waiting: status.waiting.map((want) => want.class),
      rateLimited: status.rateLimitedMsAgo.filter((ms) => ms < 10 * MINUTE_MS).length,
      doubtsOnly: status.doubtsOnly,
      skewMs: status.skewMs,
    };
    return shown;
  };
}
