// One order, one client, one venue and the network between them, as plain data: everything that can be true at a moment.

import type { Asset, PairSymbol } from "../../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../../src/domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../../src/domain/order.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import type { Nonce } from "../../../src/exchange/port.ts";
import { DEFAULT_SETTINGS, ELSEWHERE, isPolled, type Settings } from "../../../src/execution/parameters.ts";
import type { Moment } from "../../../src/execution/request.ts";
import type { Conditions, Polled } from "../../execution/advance.ts";
import type { Variant } from "./variant.ts";

/** One copy of the order on its way. `queued`: accepted, and not executed yet. */
export type Copy = {
  readonly nonce: number;
  readonly place: "flying" | "lost" | "queued" | "filled" | "killed" | "refused";
};

export type Query = {
  readonly nonce: number;
  readonly round: number;
  readonly place: "flying" | "answered" | "refused";
  /** Did the history that it saw show the trade? */
  readonly shows: boolean;
  readonly abandoned: boolean;
};

export type World = {
  readonly submission: Polled<"order">;
  readonly disk: Polled<"order">;
  /** `ready`: on record, no byte out. `waiting`: for the answer to the last copy. */
  readonly call: "none" | "ready" | "waiting";
  readonly copies: readonly Copy[];
  readonly queries: readonly Query[];
  readonly nextNonce: number;
  /** The highest nonce that the venue has accepted. */
  readonly venueNonce: number;
  readonly published: boolean;
  readonly windows: number;
  readonly asks: number;
  readonly crashes: number;
  readonly booked: number;
  readonly freed: number;
};

const CHF = "CHF" as Asset;
const VCHF = "VCHF" as Asset;

export const WINDOW_MS = 1_000;
export const LATE_MS = 1_000_000;

const SETTINGS: Settings = {
  ...DEFAULT_SETTINGS,
  windowMsMin: WINDOW_MS,
  escalateAfterMs: LATE_MS,
  fenceRetryMs: 0,
  fenceRetryMsMax: 0,
  lookMsMax: Number.POSITIVE_INFINITY,
  looks: {
    ...DEFAULT_SETTINGS.looks,
    order: { atMs: [0], afterwards: [{ everyMs: 0, untilMs: Number.POSITIVE_INFINITY }] },
  },
};

const ID = "T-model000-1" as ClientOrderId;

export const FILL: Fill = {
  clientOrderId: ID,
  orderId: "1",
  tradeId: "1",
  symbol: "VCHF/CHF" as PairSymbol,
  side: "buy",
  bought: Money.of("1", VCHF),
  sold: Money.of("1", CHF),
  fee: Money.zero(CHF),
  at: undefined,
};

const INTENDED: Polled<"order"> = {
  kind: "order",
  id: ID,
  request: {
    clientOrderId: ID,
    symbol: FILL.symbol,
    side: "buy",
    quantity: Quantity.of("1"),
    limit: Price.of("1"),
    reason: "model",
    decidedAt: millis(0),
    expiresAt: millis(0),
  },
  assets: [VCHF, CHF],
  value: Money.of("1", CHF),
  state: { kind: "intended" },
  poll: ELSEWHERE,
};

export const START: World = {
  submission: INTENDED,
  disk: INTENDED,
  call: "none",
  copies: [],
  queries: [],
  nextNonce: 1,
  venueNonce: 0,
  published: false,
  windows: 0,
  asks: 0,
  crashes: 0,
  booked: 0,
  freed: 0,
};

export type Later = { readonly at: number; readonly mono: number };

export function momentOf({ windows, asks }: World, laterMs: Later = { at: 0, mono: 0 }): Moment {
  const elapsed = windows * WINDOW_MS + asks;
  return { at: millis(elapsed + laterMs.at), mono: mono(elapsed + laterMs.mono) };
}

export function conditionsFor({ negatives }: Variant): Conditions {
  return {
    settings: { ...SETTINGS, negatives },
    measured: { slowestMs: 0, acknowledged: 1, releasedToday: 0, hasShownFill: true, hasLateFill: false },
    equity: Money.of("100000", CHF),
  };
}

export function nonceOf(value: number): Nonce {
  return value as Nonce;
}

/** Would the venue take this copy if it arrived now? */
export function isAcceptable({ nonce }: Copy, { venueNonce, copies }: World, { nonceCheck }: Variant): boolean {
  if (nonceCheck === "racy") return nonce >= venueNonce;
  const used = copies.some((copy) => copy.nonce === nonce && ["queued", "filled", "killed"].includes(copy.place));
  if (nonceCheck === "window") return !used && nonce > venueNonce - 10;
  return nonce > venueNonce;
}

export function isLive(world: World, variant: Variant): boolean {
  return world.copies.some(
    (copy) => copy.place === "queued" || (copy.place === "flying" && isAcceptable(copy, world, variant)),
  );
}

export function fillsOf({ copies }: World): number {
  return copies.filter(({ place }) => place === "filled").length;
}

/**
 * Two worlds of the same key have the same future: of times only their order counts here, of rounds only whether the open
 * question is the last one, and request and receipt never change.
 */
export function keyOf(world: World): string {
  const { submission, disk, call, copies, queries, published } = world;
  const { nextNonce, venueNonce, asks, crashes, booked, freed } = world;
  const flying = copies.map(({ nonce, place }) => `${nonce}${place}`);
  const last = submission.poll.round;
  const asked = queries.map((query) => {
    const { nonce, round, place, shows, abandoned } = query;
    return `${nonce}${place}${shows}${abandoned ? "abandoned" : round === last}`;
  });
  const counts = `${nextNonce},${venueNonce},${asks},${crashes},${booked},${freed}`;
  // The disk differs from memory in one variant only.
  const kept = disk === submission ? "" : stateKey(disk, world);
  return `${stateKey(submission, world)}|${kept}|${call}${published}|${flying}|${asked}|${counts}`;
}

function stateKey(submission: Polled<"order">, world: World): string {
  const { state, poll } = submission;
  if (!isPolled(submission)) return state.kind;
  if (state.kind !== "unknown") return `${nameOf(submission)}${poll.isOpen}`;
  const { fencedAt, askedAt } = poll;
  const isOver = fencedAt !== undefined && momentOf(world).mono - fencedAt >= WINDOW_MS;
  const isFinal = fencedAt !== undefined && askedAt !== undefined && askedAt - fencedAt >= WINDOW_MS;
  return `${nameOf(submission)}${poll.isOpen} ${isOver}${isFinal}${state.absences}`;
}

/** A state with what makes another one of it. */
export function nameOf({ state }: Polled<"order">): string {
  if (state.kind === "accepted") return state.isOverdue ? "accepted, overdue" : "accepted";
  if (state.kind !== "unknown") return state.kind;
  return `unknown${state.fence === undefined ? "" : ", fenced"}${state.escalated === undefined ? "" : ", escalated"}`;
}

/** A person is asked. */
export function isHandedOver({ submission: { state } }: World): boolean {
  return state.kind === "unknown" ? state.escalated !== undefined : state.kind === "accepted" && state.isOverdue;
}
