// A request as tests tell its life: fact after fact on a clock that only they move.

import type { Asset, PairSymbol } from "../../src/domain/asset.ts";
import { Money, Price, Quantity } from "../../src/domain/money/money.ts";
import type { ClientOrderId, Fill } from "../../src/domain/order.ts";
import type { OrderIntent } from "../../src/domain/step.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { Failure, Nonce, Outcome } from "../../src/exchange/port.ts";
import { DEFAULT_SETTINGS, ELSEWHERE } from "../../src/execution/parameters.ts";
import type { Finding, Moment, MoneyKind, MoneyRequest, Receipts } from "../../src/execution/request.ts";
import { advance, type Conditions, type Effect, type Fact, type Polled } from "./advance.ts";

export const CHF = "CHF" as Asset;
export const VCHF = "VCHF" as Asset;
export const ID = "T-k3v9x2qa-7" as ClientOrderId;

/** Buys 100 VCHF at up to 1.001 CHF: 100.10 CHF at most. */
export const ORDER: OrderIntent = {
  clientOrderId: ID,
  symbol: "VCHF/CHF" as PairSymbol,
  side: "buy",
  quantity: Quantity.of("100"),
  limit: Price.of("1.001"),
  reason: "below par",
  decidedAt: millis(0),
  expiresAt: millis(3_000),
};

export const FILL: Fill = {
  clientOrderId: ID,
  orderId: "o7",
  tradeId: "t7",
  symbol: ORDER.symbol,
  side: "buy",
  bought: Money.of("100", VCHF),
  sold: Money.of("100.05", CHF),
  fee: Money.zero(CHF),
  at: undefined,
};

/** The answer to an order does not have the trade id yet. */
export const ANSWERED_FILL: Fill = { ...FILL, tradeId: undefined };

export const anOrder: MoneyRequest<"order"> = {
  kind: "order",
  id: ID,
  request: ORDER,
  assets: [VCHF, CHF],
  value: Money.of("100.10", CHF),
  state: { kind: "intended" },
};

export const aMint: MoneyRequest<"mint"> = {
  kind: "mint",
  id: "M-k3v9x2qa-1",
  request: {
    asset: VCHF,
    blockchain: "ETH",
    quantity: Quantity.of("120000.37"),
    destination: undefined,
    spentMax: Money.of("120120.37", CHF),
    feeMax: Money.of("120", CHF),
    known: ["r0"],
  },
  assets: [VCHF, CHF],
  value: Money.of("120000.37", CHF),
  state: { kind: "intended" },
};

/** A fill was shown, and there are 20,000 CHF of equity: up to 200 CHF are released without a person. */
export const CONDITIONS: Conditions = {
  settings: DEFAULT_SETTINGS,
  measured: { slowestMs: 0, acknowledged: 1, releasedToday: 0, hasShownFill: true, hasLateFill: false },
  equity: Money.of("20000", CHF),
};

export const NONCE = 1_000 as Nonce;
const LATER_NONCE = 1_001 as Nonce;

type Told<T> = T extends unknown ? Omit<T, "now"> : never;

export class Life<K extends MoneyKind> {
  submission: Polled<K>;
  effects: readonly Effect<Receipts[K]>[] = [];
  seconds = 0;
  /** Seconds by which the wall clock was set forward. */
  wallStep = 0;
  conditions = CONDITIONS;

  constructor(submission: MoneyRequest<K>) {
    this.submission = { ...submission, poll: ELSEWHERE };
  }

  get state(): MoneyRequest<K>["state"] {
    return this.submission.state;
  }

  /** The state, with what has become of an unknown outcome. */
  get phase(): string {
    const { state } = this;
    if (state.kind !== "unknown") return state.kind;
    if (state.escalated !== undefined) return "escalated";
    return state.fence === undefined ? "unknown" : "fenced";
  }

  get now(): Moment {
    return { at: millis((this.seconds + this.wallStep) * 1_000), mono: mono(this.seconds * 1_000) };
  }

  /** The kinds of what is to be done after the last fact. */
  get todo(): readonly string[] {
    return this.effects.map(({ kind }) => kind);
  }

  tell(fact: Told<Fact<Receipts[K]>>): this {
    const told = { ...fact, now: this.now } as Fact<Receipts[K]>;
    const { submission, effects } = advance(this.submission, told, this.conditions);
    this.submission = submission;
    this.effects = effects;
    return this;
  }

  send(): this {
    return this.tell({ kind: "sending", record: { nonce: NONCE, digest: "d1", host: "venue" } } as Told<
      Fact<Receipts[K]>
    >);
  }

  outcome(outcome: Outcome<Receipts[K]>): this {
    return this.tell({ kind: "outcome", outcome } as Told<Fact<Receipts[K]>>);
  }

  doubt(code = "timeout", halt = false): this {
    return this.send().outcome({ kind: "doubt", failure: failure(code), nonce: NONCE, halt });
  }

  answered(nonce: Nonce = LATER_NONCE): this {
    return this.tell({ kind: "answered", nonce } as Told<Fact<Receipts[K]>>);
  }

  /** Time goes on to so many seconds after the beginning. */
  at(seconds: number): this {
    this.seconds = seconds;
    return this.tell({ kind: "time" } as Told<Fact<Receipts[K]>>);
  }

  /** Asks at that time and hears the finding at once. */
  look(seconds: number, finding: Finding<Receipts[K]>): this {
    return this.at(seconds).hear(finding);
  }

  hear(finding: Finding<Receipts[K]>, round = this.round): this {
    return this.tell({ kind: "looked", round, finding } as Told<Fact<Receipts[K]>>);
  }

  get round(): number {
    return this.submission.poll.round;
  }
}

export const ABSENT = { kind: "absent" } as const;

export function failure(code: string, status?: number): Failure {
  return { code, status, venueCode: undefined, message: `said ${code}` };
}
