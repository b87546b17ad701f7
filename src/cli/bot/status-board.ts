// What the screen, `status` and the server show, collected from the pipeline's watchers and read from engine, executor,
// journal and ledger when somebody asks. It changes nothing.

import type { Haircuts } from "../../bot/accounts/worth.ts";
import type { Desk } from "../../bot/desk.ts";
import { IDLE } from "../../bot/idle.ts";
import type { Input } from "../../bot/input.ts";
import { timeAhead } from "../../bot/time-ahead.ts";
import type { Turn } from "../../bot/turn.ts";
import type { Phase, Watcher } from "../../bot/watcher.ts";
import type { ShownSettlement } from "../../dashboard/model/shown.ts";
import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { Balance } from "../../domain/balance.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Step } from "../../domain/step.ts";
import type { Clock, Millis } from "../../domain/time.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import type { Journal } from "../../journal/journal.ts";
import type { JournalRecord } from "../../journal/record.ts";
import type { Complaint } from "../../market/complaint.ts";
import { type Limits, unlessOff } from "../../risk/limits.ts";
import type { RiskContext } from "../../risk/rule.ts";
import { missingHeartbeat } from "../../risk/rules/heartbeat.ts";
import { FRESH, joined, type Standing } from "../../risk/standing.ts";
import type { Efficiency } from "../../telemetry/efficiency.ts";
import type { ShownQuote, Status } from "../../telemetry/status.ts";
import { createBudgetGlass } from "./budget-glass.ts";
import { createDecisionList } from "./decision-list.ts";
import { createFeedList, VENUE } from "./feed-list.ts";
import { holdingsOf, type Targets } from "./holding-list.ts";
import { limitsUsed } from "./limit-usage.ts";
import { phaseText } from "./phase-text.ts";
import { createSettlementList } from "./settlement-list.ts";
import { countsOf, equityOf, totalsOf, worthOf } from "./shown-money.ts";
import { frozenOf, openOf } from "./submission-list.ts";
import { treasuryOf } from "./treasury-shown.ts";
import { unreadyReasons } from "./unready.ts";

const NOTES_MAX = 20;
/** Whoever comes back after a weekend still sees it. */
const FRESH_START_MS = 3 * 24 * 3_600_000;

export type BoardParts = Pick<Status, "version" | "mode" | "environment" | "venue"> & {
  readonly clock: Clock;
  readonly journal: Pick<Journal, "head">;
  readonly journalPath: string;
  readonly ledger: () => LedgerStatus | undefined;
  /** The pairs on show are those that may be traded. */
  readonly limits: Limits;
  readonly haircuts: Haircuts;
  readonly targets: Targets;
  /** Of a running bot: the names of its references, what a request earned, and why nothing new is sent to the venue. */
  readonly references?: readonly string[];
  readonly profitPerRequest?: Efficiency;
  readonly unreachable?: () => string | undefined;
  /** And which pairs are not online. */
  readonly offline?: () => Status["offline"];
};

export interface StatusBoard {
  readonly watcher: Required<Watcher>;
  note(text: string): void;
  /** From now on the switch is asked for the state where the journal fails: the engine hears of no stop then. */
  guardedBy(standing: () => Standing): void;
  /** Of an earlier process. */
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
  readonly desk: Desk | undefined;
  readonly phase: Phase;
  snapshot(): Status;
}

