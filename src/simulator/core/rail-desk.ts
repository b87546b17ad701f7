// Payment rails: a rail is a registration, and money moves only with the payments on it. On an on-ramp fiat comes from
// outside and tokens go to the wallet; on an off-ramp tokens leave the caller's balance and fiat goes to the bank.

import { Quantity } from "../../domain/money/money.ts";
import type { Millis } from "../../domain/time.ts";
import type { Account } from "./account.ts";
import type { Answer } from "./answer.ts";
import { uuid } from "./chance.ts";
import { depositAddressOf } from "./deposit.ts";
import { rememberOpen } from "./history.ts";
import { admittedTo, type House, issuedOn, isUsable, QUANTITY_MAX, shown, whyFull } from "./house.ts";
import { type RailForm, readRail } from "./rail-form.ts";
import type { Moment, PaymentRow, RailRow } from "./record.ts";
import { refused } from "./refusal.ts";
import { nextSettlement, settleDue, settlesAt } from "./settlement.ts";

export interface RailDesk {
  add(key: string, body: unknown, moment: Moment): Answer<RailRow>;
  pay(railId: string, amount: Quantity, moment: Moment): Answer<PaymentRow>;
  /** Undefined when no rail has this id. */
  hold(railId: string, held: boolean, moment: Moment): Answer<void> | undefined;
  isDue(moment: Moment): boolean;
  advance(moment: Moment): void;
}

const COUNTRY = /^[A-Z]{2}$/;
const BANK_ACCOUNT = /^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$/;
const HELD_REASON = "compliance review: coordinate with support";

