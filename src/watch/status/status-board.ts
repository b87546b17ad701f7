// The status of a running bot: collected by observing the pipeline, and read from the engine when it is shown. It
// changes nothing.

import type { Engine } from "../../bot/engine.ts";
import { timeAhead } from "../../bot/inbox/venue-clock.ts";
import type { BotObserver, Phase } from "../../bot/observer.ts";
import { IDLE } from "../../bot/strategy-host/strategy-state.ts";
import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import type { Money } from "../../domain/money/money.ts";
import { askedOf } from "../../domain/reliability.ts";
import type { Clock, Millis, Mono } from "../../domain/time.ts";
import type { KeyStatus } from "../../exchange/budget/key-file.ts";
import type { Journal, JournalCode } from "../../journal/journal.ts";
import type { JournalRecord } from "../../journal/record.ts";
import { type Limits, unlessOff } from "../../risk/limits.ts";
import { missingHeartbeat } from "../../risk/rules/rate.ts";
import { FRESH, joined, type TradingState } from "../../risk/trading-state.ts";
import { offlineText, type ShownBudget, type ShownQuote, type ShownState, type Status } from "../status.ts";
import { figureText } from "../text/resume-text.ts";
import { isAllFrozen, isTrading, ownTime, phaseText } from "../text/status-text.ts";
import { pauseOf } from "./connectivity.ts";
import { createDecisionList } from "./decision-list.ts";
import { createFeedList, VENUE } from "./feed-list.ts";
import { limitsUsed, roomText } from "./limit-usage.ts";
import { createSettlementList } from "./settlement-list.ts";
import { countsOf, createDayBase, equityOf, holdingsOf, NO_EQUITY, type Targets, totalsOf } from "./shown-money.ts";
import { needsOf, stateOf } from "./state.ts";
import { flightsOf, frozenOf, openOf, treasuryOf } from "./submission-list.ts";

const NOTES_MAX = 20;
/** A fresh start is shown long enough to be seen after a weekend. */
const FRESH_START_MS = 3 * 24 * 3_600_000;

export type BoardParts = Pick<Status, "version" | "mode" | "environment" | "venue" | "market"> & {
  readonly clock: Clock;
  readonly journal: Pick<Journal, "head">;
  readonly journalPath: string;
  readonly ledger: () => KeyStatus | undefined;
  /** The pairs shown are those in `symbols`. */
  readonly limits: Limits;
  readonly targets: Targets;
  /** For a running bot: the names of its references, its requests, and why no new one is sent to the venue. */
  readonly references?: readonly string[];
  readonly sent?: () => number;
  readonly unreachable?: (pause: string | undefined) => string | undefined;
  /** What follows after the cause of a failure of the journal is mended, where mending it alone is not enough. */
  readonly restartFor?: (code: JournalCode) => string | undefined;
  /** For a running bot: the pairs that are not online. */
  readonly offline?: () => Status["offline"];
};

export type StatusBoard = ReturnType<typeof createStatusBoard>;

