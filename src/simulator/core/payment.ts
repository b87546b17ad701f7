// A payment on a rail: the amount delivered after the fee, the first posting into transit, and the last one at
// settlement.

import { Money, Quantity } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import { uuid } from "./chance.ts";
import { rememberOpen } from "./history.ts";
import { isOwn } from "./rail-form.ts";
import type { Moment, PaymentRow, RailRow } from "./record.ts";
import { type Answer, refused } from "./refusal.ts";
import { settlesAt } from "./settlement.ts";
import { issuedOn, QUANTITY_MAX, type VenueCore } from "./venue-core.ts";

type Terms = Pick<PaymentRow, "received" | "delivered" | "fee">;

/** Starts a payment of this amount if it is allowed. */
export function beginPayment(
  core: VenueCore,
  account: Account,
  rail: RailRow,
  paid: { readonly amount: Quantity; readonly moment: Moment },
): Answer<PaymentRow> {
  const { settings, chance } = core;
  const { moment } = paid;
  const terms = termsOf(core, account, rail, paid.amount);
  if (!terms.ok) return terms;
  const row: PaymentRow = {
    paymentId: uuid(chance, "payment-id"),
    railId: rail.railId,
    ...terms.value,
    isFeeStated: settings.paymentFeeStated,
    status: rail.status === "held" ? "held" : "pending",
    at: moment.venue,
    settlesAt: settlesAt(chance, settings, moment.settlement),
  };
  launch(core, account, rail, row);
  return { ok: true, value: row };
}

function termsOf(core: VenueCore, account: Account, rail: RailRow, amount: Quantity): Answer<Terms> {
  if (rail.status === "rejected") return refused("bad_request", "the rail was rejected");
  if (amount.isZero() || amount.moreThan(QUANTITY_MAX))
    return refused("bad_request", `amount must be positive and at most ${QUANTITY_MAX}, was ${amount}`);
  const isOnRamp = rail.type === "FiatToStablecoin";
  const fee = isOnRamp ? feeOf(core, account, rail, amount) : Quantity.zero;
  const net = amount.minus(fee);
  if (net === undefined || net.isZero()) return refused("bad_request", `amount must be more than the fee ${fee}`);
  const [given, taken] = isOnRamp ? [rail.currency, rail.asset] : [rail.asset, rail.currency];
  const received = amount.of(given);
  if (!isOnRamp && received.moreThan(account.available(rail.asset).amount))
    return refused("bad_request", `the balance does not cover ${received} ${rail.asset}`);
  return { ok: true, value: { received, delivered: net.of(taken), fee: fee.of(taken) } };
}

function launch({ ledger, pockets, settings }: VenueCore, account: Account, rail: RailRow, row: PaymentRow): void {
  const { received } = row;
  const source = rail.type === "FiatToStablecoin" ? pockets.outside(rail.currency) : account.available(rail.asset);
  const cause = { what: "payment", reference: row.paymentId, at: row.at };
  ledger.move(source, pockets.inFlight(received.asset), received, cause);
  account.payments = rememberOpen(account.payments, row, settings.historyRetainedMax, isOpen);
}

export function settlePayment(core: VenueCore, account: Account, payment: PaymentRow, at: Millis): void {
  const { ledger, pockets } = core;
  const rail = account.rails.find(({ railId }) => railId === payment.railId) as RailRow;
  const { received, delivered, fee } = payment;
  const isOnRamp = rail.type === "FiatToStablecoin";
  const cause = { what: "payment settled", reference: payment.paymentId, at };
  // Fiat moves to and from the reserve (the dealer's pocket); tokens are issued and redeemed.
  const kept = (isOnRamp ? pockets.dealer : pockets.issuer)(received.asset);
  const source = (isOnRamp ? pockets.issuer : pockets.dealer)(delivered.asset);
  const target =
    isOnRamp && isOwn(core, account, rail) ? account.available(delivered.asset) : pockets.outside(delivered.asset);
  ledger.move(pockets.inFlight(received.asset), kept, received, cause);
  ledger.move(source, target, delivered, cause);
  ledger.move(source, pockets.fees(fee.asset), fee, cause);
}

/** A payment to an outside wallet costs the chain's fee, one to the caller's own balance the operator's fee. */
function feeOf(core: VenueCore, account: Account, rail: RailRow, amount: Quantity): Quantity {
  if (!isOwn(core, account, rail)) return networkFeeOf(core, rail);
  const { fixed, bps } = core.settings.accountPaymentFee;
  const share = amount.of(rail.asset).share(bps, "up").rounded(8, "up");
  return Quantity.of(String(share.plus(Money.of(fixed, rail.asset))));
}

function networkFeeOf(core: VenueCore, { asset, blockchain }: RailRow): Quantity {
  const issued = issuedOn(core, asset, blockchain);
  return typeof issued === "string" ? Quantity.zero : issued.chain.networkFee;
}

function isOpen({ status }: PaymentRow): boolean {
  return status !== "settled";
}