export function createRailDesk(house: House): RailDesk {
  const { settings, ledger, pockets, chance } = house;
  let nextDue = dueOf();

  function add(key: string, body: unknown, moment: Moment): Answer<RailRow> {
    const account = admittedTo(house, key, "issuance");
    if (!account.ok) return account;
    const form = readRail(body);
    if (!form.ok) return form;
    const why = whyRejected(form.value);
    if (why === undefined && form.value.type === "FiatToStablecoin" && !isReachable(account.value, form.value))
      return refused("external_wallet_not_whitelisted", "wallet must be whitelisted, confirmed and documented");
    const full = why === undefined ? whyFull(house, "rails", account.value.rails, isLive) : undefined;
    if (full !== undefined) return refused("limit_reached", full);
    const isHeld = why === undefined && chance.occurs("rail-hold", house.faults.railHoldChance);
    const row: RailRow = {
      railId: uuid(chance, "rail-id"),
      ...form.value,
      status: why !== undefined ? "rejected" : isHeld ? "held" : "pending",
      reason: why ?? (isHeld ? HELD_REASON : undefined),
      at: moment.venue,
    };
    account.value.rails = rememberOpen(account.value.rails, row, settings.historyRetainedMax, isLive);
    return { ok: true, value: row };
  }

  function whyRejected({ type, sender, destination, asset, currency, blockchain }: RailForm): string | undefined {
    const issued = issuedOn(house, asset, blockchain);
    if (typeof issued === "string") return `instructions: ${issued}`;
    if (currency !== issued.listing.reference)
      return `instructions: currency of ${asset} must be ${issued.listing.reference}, was ${shown(currency)}`;
    if (!COUNTRY.test(sender.country))
      return `sender: country must be two capital letters, was ${shown(sender.country)}`;
    if (!settings.railCountries.includes(sender.country)) return `sender: country ${sender.country} is not served`;
    if (sender.type !== "company") return `sender: partytype must be company, was ${shown(sender.type)}`;
    if (sender.name.trim() === "") return "sender: name must not be blank";
    if (type === "StablecoinToFiat" && !BANK_ACCOUNT.test(destination))
      return `bankaccount: destination must be an IBAN without blanks, was ${shown(destination)}`;
    return undefined;
  }

  /** A wallet that may receive: whitelisted and confirmed, or the caller's own deposit address here. */
  function isReachable(account: Account, { asset, blockchain, destination }: RailForm): boolean {
    return isUsable(account, asset, blockchain, destination) || isOwn(account, { asset, blockchain, destination });
  }

  function isOwn(account: Account, rail: Pick<RailForm, "asset" | "blockchain" | "destination">): boolean {
    return rail.destination === depositAddressOf(settings.seed, account.key, rail.asset, rail.blockchain);
  }

  function pay(railId: string, amount: Quantity, moment: Moment): Answer<PaymentRow> {
    const found = find(railId);
    if (found === undefined) return refused("not_found", "no rail has this railid");
    const { account, rail } = found;
    if (rail.status === "rejected") return refused("bad_request", "the rail was rejected");
    if (amount.isZero() || amount.moreThan(QUANTITY_MAX))
      return refused("bad_request", `amount must be positive and at most ${QUANTITY_MAX}, was ${amount}`);
    const isOnRamp = rail.type === "FiatToStablecoin";
    const fee = isOnRamp && !isOwn(account, rail) ? networkFeeOf(rail) : Quantity.zero;
    const net = amount.minus(fee);
    if (net === undefined || net.isZero()) return refused("bad_request", `amount must be more than the fee ${fee}`);
    const received = amount.of(isOnRamp ? rail.currency : rail.asset);
    if (!isOnRamp && received.moreThan(account.available(rail.asset).amount))
      return refused("insufficient_funds", `the balance does not cover ${received} ${rail.asset}`);
    const full = whyFull(house, "payments on their way", account.payments, isOpen);
    if (full !== undefined) return refused("limit_reached", full);
    const row: PaymentRow = {
      paymentId: uuid(chance, "payment-id"),
      railId,
      received,
      delivered: net.of(isOnRamp ? rail.asset : rail.currency),
      fee: fee.of(isOnRamp ? rail.asset : rail.currency),
      status: rail.status === "held" ? "held" : "pending",
      at: moment.venue,
      settlesAt: settlesAt(chance, settings, moment.settlement),
    };
    const source = isOnRamp ? pockets.outside(rail.currency) : account.available(rail.asset);
    const cause = { what: "payment", reference: row.paymentId, at: moment.venue };
    ledger.move(source, pockets.inFlight(received.asset), received, cause);
    account.payments = rememberOpen(account.payments, row, settings.historyRetainedMax, isOpen);
    nextDue = dueOf();
    return { ok: true, value: row };
  }

  function settle(account: Account, payment: PaymentRow, at: Millis): void {
    const rail = account.rails.find(({ railId }) => railId === payment.railId) as RailRow;
    const { received, delivered, fee } = payment;
    const isOnRamp = rail.type === "FiatToStablecoin";
    const cause = { what: "payment settled", reference: payment.paymentId, at };
    // Fiat goes to and comes from the reserve (the dealer's pocket); tokens are issued and redeemed.
    const kept = (isOnRamp ? pockets.dealer : pockets.issuer)(received.asset);
    const source = (isOnRamp ? pockets.issuer : pockets.dealer)(delivered.asset);
    const target =
      isOnRamp && isOwn(account, rail) ? account.available(delivered.asset) : pockets.outside(delivered.asset);
    ledger.move(pockets.inFlight(received.asset), kept, received, cause);
    ledger.move(source, target, delivered, cause);
    ledger.move(source, pockets.fees(fee.asset), fee, cause);
  }

  function networkFeeOf({ asset, blockchain }: RailRow): Quantity {
    const issued = issuedOn(house, asset, blockchain);
    return typeof issued === "string" ? Quantity.zero : issued.chain.networkFee;
  }

  function find(railId: string): { account: Account; rail: RailRow; index: number } | undefined {
    for (const account of house.accounts.values()) {
      const index = account.rails.findIndex((row) => row.railId === railId);
      const rail = account.rails[index];
      if (rail !== undefined) return { account, rail, index };
    }
    return undefined;
  }

  function dueOf(): number {
    return nextSettlement(house.accounts.values(), paymentsOf);
  }

  return {
    add,
    pay,
    hold(railId, held, moment) {
      const found = find(railId);
      if (found === undefined) return undefined;
      const { account, rail, index } = found;
      if (rail.status === "rejected") return refused("bad_request", "the rail was rejected");
      const status = held ? "held" : "pending";
      account.rails[index] = { ...rail, status, reason: held ? HELD_REASON : undefined };
      account.payments = account.payments.map((row) =>
        row.railId === railId && row.status !== "settled" ? { ...row, status } : row,
      );
      nextDue = dueOf();
      this.advance(moment);
      return { ok: true, value: undefined };
    },
    isDue: (moment) => moment.settlement >= nextDue,
    advance(moment) {
      if (moment.settlement < nextDue) return;
      settleDue(house.accounts.values(), paymentsOf, moment.settlement, (account, row) =>
        settle(account, row, moment.venue),
      );
      nextDue = dueOf();
    },
  };
}

/** A rail works until it is rejected: its payments settle by it. */
function isLive({ status }: RailRow): boolean {
  return status !== "rejected";
}

function isOpen({ status }: PaymentRow): boolean {
  return status !== "settled";
}

function paymentsOf(account: Account): PaymentRow[] {
  return account.payments;
}
