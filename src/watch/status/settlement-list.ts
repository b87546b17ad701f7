// Mints and rails from request to arrival: starts and ends come from journal records, intermediate states from the
// executor, which also knows requests that commands started. A limited number of the newest, oldest first.

import type { Money } from "../../domain/money/money.ts";
import { isFromOutside, type MovementEvent } from "../../domain/movement.ts";
import { isHeld } from "../../domain/settlement-status.ts";
import type { Millis } from "../../domain/time.ts";
import type { ExecutorView } from "../../execution/executor.ts";
import { type Contents, type MoneyRequest, type State, stateText } from "../../execution/request.ts";
import type { JournalRecord, RequestRecord } from "../../journal/record.ts";
import type { ShownSettlement } from "../dashboard/model.ts";

const KEPT_MAX = 100;
const ENDED: ReadonlySet<string> = new Set(["settled", "rejected", "not-sent", "released"]);

const ON_ITS_WAY = "on its way";
/** Not finished: a person has to write to the venue's support. */
const HELD = "held";

export interface SettlementList {
  take(record: JournalRecord): void;
  /** Updates the states from the executor. */
  follow(executor: Pick<ExecutorView, "open" | "get">, at: Millis): void;
  /** The same array while nothing changes. */
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

  /** A payment on a rail has no request of ours; it appears through the venue's list of payments. */
  function move({ id, report, receivedAt }: MovementEvent): void {
    if (!id.startsWith("payment:")) return;
    if (report.kind === "departed" && !shown.some((one) => one.id === id)) {
      const asset = report.comes.asset;
      add({
        id,
        kind: "payment",
        asset,
        what: `of ${paymentText(report)}`,
        state: ON_ITS_WAY,
        from: receivedAt,
        to: undefined,
      });
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
      if (record.kind === "intent") {
        const begun = begunBy(record.request);
        if (begun !== undefined && !shown.some(({ id }) => id === record.id))
          add({ id: record.id, ...begun, state: "intended", from: record.at, to: undefined });
      } else if (record.kind === "step") {
        if (record.step.event.kind === "movement") move(record.step.event);
      } else {
        const end = endOf(record);
        if (end !== undefined) change(end.id, { state: end.state, to: record.at });
      }
    },
    get list() {
      return shown;
    },
  };
}

/** The end states; intermediate states come from the executor. */
function endOf(record: JournalRecord): { readonly id: string; readonly state: string } | undefined {
  if (record.kind === "settled") return { id: record.id, state: "settled" };
  if (record.kind === "outcome" && record.outcome.kind !== "accepted")
    return { id: record.id, state: record.outcome.kind };
  return record.kind === "resolution" && record.verdict.kind === "released"
    ? { id: record.id, state: "released" }
    : undefined;
}

function stateOf({ state }: MoneyRequest): string {
  const status = "receipt" in state && "status" in state.receipt ? state.receipt.status : undefined;
  return !ENDED.has(state.kind) && isHeld(status) ? HELD : stateText(state);
}

type Begun = Pick<ShownSettlement, "kind" | "asset" | "what">;

function begunBy(request: RequestRecord): Begun | undefined {
  if (request.kind === "order") return undefined;
  return request.kind === "mint" ? mintOf(request.mint) : railOf(request.rail);
}

export function mintOf({ asset, quantity, blockchain }: Contents["mint"]): Begun {
  return { kind: "mint", asset, what: `${quantity} ${asset} on ${blockchain}` };
}

export function railOf({ asset, currency, type, blockchain }: Contents["rail"]): Begun {
  const way = type === "FiatToStablecoin" ? `${currency} to ${asset}` : `${asset} to ${currency}`;
  return { kind: "rail", asset, what: `${way} on ${blockchain}` };
}

/** The amount that left, or the amount that comes if nothing left our account. */
export function paymentText({ spent, comes }: { readonly spent: Money; readonly comes: Money }): string {
  const amount = isFromOutside({ spent }) ? comes : spent;
  return `${amount} ${amount.asset}`;
}

/** Since when the request has been waiting for evidence. */
export function waitingSince(state: State<unknown>): Millis | undefined {
  return state.kind === "accepted" || state.kind === "unknown" ? state.since : undefined;
}
