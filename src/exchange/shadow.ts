// A venue that is only read. Each read of the account asks the venue, and the local book answers in its place; an order, a
// mint or a rail goes to the local book(). It takes the slot that it would have had, and the venue's quotes are read in that
// slot: the book fills at the prices shown when the order would have arrived.

import type { Asset } from "../domain/asset.ts";
import type { Balance } from "../domain/balance.ts";
import { errorMessage } from "../domain/error-message.ts";
import type { Instrument } from "../domain/instrument.ts";
import { invariant } from "../domain/invariant.ts";
import type { MintRequest } from "../domain/mint.ts";
import type { Fill } from "../domain/order.ts";
import type { Quote } from "../domain/quote.ts";
import type { Rail, RailRequest } from "../domain/rail.ts";
import type { Millis } from "../domain/time.ts";
import { classifyRead, type MoneyVerdict } from "./classify.ts";
import { type ClientParts, createReads, type MoneyCalls, mover, type WireExchange, type WireReads } from "./client.ts";
import { addOrder } from "./endpoint/add-order.ts";
import { addPaymentRail } from "./endpoint/add-payment-rail.ts";
import { assets } from "./endpoint/assets.ts";
import { type MoneyEndpoint, movesNothing } from "./endpoint/endpoint.ts";
import { mintTokens } from "./endpoint/mint-tokens.ts";
import { listEndpoints } from "./lists.ts";
import type {
  MintReceipt,
  MoneyWant,
  OrderRecord,
  Outcome,
  OutgoingOrder,
  Payment,
  RailRecord,
  Reading,
  SupplyChange,
  TradeRecord,
} from "./port.ts";
import type { Observation } from "./wire/http-attempt.ts";
import type { Transport } from "./wire/transport.ts";

type Shown = Omit<Quote, "receivedAt">;

/** The account of a shadow. Times are of this machine; what it answers is on disk first. */
export interface LocalBook {
  /** The venue's pairs, prices and, at a first start, balances. */
  list(pairs: readonly Instrument[]): void;
  show(quotes: readonly Shown[], at: Millis): void;
  open(balances: readonly Balance[], at: Millis): void;
  order(order: OutgoingOrder, at: Millis): MoneyVerdict<Fill>;
  mint(mint: MintRequest, at: Millis): MoneyVerdict<MintReceipt>;
  rail(rail: RailRequest, at: Millis): MoneyVerdict<Rail>;
  balances(at: Millis): readonly Balance[];
  orders(at: Millis): readonly OrderRecord[];
  trades(at: Millis): readonly TradeRecord[];
  rails(at: Millis): readonly RailRecord[];
  payments(at: Millis): readonly Payment[];
  supplyChanges(asset: Asset, at: Millis): readonly SupplyChange[];
  synced(): Promise<void>;
}

/** Opened at the first call: the journal next to it comes first. */
export type OpenBook = () => LocalBook;

/** Without a book it only looks. Nothing that moves money passes its transport. */
export function createShadow(wired: ClientParts, book: OpenBook | undefined): WireExchange {
  const parts = { ...wired, transport: readsOnly(wired.transport) };
  const reads = createReads(parts);
  if (book === undefined) return { ...reads, addOrder: unsent, mintTokens: unsent, addPaymentRail: unsent };
  return { ...reads, ...instead(reads, book), ...moneyCalls(parts, reads, book) };
}

/** The last check before the socket refuses each request that is not known to move nothing. */
export function readsOnly(transport: Transport): Transport {
  const send: Transport["send"] = ({ gate, ...request }) => {
    const isRead = movesNothing(request.method, request.path);
    return transport.send({ ...request, gate: () => (isRead ? gate() : `shadow sends no ${request.path}`) });
  };
  return { ...transport, send };
}

async function unsent(): Promise<Outcome<never>> {
  return { kind: "not-sent", code: "shadow", reason: "shadow sends nothing that moves money" };
}

/** The venue is asked, with all that can go wrong, and what it answers about the account is replaced. */
function instead(reads: WireReads, book: OpenBook): Partial<WireReads> {
  async function local<T>(
    asked: Promise<Reading<T>>,
    tell: (at: Millis, told: T, isWhole: boolean) => T | undefined,
  ): Promise<Reading<T>> {
    const reading = await asked;
    if (reading.kind !== "read") return reading;
    const value = tell(reading.receivedAt, reading.value, reading.problems === undefined) ?? reading.value;
    return kept<Reading<T>>(book, { ...reading, value }, (reason) => ({ kind: "dropped", reason }));
  }
  return {
    pairs: (want) => local(reads.pairs(want), (_, pairs) => void book().list(pairs)),
    quotes: (want) => local(reads.quotes(want), (at, shown) => void book().show(shown, at)),
    balances: (want) =>
      local(reads.balances(want), (at, held, isWhole) => {
        if (isWhole) book().open(held, at);
        return book().balances(at);
      }),
    orders: (want) => local(reads.orders(want), (at) => book().orders(at)),
    trades: (want) => local(reads.trades(want), (at) => book().trades(at)),
    rails: (want) => local(reads.rails(want), (at) => book().rails(at)),
    payments: (want) => local(reads.payments(want), (at) => book().payments(at)),
    supplyChanges: (asset, want) => local(reads.supplyChanges(asset, want), (at) => book().supplyChanges(asset, at)),
  };
}

/** What is not on disk may be gone at the next start. */
function kept<T>(book: OpenBook, value: T, otherwise: (reason: string) => T): Promise<T> {
  const written = book().synced();
  return written.then(
    () => value,
    (error) => otherwise(`the local book cannot be written: ${errorMessage(error)}`),
  );
}

function moneyCalls(parts: ClientParts, reads: WireReads, book: OpenBook): MoneyCalls {
  const { profile } = parts;
  const move = mover(parts, reads);
  const shown = listEndpoints(parts).quotes;
  const looked = profile.quotes === "absent" ? assets : shown;

  async function locally<T>(
    endpoint: MoneyEndpoint<T>,
    want: MoneyWant,
    act: (at: Millis) => MoneyVerdict<T>,
  ): Promise<Outcome<T>> {
    const judge = (seen: Observation): MoneyVerdict<T> => {
      if (seen.kind === "not-sent") return { kind: "not-sent", code: seen.code, reason: seen.message };
      const look = classifyRead<unknown>(seen, looked.answer);
      // Without an answer the order would have an unknown outcome too; here it has not arrived.
      if (look.kind === "failed") return { kind: "doubt", failure: look.failure, halt: false };
      invariant(seen.kind === "answer", "only an answer can be read");
      const at = seen.answer.receivedAt;
      if (looked === shown) book().show(look.value as readonly Shown[], at);
      return act(at);
    };
    const outcome = await move(endpoint, want, judge, looked.path);
    if (outcome.kind === "not-sent") return outcome;
    const failure = { code: "local-book", status: undefined, venueCode: undefined };
    return kept<Outcome<T>>(book, outcome, (message) => {
      return { kind: "doubt", failure: { ...failure, message }, nonce: outcome.nonce, halt: false };
    });
  }

  return {
    addOrder: (order, want) => locally(addOrder(order, profile), want, (at) => book().order(order, at)),
    mintTokens: (mint, want) => locally(mintTokens(mint), want, (at) => book().mint(mint, at)),
    addPaymentRail: (rail, want) => locally(addPaymentRail(rail, profile), want, (at) => book().rail(rail, at)),
  };
}
