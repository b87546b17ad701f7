// The status of a running bot, read from its trading core when something is shown; and why the bot is not ready to trade.

import type { Haircuts } from "../../bot/accounts/worth.ts";
import { timeAhead } from "../../bot/inbox/venue-clock.ts";
import type { Phase } from "../../bot/observer.ts";
import { IDLE } from "../../bot/strategy-host/strategy-state.ts";
import type { TradingCore } from "../../bot/trading-core/trading-core.ts";
import type { Asset, PairSymbol } from "../../domain/asset.ts";
import type { QuoteEvent } from "../../domain/event.ts";
import type { Money } from "../../domain/money/money.ts";
import type { Clock, Millis } from "../../domain/time.ts";
import type { LedgerStatus } from "../../exchange/budget/ledger-status.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Complaint } from "../../market/complaint.ts";
import { type Limits, unlessOff } from "../../risk/limits.ts";
import type { RiskContext } from "../../risk/rule.ts";
import { missingHeartbeat } from "../../risk/rules/rate.ts";
import { FRESH, joined, type TradingState } from "../../risk/trading-state.ts";
import type { Efficiency } from "../metrics/gauges.ts";
import { offlineText, type ShownBudget, type ShownQuote, type Status } from "../status.ts";
import { isAllFrozen, ownTime, phaseText } from "../text/status-text.ts";
import { pauseOf, STORM } from "./connectivity.ts";
import type { DecisionList } from "./decision-list.ts";
import type { FeedList } from "./feed-list.ts";
import { limitsUsed } from "./limit-usage.ts";
import { countsOf, equityOf, holdingsOf, type Targets, totalsOf, worthOf } from "./shown-money.ts";
import { flightsOf, frozenOf, openOf, treasuryOf } from "./submission-list.ts";

/** Long enough to be seen after a weekend. */
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
  readonly unreachable?: (pause: string | undefined) => string | undefined;
  /** And which pairs are not online. */
  readonly offline?: () => Status["offline"];
};

/** What the board was told so far. */
export type Heard = {
  readonly startedAt: Millis;
  readonly decisions: DecisionList;
  readonly feeds: FeedList;
  /** The venue's last, by pair. */
  readonly quotes: Map<PairSymbol, QuoteEvent>;
  readonly pending: Map<Asset, Money>;
  /** Newest first. */
  readonly notes: { at: Millis; text: string }[];
  readonly budget: () => ShownBudget | undefined;
  tradingCore: TradingCore | undefined;
  phase: Phase;
  isUnwritten: boolean;
  otherLimits: string | undefined;
  unlogged: string | undefined;
  guarded: () => TradingState;
};

export function statusOf(parts: BoardParts, heard: Heard): Status {
  const { tradingCore, phase } = heard;
  const { version, mode, environment, venue, limits } = parts;
  const context = tradingCore?.engine.context;
  const at = parts.clock.now();
  const budget = heard.budget();
  const own = ownTime(at, budget?.skewMs);
  const seen = {
    at,
    startedAt: heard.startedAt,
    version,
    pid: process.pid,
    mode,
    environment,
    venue,
    strategy: tradingCore === undefined || tradingCore.engine.strategy === IDLE ? "" : tradingCore.engine.strategy.name,
    said: tradingCore?.engine.said,
    freshStart: freshStartOf(tradingCore, own),
    phase: { kind: phase.kind, text: phaseText(phase) },
    standing: standingOf(heard),
    ...moneyOf(parts, heard, at),
    quotes: quotesOf(parts, heard, own),
    offline: parts.offline?.() ?? [],
    decisions: heard.decisions.newestFirst,
    counts: countsOf(context),
    totals: tradingCore && totalsOf(tradingCore.engine),
    open: tradingCore === undefined ? [] : openOf(tradingCore),
    frozen: tradingCore && frozenAt(parts, tradingCore, own),
    balancesAgreeSince: tradingCore?.executor.balances.exactSince,
    unheard: context && unheardOf(limits, context),
    ahead: tradingCore && timeAhead(tradingCore.engine.now, own),
    treasury: tradingCore && treasuryOf(tradingCore, own),
    limits: context === undefined ? [] : limitsUsed(limits, context),
    otherLimits: heard.otherLimits,
    unlogged: heard.unlogged,
    feeds: heard.feeds.list(complaintsOf(heard)),
    budget,
    journal: journalOf(parts),
    notes: [...heard.notes],
    flights: tradingCore && flightsOf(tradingCore, parts.haircuts, own),
  };
  const pause = pauseOf(phase.kind === "unwritable", budget?.doubtsOnly);
  return { ...seen, unready: unreadyReasons(seen, parts.unreachable?.(pause), limits.symbols.length) };
}

