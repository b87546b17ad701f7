// Mints and rails from request to arrival: folded from the records of the journal, and followed in the executor, which also
// knows of those that commands began. The newest so many, oldest first.

import { unreachable } from "../../domain/invariant.ts";
import type { Money } from "../../domain/money/money.ts";
import { isFromOutside, type MovementEvent } from "../../domain/movement.ts";
import type { Millis } from "../../domain/time.ts";
import { isHeld } from "../../domain/venue-word.ts";
import type { ExecutorView } from "../../execution/executor.ts";
import { type Contents, type MoneyRequest, type State, stateText } from "../../execution/request.ts";
import type { DefiniteOutcome, JournalRecord, RequestRecord, ResolutionVerdict } from "../../journal/record.ts";
import type { ShownSettlement } from "../dashboard/model/shown.ts";

const KEPT_MAX = 100;
const ENDED: ReadonlySet<string> = new Set(["settled", "rejected", "not-sent", "released"]);

const ON_ITS_WAY = "on its way";
/** Not done: a person has to write to the venue's support. */
const HELD = "held";

export interface SettlementList {
  take(record: JournalRecord): void;
  /** How they stand now. */
  follow(executor: Pick<ExecutorView, "open" | "get">, at: Millis): void;
  /** The same list as long as nothing changed. */
  readonly list: readonly ShownSettlement[];
}

export function createSettlementList(): SettlementList {
  let shown: readonly ShownSettlement[] = [];

  function change(id: string, news: Partial<ShownSettlement>): void {
    if (shown.some((one) => one.id === id)) shown = shown.map((one) => (one.id === id ? { ...one, ...news } : one));
  }

  function see(submission: MoneyRequest, at: Millis): void {
    const { id, kind, request } = submission;
    const known = shown.find((one) => one.id === id);
    const state = stateOf(submission);
    if (known === undefined) {
      const begun = kind === "mint" ? mintOf(request as Contents["mint"]) : railOf(request as Contents["rail"]);
      add({ id, ...begun, state, from: waitingSince(submission.state) ?? at, to: undefined });
    } else if (known.state !== state) change(id, { state, ...(ENDED.has(state) ? { to: known.to ?? at } : {}) });
  }

  /** A payment on a rail has no request of ours: the venue's list of them tells it. */
  function move({ id, report, receivedAt }: MovementEvent): void {
    if (!id.startsWith("payment:")) return;
    if (report.kind === "departed" && !shown.some((one) => one.id === id)) {
      const asset = report.comes.asset;
      add({ id, kind: "payment", asset, what: amountOf(report), state: ON_ITS_WAY, from: receivedAt, to: undefined });
    } else if (report.kind === "told" && shown.some((one) => one.id === id && one.to === undefined))
      change(id, { state: isHeld(report.status) ? HELD : ON_ITS_WAY });
    else if (report.kind === "arrived" || report.kind === "returned")
      change(id, { state: report.kind, to: receivedAt });
  }

  function add(one: ShownSettlement): void {
    shown = [...shown, one].slice(-KEPT_MAX);
  }

  return {
    follow(executor, at) {
      for (const submission of executor.open()) if (submission.kind !== "order") see(submission, at);
      for (const { id, to } of shown) {
        const submission = to === undefined ? executor.get(id) : undefined;
        if (submission !== undefined) see(submission, at);
      }
    },
    take(record) {
      switch (record.kind) {
        case "intent": {
          const begun = begunBy(record.request);
          if (begun !== undefined && !shown.some(({ id }) => id === record.id))
            add({ id: record.id, ...begun, state: "intended", from: record.at, to: undefined });
          return;
        }
        case "step":
          if (record.step.event.kind === "movement") move(record.step.event);
          return;
        default: {
          const found = newsOf(record);
          if (found !== undefined) change(found.id, found.news);
        }
      }
    },
    get list() {
      return shown;
    },
  };
}

type News = { readonly id: string; readonly news: Partial<ShownSettlement> };

/** What a record says of one that was begun. */
function newsOf(record: JournalRecord): News | undefined {
  switch (record.kind) {
    case "sending":
    case "doubt":
    case "fenced":
      return { id: record.id, news: { state: record.kind } };
    case "outcome":
      return { id: record.id, news: outcomeOf(record.outcome, record.at) };
    case "resolution":
      return { id: record.id, news: verdictOf(record.verdict, record.at) };
    case "settled":
      return { id: record.id, news: { state: "settled", to: record.at } };
    default:
      return undefined;
  }
}

function stateOf({ state }: MoneyRequest): string {
  const status = "receipt" in state && "status" in state.receipt ? state.receipt.status : undefined;
  return !ENDED.has(state.kind) && isHeld(status) ? HELD : stateText(state);
}

type Begun = Pick<ShownSettlement, "kind" | "asset" | "what">;

function begunBy(request: RequestRecord): Begun | undefined {
  switch (request.kind) {
    case "order":
      return undefined;
    case "mint":
      return mintOf(request.mint);
    case "rail":
      return railOf(request.rail);
    default:
      return unreachable(request);
  }
}

export function mintOf({ asset, quantity, blockchain }: Contents["mint"]): Begun {
  return { kind: "mint", asset, what: `${quantity} ${asset} on ${blockchain}` };
}

export function railOf({ asset, currency, type, blockchain }: Contents["rail"]): Begun {
  const way = type === "FiatToStablecoin" ? `${currency} to ${asset}` : `${asset} to ${currency}`;
  return { kind: "rail", asset, what: `${way} on ${blockchain}` };
}

function outcomeOf(outcome: DefiniteOutcome, at: ShownSettlement["from"]): Partial<ShownSettlement> {
  return outcome.kind === "accepted" ? { state: "accepted" } : { state: outcome.kind, to: at };
}

function verdictOf({ kind }: ResolutionVerdict, at: ShownSettlement["from"]): Partial<ShownSettlement> {
  return kind === "released" ? { state: kind, to: at } : { state: kind === "landed" ? "confirmed" : kind };
}

function amountOf({ spent, comes }: { readonly spent: Money; readonly comes: Money }): string {
  return isFromOutside({ spent }) ? `of ${comes} ${comes.asset}` : `of ${spent} ${spent.asset}`;
}

/** Since when it waits for evidence. */
export function waitingSince(state: State<unknown>): Millis | undefined {
  return state.kind === "accepted" || state.kind === "unknown" ? state.since : undefined;
}