export function createStatusBoard(parts: BoardParts) {
  const { clock, version, mode, environment, market, venue, limits, journal, journalPath: path } = parts;
  const startedAt = clock.now();
  const settlements = createSettlementList();
  const decisions = createDecisionList(limits.currency, (id) => tradingCore?.books.accounts.realisedBy(id));
  const day = createDayBase();
  const feeds = createFeedList(clock, parts.references);
  const budget = createBudgetView(parts);
  const seen: Seen = { quotes: new Map(), pending: new Map() };
  /** Newest first. */
  const notes: Status["notes"][number][] = [];
  let tradingCore: Engine | undefined;
  let phase: Phase = { kind: "restoring" };
  const best = new BestEdge();
  /** The last order, or the beginning of trading. */
  let busyAt = startedAt;
  let isUnwritten = false;
  /** The edge that fills of earlier processes captured. */
  let recalled = 0;
  let otherLimits: string | undefined;
  let guarded = (): TradingState => FRESH;
  let lastWord: { readonly word: ShownState["word"]; readonly since: Millis } | undefined;

  function note(text: string): void {
    notes.unshift({ at: clock.now(), text });
    notes.length = Math.min(notes.length, NOTES_MAX);
  }

  /** The better edge of a quote over fair value, on a pair that the strategy trades. */
  function judge({ symbol, bid, ask }: QuoteEvent): void {
    const { strategy, books } = tradingCore ?? {};
    const found = books?.pricing.fair(symbol);
    if (found?.kind !== "fair" || wantsOf(strategy?.params).symbols?.includes(symbol) === false) return;
    const bps = Math.max(1 - ask / found.value, bid / found.value - 1) * 1e4;
    best.take({ at: clock.now(), symbol, bps });
  }

  /** Names the moment from which a state is seen that does not know it itself. */
  function stateSeen(shown: ShownState, at: Millis): ShownState {
    if (lastWord?.word !== shown.word) lastWord = { word: shown.word, since: at };
    return { ...shown, since: shown.since ?? lastWord.since };
  }

  /** Before the journal is read, and while it fails, only the kill switch knows every stop. */
  function standing(): TradingState {
    const known = tradingCore?.books.counters.tradingState ?? FRESH;
    return isUnwritten || tradingCore === undefined ? joined(guarded(), known) : known;
  }

  function snapshot(): Status {
    const at = clock.now();
    const used = budget();
    const own = ownTime(at, used?.skewMs);
    const head = journal.head();
    const core = tradingCore === undefined ? NO_CORE : coreStatus(parts, tradingCore, seen, own);
    const status = {
      ...core,
      at,
      startedAt,
      version,
      pid: process.pid,
      mode,
      environment,
      market,
      venue,
      phase: { kind: phase.kind, text: phaseText(phase), wayOut: wayOutOf(phase, parts) },
      standing: standing(),
      equity: {
        ...core.equity,
        edgePerRequest: perRequest(decisions.captured - recalled, parts.sent?.()),
        sources: tradingCore && day.sources(tradingCore),
      },
      offline: parts.offline?.() ?? [],
      decisions: decisions.newestFirst,
      otherLimits,
      feeds: feeds.list(tradingCore?.books.complaints()),
      budget: used,
      journal: { path, records: head.ok ? head.value.sequence : undefined },
      notes: [...notes],
    };
    const pause = pauseOf(phase.kind === "unwritable", used);
    const unready = unreadyReasons(status, parts.unreachable?.(pause), limits.symbols.length);
    const { leastBps, skewBps } = wantsOf(tradingCore?.strategy.params);
    const idle = idleOf({ ...status, unready }, { busyAt, own, best: best.at(at), leastBps, skewBps });
    return judged({ ...status, unready, idle, edgeWantedBps: leastBps }, (state) => stateSeen(state, at));
  }

  const watcher: Required<BotObserver> = {
    core(core) {
      tradingCore = core;
    },
    step(step) {
      decisions.take(step, () => tradingCore && roomText(limitsUsed(limits, tradingCore.books)));
      if (step.decisions.some(({ verdict }) => verdict.kind === "approved")) busyAt = clock.now();
      if (step.event.kind === "balances")
        seen.pending = new Map(
          step.event.balances.flatMap(({ asset, pending }) => (pending ? [[asset, pending]] : [])),
        );
    },
    turn({ records }, input) {
      for (const record of records) settlements.take(record);
      if (input.kind !== "event" || input.event.kind !== "quote") return;
      const { source, symbol, receivedAt } = input.event;
      feeds.heard(source, receivedAt);
      if (source !== VENUE) return;
      seen.quotes.set(symbol, { ...input.event });
      judge(input.event);
    },
    control: () => {},
    phase(next) {
      if (next.kind !== "stopping") isUnwritten = next.kind === "unwritable";
      if (next.kind === "trading" && phase.kind !== "trading") busyAt = clock.now();
      phase = next;
    },
    problem: (code, message) => note(`${code}: ${message}`),
    note,
    warning: note,
  };

  return {
    watcher,
    note,
    /** The budget of a snapshot, without the rest of it. */
    budget,
    snapshot,
    /** The problem of a price source; undefined when it is over. */
    trouble: feeds.trouble,
    isFailing: feeds.isFailing,
    /** Limits that differ in the present configuration file; undefined when they agree again. */
    limitsDiffer(text: string | undefined) {
      otherLimits = text;
    },
    /** Sets the kill switch as the source of the state while the journal fails: the engine learns of no stop then. */
    guardedBy(standing: () => TradingState) {
      guarded = standing;
    },
    /** A slot that an order used. */
    slot: decisions.slot,
    /** Newest last. */
    get fills() {
      return decisions.fills;
    },
    day,
    /** Replays a record of an earlier process. */
    recall(record: JournalRecord) {
      settlements.take(record);
      if (record.kind !== "step") return;
      const before = decisions.captured;
      decisions.take(record.step);
      recalled += decisions.captured - before;
    },
    get settlements() {
      return settlements.list;
    },
    get tradingCore() {
      return tradingCore;
    },
    get phase() {
      return phase;
    },
  };
}

