// Mints, rails and payments on rails from their first record to their last, for the page. A limited number of the newest,
// oldest first. What a request does in between is in the open requests of the status.

import type { Money } from "../../domain/money/money.ts";
import { isFromOutside } from "../../domain/movement.ts";
import type { Millis } from "../../domain/time.ts";
import type { Contents, State } from "../../execution/request.ts";
import type { JournalRecord, RequestRecord } from "../../journal/record.ts";
import type { ShownSettlement } from "../dashboard/model.ts";

const KEPT_MAX = 100;

export function createSettlementList() {
  let shown: readonly ShownSettlement[] = [];

  function begins(id: string, kind: ShownSettlement["kind"], what: string, from: Millis): void {
    if (shown.some((one) => one.id === id)) return;
    shown = [...shown, { id, kind, what, state: "on its way", from, to: undefined }].slice(-KEPT_MAX);
  }

  function ends(id: string, state: string, to: Millis): void {
    shown = shown.map((one) => (one.id === id ? { ...one, state, to } : one));
  }

  return {
    take(record: JournalRecord) {
      const { kind, at } = record;
      if (kind === "intent") {
        const begun = begunBy(record.request);
        if (begun !== undefined) begins(record.id, begun.kind, begun.what, at);
      } else if (kind === "settled") ends(record.id, "settled", at);
      else if (kind === "outcome" && record.outcome.kind !== "accepted") ends(record.id, record.outcome.kind, at);
      else if (kind === "resolution" && record.verdict.kind === "released") ends(record.id, "released", at);
      else if (kind === "step" && record.step.event.kind === "movement") {
        const { id, report } = record.step.event;
        if (!id.startsWith("payment:")) return;
        if (report.kind === "departed") begins(id, "payment", `of ${paymentText(report)}`, at);
        else if (report.kind === "arrived" || report.kind === "returned") ends(id, report.kind, at);
      }
    },
    get list() {
      return shown;
    },
  };
}

type Begun = Pick<ShownSettlement, "kind" | "what">;

function begunBy(request: RequestRecord): Begun | undefined {
  if (request.kind === "order") return undefined;
  return request.kind === "mint" ? mintOf(request.mint) : railOf(request.rail);
}

export function mintOf({ asset, quantity, blockchain }: Contents["mint"]): Begun {
  return { kind: "mint", what: `${quantity} ${asset} on ${blockchain}` };
}

export function railOf({ asset, currency, type, blockchain }: Contents["rail"]): Begun {
  const way = type === "FiatToStablecoin" ? `${currency} to ${asset}` : `${asset} to ${currency}`;
  return { kind: "rail", what: `${way} on ${blockchain}` };
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
