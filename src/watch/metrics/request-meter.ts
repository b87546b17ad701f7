// Requests to the venue: what slots were spent on, how long they were waited for, how long answers took and what they
// came to.

import type { Mono } from "../../domain/time.ts";
import { OTHER, oneOf, type Shelf } from "./closed.ts";

const CLASSES = ["doubt", "kill-check", "order", "confirmation", "balance", "quote", "treasury", OTHER];
const ENDPOINTS = [
  "accountBalance",
  "addOrder",
  "addPaymentRail",
  "assets",
  "depositAddress",
  "mintTokens",
  "queryOrders",
  "queryPaymentRails",
  "queryPayments",
  "querySupplyChanges",
  "queryTrades",
  "quotes",
  "tradingPairs",
  "withdrawAddresses",
  OTHER,
];
const OUTCOMES = ["ok", "rejected", "rate_limited", "unauthorized", "doubt", "failed", "not_sent"] as const;
const TOOK = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];
const WAITED = [0.01, 0.1, 0.5, 1, 2, 5, 10, 30, 60];

/** A slot of the key's budget that this process had. */
export type SpentSlot = {
  readonly class: string;
  /** Begins with the path of the call. */
  readonly what: string;
  readonly waitedMs: number;
  readonly tookMs: number;
  readonly end: string;
  readonly drewNonce: boolean;
};

/** What an answer came to. */
export type Called = { readonly kind: string; readonly failure?: { readonly code: string } };

export interface RequestMeter {
  slot(spent: SpentSlot): void;
  called(path: string, outcome: Called, now: Mono): void;
  /** Requests that left. */
  readonly sent: number;
  /** The last answer that was as it should be. */
  readonly goodAt: Mono | undefined;
}

export function createRequestMeter(shelf: Shelf): RequestMeter {
  const requests = shelf.counter(["pegbot_requests_total", "requests to the venue, by call and by what came of it"], {
    endpoint: ENDPOINTS,
    outcome: OUTCOMES,
  });
  const took = shelf.histogram(
    ["pegbot_request_duration_seconds", "from the slot to the end of the answer"],
    { endpoint: ENDPOINTS },
    TOOK,
  );
  const slots = shelf.counter(["pegbot_slots_total", "slots of the key that this process spent, by what for"], {
    class: CLASSES,
  });
  const unspent = shelf.counter(["pegbot_slots_unspent_total", "slots that were granted and not used"], {});
  const waited = shelf.histogram(
    ["pegbot_queue_wait_seconds", "time from wanting a slot to having it"],
    { class: CLASSES },
    WAITED,
  );
  const limited = shelf.counter(["pegbot_rate_limited_total", "answers that said we ask too often"], {});
  const gaps = shelf.counter(["pegbot_nonce_gaps_total", "nonces that were drawn and never sent"], {});
  let sent = 0;
  let goodAt: Mono | undefined;
  return {
    slot(spent) {
      const ofClass = oneOf(CLASSES, spent.class);
      waited.observe({ class: ofClass }, Math.max(0, spent.waitedMs) / 1_000);
      if (spent.end === "rate-limited") limited.inc();
      if (spent.end === "unspent") {
        unspent.inc();
        if (spent.drewNonce) gaps.inc();
        return;
      }
      sent++;
      slots.inc({ class: ofClass });
      took.observe({ endpoint: endpointOf(spent.what) }, Math.max(0, spent.tookMs) / 1_000);
    },
    called(path, outcome, now) {
      const word = outcomeOf(outcome);
      requests.inc({ endpoint: endpointOf(path), outcome: word });
      if (word === "ok") goodAt = now;
    },
    get sent() {
      return sent;
    },
    get goodAt() {
      return goodAt;
    },
  };
}

/** `/private/queryTrades {…}` is queryTrades. */
function endpointOf(what: string): string {
  return oneOf(ENDPOINTS, /^\/(?:client|private)\/([A-Za-z]+)/.exec(what)?.[1] ?? OTHER);
}

function outcomeOf({ kind, failure }: Called): (typeof OUTCOMES)[number] {
  if (kind === "read" || kind === "accepted") return "ok";
  if (kind === "not-sent") return "not_sent";
  if (failure?.code === "rate-limited") return "rate_limited";
  if (failure?.code === "unauthorized") return "unauthorized";
  return kind === "rejected" || kind === "doubt" ? kind : "failed";
}
