// The Exchange over HTTP: every call of the port becomes one classified request through the budget. It reads the
// venue's clock automatically when a key's first signed call needs it.

import type { Asset } from "../domain/asset.ts";
import type { Instrument } from "../domain/instrument.ts";
import { invariant } from "../domain/invariant.ts";
import type { Quote } from "../domain/quote.ts";
import { ok } from "../domain/result.ts";
import type { Millis } from "../domain/time.ts";
import type { Budget } from "./budget/budget.ts";
import { keyCodeOf } from "./budget/key-file.ts";
import { type CallParts, callWith } from "./call.ts";
import { classifyMoney, classifyRead, type MoneyVerdict } from "./classify.ts";
import { addOrder } from "./endpoint/add-order.ts";
import { addPaymentRail } from "./endpoint/add-payment-rail.ts";
import { assets } from "./endpoint/assets.ts";
import { depositAddress } from "./endpoint/deposit-address.ts";
import { type CallPath, formBody, type MoneyEndpoint, type ReadEndpoint } from "./endpoint/endpoint.ts";
import { mintTokens } from "./endpoint/mint-tokens.ts";
import { declaredPairs } from "./endpoint/trading-pairs.ts";
import { type ListParts, listEndpoints, supplyChangesOf } from "./lists.ts";
import {
  type Exchange,
  type Failure,
  type MoneyWant,
  type Outcome,
  problemOf,
  type Reading,
  type Want,
} from "./port.ts";
import { type ListName, type ListRows, listEndpoint, recogniseShape, type Shape } from "./shape.ts";
import type { Observation } from "./wire/http-attempt.ts";

export type ClientParts = CallParts &
  ListParts & {
    /** The verdict of each request, for metrics. */
    readonly onCalled?: (path: CallPath, verdict: CallVerdict) => void;
  };

export type CallVerdict = { readonly kind: string; readonly failure?: Failure };

export interface WireExchange extends Exchange {
  /** Reads a list and recognises its shape, also where its rows cannot be read; `asset` is that of supply changes. */
  examine<L extends ListName>(list: L, want: Want, asset?: Asset): Promise<Examined<ListRows[L]>>;
  close(): void;
}

export type MoneyCalls = Pick<Exchange, "addOrder" | "mintTokens" | "addPaymentRail">;
/** What only looks. */
export type WireReads = Omit<WireExchange, keyof MoneyCalls>;

/** `shape`: absent if no list came. */
export type Examined<R = unknown> = { readonly reading: Reading<readonly R[]>; readonly shape: Shape | undefined };

export function createExchange(parts: ClientParts): WireExchange {
  const reads = createReads(parts);
  const { profile } = parts;
  const move = mover(parts, reads);
  const sent = <T>(endpoint: MoneyEndpoint<T>, want: MoneyWant): Promise<Outcome<T>> =>
    move(endpoint, want, (seen) => classifyMoney(seen, endpoint, profile.refusals));
  return {
    ...reads,
    addOrder: (order, want) => sent(addOrder(order, profile), want),
    mintTokens: (mint, want) => sent(mintTokens(mint), want),
    addPaymentRail: (rail, want) => sent(addPaymentRail(rail, profile), want),
  };
}

/** A request that moves money, from the venue's time to its outcome. `look`: shadow writes this read in its place. */
export function mover(parts: ClientParts, { assets }: Pick<WireReads, "assets">) {
  const { budget, profile, clock, onCalled = () => {} } = parts;
  const withTime = venueTimeFirst(budget, assets);
  return async function move<T>(
    endpoint: MoneyEndpoint<T>,
    want: MoneyWant,
    judge: (seen: Observation) => MoneyVerdict<T>,
    look?: CallPath,
  ): Promise<Outcome<T>> {
    const late = await withTime(want);
    if (late !== undefined) return { kind: "not-sent", code: late.code, reason: late.message };
    const slot = await budget.take({ ...want, key: endpoint.path });
    if (!slot.ok) return { kind: "not-sent", code: "dropped", reason: slot.error };
    const body = (at: Millis) => endpoint.body(profile, at);
    const call = { path: endpoint.path, method: "POST", body, money: want, ...(look && { look }) } as const;
    const { verdict, nonce, answer } = await callWith(parts, slot.value, call, judge);
    onCalled(endpoint.path, verdict);
    if (verdict.kind === "not-sent") return verdict;
    invariant(nonce !== undefined, "a request that was sent must have had a nonce");
    if (verdict.kind === "doubt") return { ...verdict, nonce };
    return { ...verdict, nonce, receivedAt: answer?.receivedAt ?? clock.now() };
  };
}

