// Sends orders, mints, rails and queries to the venue, for the running bot and for commands.

import type { Asset } from "../domain/asset.ts";
import type { Control } from "../domain/event.ts";
import type { Millis, Mono } from "../domain/time.ts";
import type { Exchange, MoneyWant, Outcome, Reading, Want } from "../exchange/port.ts";
import { type Approval, isOrder } from "../risk/treasury-gate.ts";
import type { Answer, Ask } from "./effects.ts";
import type { AnyReceipt, Witness } from "./request.ts";
import { createPreSendChecks, idOf, type PreSendParts } from "./send.ts";

export type DispatchParts = PreSendParts & {
  readonly exchange: Exchange;
  /** Receives the venue's Date of an answer. */
  readonly heard: (at: Millis | undefined) => void;
};

export type Sent = {
  readonly id: string;
  readonly outcome: Outcome<AnyReceipt>;
  /** Halts the bot if the body to be sent is not the approved one. */
  readonly control: Control | undefined;
};

export interface Dispatch {
  send(approval: Approval, signal?: AbortSignal): Promise<Sent>;
  ask(question: Question): Promise<Heard>;
  /** Nothing starts to leave after this: waiting requests end as not sent, requests in flight continue. */
  close(reason: string): void;
  /** Ids of requests whose bytes may be out and that are not answered yet. */
  readonly inFlight: readonly string[];
  /** True if bytes of any request have left. */
  readonly hasSent: boolean;
}

export function createDispatch(parts: DispatchParts): Dispatch {
  const { exchange, now } = parts;
  const departures = createPreSendChecks(parts);
  /** Requests waiting for a slot, each with the function that ends it. */
  const waiting = new Map<string, (outcome: Outcome<AnyReceipt>) => void>();
  /** Callers that share a request get the same reading object. */
  const readings = new WeakSet<Reading<Answer["rows"]>>();
  let hasSent = false;

  async function send(approval: Approval, signal?: AbortSignal): Promise<Sent> {
    const id = idOf(approval);
    const want = departures.want(approval, () => waiting.delete(id), signal);
    const outcome = await new Promise<Outcome<AnyReceipt>>((resolve, reject) => {
      if (departures.closed !== undefined) return resolve(notSent(departures.closed));
      waiting.set(id, resolve);
      carry(exchange, approval, want).then(resolve, reject);
    });
    waiting.delete(id);
    hasSent ||= outcome.kind !== "not-sent";
    return { id, outcome, control: departures.ended(id, outcome) };
  }

  async function ask(question: Question): Promise<Heard> {
    const askedAt = now().mono;
    const { witness, asset, ...want } = question;
    const reading = await read(exchange, witness, asset, want);
    if (reading.kind === "read") parts.heard(reading.at);
    const isShared = readings.has(reading);
    readings.add(reading);
    return heardOf(question, askedAt, reading, isShared);
  }

  return {
    send,
    ask,
    close(reason) {
      departures.close(reason);
      for (const end of waiting.values()) end(notSent(reason));
    },
    inFlight: departures.inFlight,
    get hasSent() {
      return hasSent;
    },
  };
}

function carry(exchange: Exchange, approval: Approval, want: MoneyWant): Promise<Outcome<AnyReceipt>> {
  if (isOrder(approval)) return exchange.addOrder(approval, want);
  if (approval.kind === "rail") {
    const { known: _, toAccount: _2, ...rail } = approval.rail;
    return exchange.addPaymentRail(rail, want);
  }
  const { feeMax: _, known: _2, ...mint } = approval.mint;
  return exchange.mintTokens(mint, want);
}

function notSent(reason: string): Outcome<never> {
  return { kind: "not-sent", code: "stopped", reason };
}

function read(exchange: Exchange, witness: Witness, asset: Ask["asset"], want: Want): Promise<Reading<Answer["rows"]>> {
  switch (witness) {
    case "trades":
      return exchange.trades(want);
    case "orders":
      return exchange.orders(want);
    case "balances":
      return exchange.balances(want);
    case "rails":
      return exchange.rails(want);
    case "payments":
      return exchange.payments(want);
    case "addresses":
      return exchange.withdrawAddresses(want);
    case "supply-changes":
      if (asset === undefined) throw new Error("supply changes are asked of one asset");
      return exchange.supplyChanges(asset, want);
  }
}

export type Question = Omit<Ask, "class"> & Omit<Want, "key" | "deadline">;

export type Heard =
  | { readonly kind: "answer"; readonly answer: Answer }
  | {
      readonly kind: "unanswered";
      readonly witness: Witness;
      readonly asset: Asset | undefined;
      readonly askedAt: Mono;
      readonly code: string;
      readonly message: string;
      /** Several callers shared one request, and another one has already delivered this failure. */
      readonly isShared: boolean;
    };

export function heardOf(
  { witness, asset }: Omit<Question, "class">,
  askedAt: Mono,
  reading: Reading<Answer["rows"]>,
  isShared = false,
): Heard {
  if (reading.kind !== "read") {
    const { code, message } =
      reading.kind === "failed" ? reading.failure : { code: "dropped", message: reading.reason };
    return { kind: "unanswered", witness, asset, askedAt, code, message, isShared };
  }
  const { receivedAt, nonce, value: rows, problems: unread } = reading;
  return { kind: "answer", answer: { witness, asset, askedAt, receivedAt, nonce, rows, unread } as Answer };
}