function wayOutOf(phase: Phase, { restartFor }: BoardParts): string | undefined {
  if (phase.kind !== "unwritable") return undefined;
  return `mend the cause; ${restartFor?.(phase.error.code) ?? "pegbot status says more"}`;
}

/** The status with what is derived from all of it. */
export function judged(
  status: Omit<Status, "state" | "needs">,
  seen = (state: ShownState): ShownState => state,
): Status {
  return { ...status, state: seen(stateOf(status)), needs: needsOf(status) };
}

function perRequest(captured: number, sent: number | undefined): number | undefined {
  return sent === undefined || sent === 0 ? undefined : captured / sent;
}

/** The venue's last quotes by pair, and the pending amounts of its last balances. */
type Seen = { readonly quotes: Map<PairSymbol, QuoteEvent>; pending: ReadonlyMap<Asset, Money> };

/** Shown before the journal is read. */
const NO_CORE: CoreStatus = {
  strategy: "",
  equity: NO_EQUITY,
  counts: { approved: 0, refused: 0, fills: 0, roundTrips: 0 },
  ...{ holdings: [], quotes: [], open: [], limits: [] },
};

type CoreStatus = Partial<Status> &
  Pick<Status, "strategy" | "equity" | "holdings" | "quotes" | "counts" | "open" | "limits">;

/** `own`: our clock, minus its lead over the venue's clock. */
function coreStatus(parts: BoardParts, core: Engine, { quotes, pending }: Seen, own: Millis): CoreStatus {
  const { limits, targets, clock } = parts;
  const { books, executor, strategy } = core;
  const { freshStart } = core.lifecycle;
  const symbols = limits.symbols as PairSymbol[];
  const freeze = executor.freeze({ at: own, mono: clock.monotonic() });
  const isRecent = freshStart !== undefined && own - freshStart.at <= FRESH_START_MS;
  return {
    strategy: strategy === IDLE ? "" : strategy.name,
    said: core.host.said,
    freshStart: isRecent ? { at: freshStart.at, text: freshStart.text } : undefined,
    equity: equityOf(core),
    holdings: holdingsOf(core, pending, { reserveBps: unlessOff(limits.reserveBpsMin), targets }),
    quotes: symbols.flatMap((symbol) => quoteOf(symbol, quotes.get(symbol), core, own)),
    reliability: books.reliability(),
    counts: countsOf(books),
    totals: totalsOf(core),
    open: openOf(core),
    frozen: frozenOf(freeze, symbols),
    balancesAgreeSince: executor.balances.exactSince,
    unheard: limits.heartbeatMsMax ? missingHeartbeat(limits.heartbeatMsMax, books) : undefined,
    ahead: timeAhead(books.now, own),
    treasury: treasuryOf(core, own),
    limits: limitsUsed(limits, books),
    flights: flightsOf(core, own),
  };
}