export function createStatusBoard(parts: BoardParts): StatusBoard {
  const { clock, limits } = parts;
  const symbols = limits.symbols as PairSymbol[];
  const startedAt = clock.now();
  const decisions = createDecisionList();
  const quotes = new Map<PairSymbol, QuoteEvent>();
  const pending = new Map<Asset, Money>();
  const wishes = { reserveBps: unlessOff(limits.reserveBpsMin), targets: parts.targets };
  const feeds = createFeedList(clock, parts.references);
  const settlements = createSettlementList();
  const notes: { at: Millis; text: string }[] = [];
  const budget = createBudgetGlass(parts);
  let desk: Desk | undefined;
  let phase: Phase = { kind: "restoring" };
  let isUnwritten = false;
  let otherLimits: string | undefined;
  let unlogged: string | undefined;
  let guarded = (): Standing => FRESH;

  function note(text: string): void {
    notes.unshift({ at: clock.now(), text });
    notes.length = Math.min(notes.length, NOTES_MAX);
  }

  function takePending(balances: readonly Balance[]): void {
    pending.clear();
    for (const { asset, pending: amount } of balances) if (amount !== undefined) pending.set(asset, amount);
  }

  function complaints(): readonly Complaint[] {
    return [...(desk?.engine.complaints() ?? []), ...feeds.waiting()];
  }

  const watcher: Required<Watcher> = {
    desk: (made) => {
      desk = made;
    },
    step: (step: Step) => {
      decisions.take(step);
      if (step.event.kind === "balances") takePending(step.event.balances);
    },
    turn: (turn: Turn, input: Input) => {
      for (const record of turn.records) settlements.take(record);
      if (input.kind !== "event" || input.event.kind !== "quote") return;
      feeds.heard(input.event.source, input.event.receivedAt);
      if (input.event.source === VENUE) quotes.set(input.event.symbol, { ...input.event });
    },
    control: () => {},
    others: (step) => decisions.take(step),
    moved: (step) => settlements.take({ kind: "step", at: step.at, step }),
    phase: (next) => {
      if (next.kind !== "stopping") isUnwritten = next.kind === "unwritable";
      phase = next;
    },
    problem: (code, message) => note(`${code}: ${message}`),
    note,
    warning: note,
  };

  function snapshot(): Status {
    const context = desk?.engine.context;
    const { version, mode, environment, venue, journalPath: path } = parts;
    const head = parts.journal.head();
    const at = clock.now();
    const equity = equityOf(context);
    const known = context?.books.standing ?? FRESH;
    const shownBudget = budget();
    const seen = {
      at,
      startedAt,
      version,
      pid: process.pid,
      mode,
      environment,
      venue,
      strategy: desk === undefined || desk.engine.strategy === IDLE ? "" : desk.engine.strategy.name,
      said: desk?.engine.said,
      freshStart: freshStartOf(desk, at),
      phase: { kind: phase.kind, text: phaseText(phase) },
      standing: isUnwritten ? joined(guarded(), known) : known,
      equity: { ...equity, perRequest: parts.profitPerRequest?.({ at, equity }) },
      worth: context && worthOf(context, parts.haircuts),
      holdings: desk === undefined ? [] : holdingsOf(desk, pending, wishes),
      quotes: symbols.flatMap((symbol) => quoteOf(symbol, quotes.get(symbol), context, clock.now())),
      offline: parts.offline?.() ?? [],
      decisions: decisions.newestFirst,
      counts: countsOf(context),
      totals: context && totalsOf(context),
      open: desk === undefined ? [] : openOf(desk),
      frozen: desk && frozenOf(desk.executor.freeze({ at, mono: clock.monotonic() }), symbols),
      unheard: context && unheardOf(limits, context),
      // Our clock less what it is ahead of the venue's, as the bot's own time.
      ahead: desk && timeAhead(desk.engine.now, at - Math.max(0, shownBudget?.skewMs ?? 0)),
      treasury: desk && treasuryOf(desk, clock.now()),
      limits: context === undefined ? [] : limitsUsed(limits, context),
      otherLimits,
      unlogged,
      feeds: feeds.list(complaints()),
      budget: shownBudget,
      journal: { path, records: head.ok ? head.value.sequence : undefined },
      notes: [...notes],
    };
    return { ...seen, unready: unreadyReasons(seen, parts.unreachable?.(), symbols.length) };
  }

  return {
    watcher,
    note,
    trouble: feeds.trouble,
    isFailing: feeds.isFailing,
    limitsDiffer(text) {
      otherLimits = text;
    },
    logLost(text) {
      unlogged = text;
    },
    spoke: feeds.spoke,
    complaints,
    guardedBy(standing) {
      guarded = standing;
    },
    recall(record) {
      settlements.take(record);
      if (record.kind === "step") decisions.take(record.step);
    },
    get settlements() {
      if (desk !== undefined) settlements.follow(desk.executor, clock.now());
      return settlements.list;
    },
    snapshot,
    get desk() {
      return desk;
    },
    get phase() {
      return phase;
    },
  };
}

function freshStartOf(desk: Desk | undefined, now: Millis): Status["freshStart"] {
  const last = desk?.freshStart;
  return last === undefined || now - last.at > FRESH_START_MS ? undefined : { at: last.at, text: last.text };
}

function unheardOf({ heartbeatMsMax }: Limits, context: RiskContext): string | undefined {
  return heartbeatMsMax === undefined ? undefined : missingHeartbeat(heartbeatMsMax, context);
}

function quoteOf(
  symbol: PairSymbol,
  quote: QuoteEvent | undefined,
  context: RiskContext | undefined,
  now: Millis,
): ShownQuote[] {
  if (quote === undefined || context === undefined) return [];
  const fair = context.pricing.fair(symbol);
  const price = { symbol, bid: quote.bid, ask: quote.ask, ageMs: Math.max(0, now - quote.receivedAt) };
  return fair.kind === "fair"
    ? [{ ...price, fair: fair.value, noFair: undefined }]
    : [{ ...price, fair: undefined, noFair: fair.reason }];
}
