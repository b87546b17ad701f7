// Changes of the venue as data, with amounts and names as text.

import { parseAsset, parseSymbol } from "../domain/asset.ts";
import { Price, Quantity } from "../domain/money/money.ts";
import type { ClientOrderId, Side } from "../domain/order.ts";
import { ok, type Result } from "../domain/result.ts";
import type { AddressRow, MintRow, Moment, OrderReceipt, Pair, PaymentRow, Product, RailRow } from "./core/record.ts";
import { type Answer, type Form, refused } from "./core/refusal.ts";
import type { VenueFaults } from "./core/settings.ts";
import type { Venue } from "./core/venue.ts";

export type Operation =
  | { readonly kind: "addOrder"; readonly key: string; readonly form: Form }
  | { readonly kind: "mintTokens"; readonly key: string; readonly form: Form }
  | { readonly kind: "addPaymentRail"; readonly key: string; readonly body: unknown }
  | { readonly kind: "foreign-order"; readonly key: string; readonly order: ForeignOrder }
  | { readonly kind: "register"; readonly key: string }
  | { readonly kind: "set-up"; readonly key: string; readonly funds: Readonly<Record<string, string>> }
  | { readonly kind: "kyb"; readonly key: string; readonly cleared: boolean }
  | { readonly kind: "agreement"; readonly key: string; readonly product: Product; readonly signed: boolean }
  | { readonly kind: "credit"; readonly key: string; readonly asset: string; readonly amount: string }
  | { readonly kind: "whitelist"; readonly key: string; readonly address: AddressText }
  | { readonly kind: "hold"; readonly id: string; readonly held: boolean; readonly reason?: string | undefined }
  | { readonly kind: "pay"; readonly railId: string; readonly amount: string }
  | { readonly kind: "pair"; readonly symbol: string; readonly change: PairChange };

export type ForeignOrder = {
  readonly clientOrderId: string;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: string;
  readonly limit: string;
};
export type AddressText = Omit<AddressRow, "asset"> & { readonly asset: string };
export type PairChange = {
  readonly status?: string | undefined;
  readonly quantityDecimals?: number | undefined;
  readonly priceDecimals?: number | undefined;
  readonly quantityMin?: string | undefined;
  readonly feeBps?: number | undefined;
};

type Done = {
  addOrder: OrderReceipt;
  mintTokens: MintRow;
  addPaymentRail: RailRow;
  "foreign-order": OrderReceipt;
  pay: PaymentRow;
};
export type DoneOf<O extends Operation> = O["kind"] extends keyof Done ? Done[O["kind"]] : undefined;

/** `faults` apply to this one operation. */
export type Stamped = {
  readonly operation: Operation;
  readonly moment: Moment;
  readonly faults?: Partial<VenueFaults> | undefined;
};

export function perform<O extends Operation>(
  venue: Venue,
  { operation, moment, faults }: Stamped & { operation: O },
): Answer<DoneOf<O>> {
  const before = venue.faults();
  if (faults !== undefined) venue.setFaults(faults);
  try {
    return carryOut(venue, operation, moment) as Answer<DoneOf<O>>;
  } finally {
    if (faults !== undefined) venue.setFaults(before);
  }
}

function carryOut(venue: Venue, operation: Operation, moment: Moment): Answer<unknown> {
  switch (operation.kind) {
    case "addOrder":
      return venue.addOrder(operation.key, operation.form, moment);
    case "mintTokens":
      return venue.mintTokens(operation.key, operation.form, moment);
    case "addPaymentRail":
      return venue.addPaymentRail(operation.key, operation.body, moment);
    case "foreign-order":
      return placeForeign(venue, operation.key, operation.order, moment);
    case "register":
      return venue.registerKey(operation.key);
    case "set-up":
      return setUp(venue, operation.key, operation.funds, moment);
    case "kyb":
      return venue.clearKyb(operation.key, operation.cleared);
    case "agreement":
      return venue.signAgreement(operation.key, operation.product, operation.signed);
    case "credit":
      return credit(venue, operation.key, operation.asset, operation.amount, moment);
    case "whitelist": {
      const asset = parseAsset(operation.address.asset);
      return asset.ok ? venue.whitelist(operation.key, { ...operation.address, asset: asset.value }) : bad(asset.error);
    }
    case "hold":
      return venue.hold(operation.id, operation.held, moment, operation.reason);
    case "pay": {
      const amount = Quantity.parse(operation.amount);
      return amount.ok ? venue.pay(operation.railId, amount.value, moment) : bad(amount.error);
    }
    case "pair":
      return changePair(venue, operation.symbol, operation.change);
  }
}

function setUp(venue: Venue, key: string, funds: Readonly<Record<string, string>>, moment: Moment): Answer<void> {
  const steps = [
    () => venue.registerKey(key),
    () => venue.clearKyb(key, true),
    () => venue.signAgreement(key, "issuance", true),
    () => venue.signAgreement(key, "conversion", true),
    ...Object.entries(funds).map(
      ([asset, amount]) =>
        () =>
          credit(venue, key, asset, amount, moment),
    ),
  ];
  for (const step of steps) {
    const done = step();
    if (!done.ok) return done;
  }
  return ok(undefined);
}

function credit(venue: Venue, key: string, asset: string, amount: string, moment: Moment): Answer<void> {
  return all(parseAsset(asset), Quantity.parse(amount), (parsed, quantity) =>
    venue.credit(key, parsed, quantity, moment),
  );
}

function placeForeign(venue: Venue, key: string, order: ForeignOrder, moment: Moment): Answer<OrderReceipt> {
  const symbol = parseSymbol(order.symbol);
  if (!symbol.ok) return bad(symbol.error);
  const { side } = order;
  const clientOrderId = order.clientOrderId as ClientOrderId;
  return all(Quantity.parse(order.quantity), Price.parse(order.limit), (quantity, limit) =>
    venue.placeOrder(key, { clientOrderId, symbol: symbol.value, side, quantity, limit }, moment),
  );
}

function changePair(venue: Venue, text: string, change: PairChange): Answer<void> {
  const symbol = parseSymbol(text);
  if (!symbol.ok) return bad(symbol.error);
  const { quantityMin, ...plain } = change;
  const minimum = quantityMin === undefined ? ok(undefined) : Quantity.parse(quantityMin);
  if (!minimum.ok) return bad(minimum.error);
  const given = Object.fromEntries(
    Object.entries({ ...plain, quantityMin: minimum.value }).filter(([, value]) => value !== undefined),
  );
  return venue.setPair(symbol.value, given as Partial<Pair>);
}

function all<A, B, T>(a: Result<A>, b: Result<B>, then: (a: A, b: B) => Answer<T>): Answer<T> {
  if (!a.ok) return bad(a.error);
  return b.ok ? then(a.value, b.value) : bad(b.error);
}

function bad(message: string): { readonly ok: false; readonly error: ReturnType<typeof refused>["error"] } {
  return refused("bad_request", message);
}