function quoteOf(symbol: PairSymbol, quote: QuoteEvent | undefined, { books }: Engine, now: Millis): ShownQuote[] {
  const hidden = books.hiddenOf(symbol);
  if (quote === undefined && hidden === undefined) return [];
  const found = books.pricing.fair(symbol);
  const [fair, noFair] = found.kind === "fair" ? [found.value, undefined] : [undefined, found.reason];
  if (hidden !== undefined) return [{ symbol, fair, noFair, hidden: hiddenIn(hidden) }];
  const { bid, ask, receivedAt = now } = quote ?? {};
  return [{ symbol, bid, ask, ageMs: Math.max(0, now - receivedAt), fair, noFair }];
}

type Hidden = NonNullable<ShownQuote["hidden"]>;

function hiddenIn({ bid, ask }: NonNullable<ReturnType<Engine["books"]["hiddenOf"]>>): Hidden {
  return { bid: askedOf(bid), ask: askedOf(ask), ageMs: ask.ageMs ?? 0 };
}

type Judged = Pick<Status, "phase" | "standing" | "equity" | "offline" | "frozen" | "unheard" | "ahead" | "budget">;

type Offline = NonNullable<Judged["offline"]>;

/** `pairs`: the number of tradable pairs. */
export function unreadyReasons(
  { phase, standing, equity, offline = [], frozen, unheard, ahead, budget }: Judged,
  problem: string | undefined,
  pairs?: number,
): readonly string[] {
  const pause = pauseOf(false, budget);
  return [
    ...(problem === undefined || problem === pause ? [] : [problem]),
    ...(phase.kind === "trading" ? [] : [phase.text]),
    ...(standing.state === "ACTIVE"
      ? []
      : [standing, ...standing.also].map(({ state, reason }) => `${state}: ${reason}`)),
    ...(pause === undefined ? [] : [pause]),
    ...(isAllFrozen({ frozen }) ? [`frozen ${frozen}`] : []),
    ...(ahead === undefined ? [] : [ahead]),
    ...(unheard === undefined ? [] : [unheard]),
    ...(offline.length > 0 && offline.length === pairs ? [`no pair can be traded: ${offlineText(offline)}`] : []),
    ...(equity.now === undefined ? [`equity is unknown: ${whyUnknown(equity, offline)}`] : []),
  ];
}

/** An offline pair has no quotes and so no price; this is not a dead feed. */
function whyUnknown({ missing = "a price or a balance is missing" }: Judged["equity"], offline: Offline): string {
  return offline.length === 0 ? missing : `${missing}; ${offlineText(offline)}`;
}

// The idle bot: it may trade and sends no order. The reason is computed: a refusal of the gate, the best edge of the last
// minute against the least edge of the strategy, or the strategy's own words.

/** A bot without an order for this long is idle, and edges count for as long. */
const IDLE_MS = 60_000;

/** How the built-in strategies say that an asset runs out, and that a limit leaves no order. */
const LACKS = "has too little ";
const LIMITED = "the limits leave ";
/** A limit with less room than this leaves no order that is worth one, whatever pair the strategy spoke of last. */
const FULL_BPS = 9_900;

type Edge = { readonly at: Millis; readonly symbol: PairSymbol; readonly bps: number };

/** The best edge of the last minute. */
class BestEdge {
  /** Oldest first, each better than all later ones. */
  readonly #edges: Edge[] = [];