/** What is held against the prices of references. */
export function complaintsOf({ tradingCore, feeds }: Heard): readonly Complaint[] {
  return [...(tradingCore?.engine.complaints() ?? []), ...feeds.waiting()];
}

/** Before the journal was read, and where it fails, the guard alone knows what stands. */
function standingOf({ tradingCore, isUnwritten, guarded }: Heard): TradingState {
  const known = tradingCore?.engine.context.books.standing ?? FRESH;
  return isUnwritten || tradingCore === undefined ? joined(guarded(), known) : known;
}

function moneyOf(
  { limits, targets, haircuts, profitPerRequest }: BoardParts,
  { tradingCore, pending }: Heard,
  at: Millis,
) {
  const context = tradingCore?.engine.context;
  const equity = equityOf(tradingCore?.engine);
  const wishes = { reserveBps: unlessOff(limits.reserveBpsMin), targets };
  return {
    equity: { ...equity, perRequest: profitPerRequest?.({ at, equity }) },
    worth: context && worthOf(context, haircuts),
    holdings: tradingCore === undefined ? [] : holdingsOf(tradingCore, pending, wishes),
  };
}

function frozenAt({ clock, limits }: BoardParts, { executor }: TradingCore, at: Millis): Status["frozen"] {
  return frozenOf(executor.freeze({ at, mono: clock.monotonic() }), limits.symbols as PairSymbol[]);
}

function journalOf({ journal, journalPath: path }: BoardParts): Status["journal"] {
  const head = journal.head();
  return { path, records: head.ok ? head.value.sequence : undefined };
}

function freshStartOf(tradingCore: TradingCore | undefined, now: Millis): Status["freshStart"] {
  const last = tradingCore?.freshStart;
  return last === undefined || now - last.at > FRESH_START_MS ? undefined : { at: last.at, text: last.text };
}

function unheardOf({ heartbeatMsMax }: Limits, context: RiskContext): string | undefined {
  return heartbeatMsMax === undefined ? undefined : missingHeartbeat(heartbeatMsMax, context);
}

function quotesOf({ limits }: BoardParts, { tradingCore, quotes }: Heard, now: Millis): ShownQuote[] {
  const symbols = limits.symbols as PairSymbol[];
  return symbols.flatMap((symbol) => quoteOf(symbol, quotes.get(symbol), tradingCore?.engine.context, now));
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

type Seen = Pick<Status, "phase" | "standing" | "equity" | "offline" | "frozen" | "unheard" | "ahead" | "budget">;

type Offline = NonNullable<Seen["offline"]>;

/** `pairs`: so many may be traded. */
export function unreadyReasons(
  { phase, standing, equity, offline = [], frozen, unheard, ahead, budget }: Seen,
  problem: string | undefined,
  pairs?: number,
): readonly string[] {
  return [
    ...(problem === undefined || problem === STORM ? [] : [problem]),
    ...(phase.kind === "trading" ? [] : [phase.text]),
    ...(standing.state === "ACTIVE"
      ? []
      : [standing, ...standing.also].map(({ state, reason }) => `${state}: ${reason}`)),
    ...(budget?.doubtsOnly === true ? [STORM] : []),
    ...(isAllFrozen({ frozen }) ? [`frozen ${frozen}`] : []),
    ...(ahead === undefined ? [] : [ahead]),
    ...(unheard === undefined ? [] : [unheard]),
    ...(offline.length > 0 && offline.length === pairs ? [`no pair can be traded: ${offlineText(offline)}`] : []),
    ...(equity.now === undefined ? [`equity is unknown: ${whyUnknown(equity, offline)}`] : []),
  ];
}

/** Without its quotes a pair has no price: that is no feed which is dead. */
function whyUnknown({ missing = "a price or a balance is missing" }: Seen["equity"], offline: Offline): string {
  return offline.length === 0 ? missing : `${missing}; ${offlineText(offline)}`;
}
