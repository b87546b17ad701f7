// Payment rails: a rail is a registration, and money moves only with the payments on it. On an on-ramp fiat comes from
// outside and tokens go to the wallet; on an off-ramp tokens leave the caller's balance and fiat goes to the bank.

import type { Quantity } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import { uuid } from "./chance.ts";
import { rememberOpen } from "./history.ts";
import { beginPayment, settlePayment } from "./payment.ts";
import { isReachable, readRail, whyRejected } from "./rail-form.ts";
import type { Moment, PaymentRow, RailRow } from "./record.ts";
import { type Answer, refused } from "./refusal.ts";
import { createSettling, heldOrPending, RAIL_HOLDS, type Settling } from "./settlement.ts";
import { admittedTo, type VenueCore } from "./venue-core.ts";

export interface Rails extends Pick<Settling, "advance"> {
  add(key: string, body: unknown, moment: Moment): Answer<RailRow>;
  pay(railId: string, amount: Quantity, moment: Moment): Answer<PaymentRow>;
  /** Undefined when no rail has this id. */
  hold(railId: string, held: boolean, moment: Moment, reason?: string): Answer<void> | undefined;
}

export function createRails(core: VenueCore): Rails {
  const settle = (account: Account, row: PaymentRow, at: Millis): void => settlePayment(core, account, row, at);
  // Redemption stops while the coin is off its peg.
  const isStopped = (account: Account, { railId }: PaymentRow, at: Millis): boolean => {
    const rail = account.rails.find((row) => row.railId === railId);
    return rail?.type === "StablecoinToFiat" && core.market.closure(rail.asset, at) !== "open";
  };
  const settling = createSettling(core.accounts, paymentsOf, settle, isStopped);
  return {
    add: (key, body, moment) => addRail(core, key, body, moment),
    pay(railId, amount, moment) {
      const found = find(core, railId);
      if (found === undefined) return refused("not_found", "no rail has this railid");
      const begun = beginPayment(core, found.account, found.rail, { amount, moment });
      if (begun.ok) settling.begun(begun.value);
      return begun;
    },
    hold(railId, held, moment, reason) {
      const found = find(core, railId);
      if (found === undefined) return undefined;
      const { account, rail, index } = found;
      if (rail.status === "rejected") return refused("bad_request", "the rail was rejected");
      const changed = heldOrPending(held, RAIL_HOLDS, reason);
      if (typeof changed === "string") return refused("bad_request", changed);
      account.rails[index] = { ...rail, ...changed };
      account.payments = account.payments.map((row) =>
        row.railId === railId && row.status !== "settled" ? { ...row, status: changed.status } : row,
      );
      settling.changed();
      settling.advance(moment);
      return { ok: true, value: undefined };
    },
    advance: settling.advance,
  };
}

function addRail(core: VenueCore, key: string, body: unknown, moment: Moment): Answer<RailRow> {
  const { settings, chance } = core;
  const account = admittedTo(core, key, "issuance");
  if (!account.ok) return account;
  const form = readRail(body);
  if (!form.ok) return form;
  const why = whyRejected(core, form.value);
  if (why === undefined && form.value.type === "FiatToStablecoin" && !isReachable(core, account.value, form.value))
    return refused("external_wallet_not_whitelisted", "wallet must be whitelisted, confirmed and documented");
  const isHeld = why === undefined && chance.occurs("rail-hold", core.faults.railHoldChance);
  const row: RailRow = {
    railId: uuid(chance, "rail-id"),
    ...form.value,
    status: why !== undefined ? "rejected" : isHeld ? "held" : "pending",
    reason: why ?? (isHeld ? chance.pick("rail-hold-reason", RAIL_HOLDS) : undefined),
    at: moment.venue,
  };
  account.value.rails = rememberOpen(account.value.rails, row, settings.historyRetainedMax, isLive);
  return { ok: true, value: row };
}

function find({ accounts }: VenueCore, railId: string): { account: Account; rail: RailRow; index: number } | undefined {
  for (const account of accounts.values()) {
    const index = account.rails.findIndex((row) => row.railId === railId);
    const rail = account.rails[index];
    if (rail !== undefined) return { account, rail, index };
  }
  return undefined;
}

/** A rail is usable unless it is rejected: its payments settle through it. */
function isLive({ status }: RailRow): boolean {
  return status !== "rejected";
}

function paymentsOf(account: Account): PaymentRow[] {
  return account.payments;
}