  take(edge: Edge): void {
    while ((this.#edges.at(-1)?.bps ?? Number.POSITIVE_INFINITY) <= edge.bps) this.#edges.pop();
    this.#edges.push(edge);
  }

  at(now: Millis): Edge | undefined {
    while ((this.#edges[0]?.at ?? now) < now - IDLE_MS) this.#edges.shift();
    return this.#edges[0];
  }
}

type Wants = {
  readonly symbols: readonly string[] | undefined;
  readonly leastBps: number | undefined;
  /** What may come on top of the least edge, by what is held. */
  readonly skewBps: number;
};

/** The parameters by which the built-in strategies name their pairs and their least edge. */
function wantsOf(params: unknown): Wants {
  const { symbols, edgeBps, feeBps, skewBps } = (params ?? {}) as Record<string, unknown>;
  const leastBps = typeof edgeBps === "number" ? edgeBps + (typeof feeBps === "number" ? feeBps : 0) : undefined;
  return { symbols: Array.isArray(symbols) ? symbols : undefined, leastBps, skewBps: Number(skewBps ?? 0) };
}

type Acting = Pick<Status, "at" | "phase" | "standing" | "unready" | "decisions" | "open" | "said" | "limits">;

type Watched = {
  /** The last order, or the beginning of trading, by our clock. */
  readonly busyAt: Millis;
  /** Now, by the venue's clock; decisions have its times. */
  readonly own: Millis;
  readonly best: Edge | undefined;
} & Pick<Wants, "leastBps" | "skewBps">;

function idleOf(status: Acting, watched: Watched): Status["idle"] {
  const { at, standing, open } = status;
  const { busyAt, own } = watched;
  const isBusy = at - busyAt < IDLE_MS || open.some(({ kind, state }) => kind === "order" && state !== "confirmed");
  if (isBusy || standing.state !== "ACTIVE" || !isTrading(status)) return undefined;
  const [newest] = status.decisions;
  if (newest?.outcome === "refused" && own - newest.at < IDLE_MS)
    return { since: busyAt, reason: `orders are refused: ${newest.note}`, rule: newest.note.split(":")[0] };
  return { since: busyAt, ...reasonOf(status, watched) };
}

type Reason = Pick<NonNullable<Status["idle"]>, "reason" | "rule">;

function reasonOf({ said, decisions, limits }: Acting, { best, leastBps, skewBps }: Watched): Reason {
  if (best === undefined) return { reason: "no pair of the strategy has both a quote and a fair value" };
  const most = skewBps > 0 ? ` to ${((leastBps ?? 0) + skewBps).toFixed(1)} by what is held` : "";
  const least = leastBps === undefined ? "" : `, needs ${leastBps.toFixed(1)}${most}`;
  const edge = `best edge ${best.bps.toFixed(1)} bp on ${best.symbol}`;
  if (leastBps !== undefined && best.bps < leastBps + skewBps) return { reason: `${edge}${least}` };
  const { text = "" } = said ?? {};
  if (text.startsWith(LACKS)) return { reason: `${edge}, but it ${text}`, rule: "RC17" };
  // The limit that leaves no order is the one that cut the last, or one that is full.
  const [, rule, limit] = /capped by (\w+): ([^;]*)/.exec(decisions[0]?.note ?? "") ?? [];
  const isLimited = text.startsWith(LIMITED);
  if (rule !== undefined && isLimited) return { reason: `${edge}, but ${rule}: ${limit}`, rule };
  const full = limits.find(({ usedBps }) => (usedBps ?? 0) >= FULL_BPS);
  if (full !== undefined) {
    const { rule, name, unit, used = 0, limit = 0 } = full;
    const figures = `${figureText(used, unit)} of ${figureText(limit, unit)}`;
    return { reason: `${edge}, but ${rule} is full: ${name}, ${figures}`, rule };
  }
  if (isLimited) return { reason: `${edge}, but ${text}` };
  return { reason: `${edge}${least}; the strategy proposes nothing${text === "" ? "" : `: ${text}`}` };
}

/** Reading the key's ledger is a transaction. */
const BUDGET_EVERY_MS = 1_000;
const MINUTE_MS = 60_000;
const SAME_END_MS = 1_000;

type BudgetParts = { readonly ledger: () => KeyStatus | undefined; readonly clock: Clock };

/** Reads the ledger at most once a second. */
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
    const { paused } = status;
    // Read anew each time, by two clocks, the end of one pause differs by a millisecond.
    const isSame = Math.abs((paused?.until ?? 0) - (shown?.paused?.until ?? 0)) < SAME_END_MS;
    shown = {
      slots: status.slots,
      usedBps:
        could < 5 || first === undefined
          ? undefined
          : Math.min(10_000, Math.round(((status.slots - first.slots) / could) * 1e4)),
      spacingMs: status.spacingMs,
      waiting: status.waiting,
      rateLimited: status.rateLimitedMsAgo.filter((ms) => ms < 10 * MINUTE_MS).length,
      doubtsOnly: status.doubtsOnly,
      paused: isSame ? shown?.paused : paused,
      skewMs: status.skewMs,
    };
    return shown;
  };
}