/** The half that moves nothing: shadow has no other. */
export function createReads(parts: ClientParts): WireReads {
  const { budget, profile, onCalled = () => {} } = parts;
  const lists = listEndpoints(parts);
  const withTime = venueTimeFirst(budget, (want) => read(assets, want));

  async function read<T>(endpoint: ReadEndpoint<T>, want: Want, how = ""): Promise<Reading<T>> {
    const { path, fields } = endpoint;
    const signed = path.startsWith("/private/");
    const late = signed ? await withTime(want) : undefined;
    if (late !== undefined) return { kind: "failed", failure: late };
    const body = () => (signed ? formBody(fields, profile) : ok(undefined));
    const method = signed || (path === "/client/tradingPairs" && profile.tradingPairs === "post") ? "POST" : "GET";
    const key = `${path} ${JSON.stringify(fields)}${how}`;
    const shared = await budget.share({ ...want, key }, async (slot): Promise<Reading<T>> => {
      const call = { path, method, body, money: undefined } as const;
      const called = await callWith(parts, slot, call, (seen) => classifyRead(seen, endpoint.answer));
      const { verdict, nonce, answer } = called;
      onCalled(path, verdict);
      if (verdict.kind === "failed") return verdict;
      invariant(answer !== undefined, "what was read must have been answered");
      const { at, receivedAt } = answer;
      return { ...verdict, at, receivedAt, nonce };
    });
    return shared.ok ? shared.value : { kind: "dropped", reason: shared.error, code: keyCodeOf(shared.error) };
  }

  async function examine<L extends ListName>(list: L, want: Want, asset?: Asset): Promise<Examined<ListRows[L]>> {
    if (list === "quotes" && profile.quotes === "absent") return { reading: noQuotes, shape: undefined };
    let shape: Shape | undefined;
    const endpoint = listEndpoint(list, parts, asset) as ReadEndpoint<readonly ListRows[L][]>;
    const answer: typeof endpoint.answer = (json, problems) => {
      shape = json === undefined ? undefined : recogniseShape(list, json, parts);
      return endpoint.answer(json, problems);
    };
    const reading = await read({ ...endpoint, answer }, want, " examined");
    if (list !== "pairs") return { reading: list === "quotes" ? capability(reading) : reading, shape };
    const pairs = orDeclared(reading as Reading<readonly Instrument[]>, parts);
    return { reading: pairs as typeof reading, shape };
  }

  return {
    examine,
    assets: (want) => read(assets, want),
    pairs: async (want) => orDeclared(await read(lists.pairs, want), parts),
    quotes: async (want) =>
      profile.quotes === "absent" ? noQuotes : dated(capability(await read(lists.quotes, want))),
    balances: (want) => read(lists.balances, want),
    orders: (want) => read(lists.orders, want),
    trades: (want) => read(lists.trades, want),
    rails: (want) => read(lists.rails, want),
    payments: (want) => read(lists.payments, want),
    supplyChanges: (asset, want) => read(supplyChangesOf(asset, profile), want),
    withdrawAddresses: (want) => read(lists.addresses, want),
    depositAddress: async (asset, blockchain, want) => capability(await read(depositAddress(asset, blockchain), want)),
    close: () => parts.transport.close(),
  };
}

/** Where the venue has no list of pairs, or an unreadable one, the declared pairs are traded. */
function orDeclared(
  reading: Reading<readonly Instrument[]>,
  { clock, profile, instruments = {}, priceDecimals }: ClientParts,
): Reading<readonly Instrument[]> {
  if (reading.kind !== "failed") return reading;
  const { status, code, message } = reading.failure;
  const isAbsent = status === 404 || status === 405 || (status === 403 && code === "forbidden");
  const value = declaredPairs({ ...profile, declared: instruments, priceDecimals });
  if (value.length === 0 || !(isAbsent || code === "unreadable")) return reading;
  const problem = `the venue's list of pairs cannot be read (${message}); those of venue.instruments are used`;
  const problems = [problemOf(problem)];
  return { kind: "read", value, at: undefined, receivedAt: clock.now(), nonce: undefined, problems };
}

function dated(reading: Reading<readonly Omit<Quote, "receivedAt">[]>): Reading<readonly Quote[]> {
  if (reading.kind !== "read") return reading;
  const { receivedAt } = reading;
  return { ...reading, value: reading.value.map((quote) => ({ ...quote, receivedAt })) };
}

const noQuotes: Reading<never> = {
  kind: "failed",
  failure: { code: "not-available", status: undefined, venueCode: undefined, message: "this venue has no quotes" },
};

/** Returns a failure if the venue's time stays unknown. */
export function venueTimeFirst(
  budget: Pick<Budget, "needsVenueTime">,
  ask: (want: Want) => Promise<Reading<unknown>>,
): (want: Want) => Promise<Failure | undefined> {
  return async (want) => {
    if (!budget.needsVenueTime()) return undefined;
    const { deadline } = want;
    const reading = await ask({ class: want.class, ...(deadline === undefined ? {} : { deadline }) });
    // The Date that was read will reach the ledger, even if the file is locked now.
    if ((reading.kind === "read" && reading.at !== undefined) || !budget.needsVenueTime()) return undefined;
    const cause =
      reading.kind === "failed" ? reading.failure.message : reading.kind === "dropped" ? reading.reason : "no Date";
    const status = reading.kind === "failed" ? reading.failure.status : undefined;
    const message = `the venue's time must be read before the first signed call, and was not: ${cause}`;
    return { code: "no-venue-time", status, venueCode: undefined, message };
  };
}

export function capability<T>(reading: Reading<T>): Reading<T> {
  if (reading.kind !== "failed") return reading;
  const { failure } = reading;
  const absent = failure.status === 404 || (failure.status === 403 && failure.code === "forbidden");
  return absent ? { kind: "failed", failure: { ...failure, code: "not-available" } } : reading;
}
