// One turn of the trading core: what it records, sends and asks, and when it is idle.

import { describe, expect, it } from "vitest";
import type { Engine } from "../../../src/bot/engine.ts";
import { TIME } from "../../../src/bot/input.ts";
import { IDLE } from "../../../src/bot/strategy-host/strategy-state.ts";
import type { Turn } from "../../../src/bot/turn.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import type { Fill } from "../../../src/domain/order.ts";
import type { Nonce, TradeRecord } from "../../../src/exchange/port.ts";
import type { Answer } from "../../../src/execution/effects.ts";
import type { Entry, JournalRecord } from "../../../src/journal/record.ts";
import { isOrder } from "../../../src/risk/treasury-gate.ts";
import {
  announced,
  filled,
  kinds,
  moment,
  newDesk,
  newEager,
  openDesk,
  openingInputs,
  quote,
  standingRail,
} from "../trading-core-bench.ts";

function orderIn({ sends: [first] }: Turn) {
  return first !== undefined && isOrder(first) ? first : undefined;
}

it("that finds an order filled after the venue had refused it has one stop for it, whoever tells it first", () => {
  const tradingCore = newDesk("late0000");
  openDesk(tradingCore);
  const turn = tradingCore.process(quote(0.999, 1_000), moment(1_000));
  announced(tradingCore, turn, 1, 1_000);
  const { id, outcome } = filled(turn);
  if (outcome.kind !== "accepted") throw new Error("a fill must be accepted");
  const nonce = 1 as Nonce;
  const refused = { code: "unfilled", status: 200, venueCode: undefined, message: "no counterpart" };
  const rejected = { kind: "rejected", failure: refused, nonce, receivedAt: moment(1_500).at } as const;
  tradingCore.process({ kind: "outcome", id, outcome: rejected }, moment(1_500));
  const asked = { askedAt: moment(2_000).mono, receivedAt: moment(2_000).at, nonce: undefined };
  const none = { orderId: undefined, symbol: undefined, side: undefined, quantity: undefined, limit: undefined };
  const listed = { clientOrderId: id, status: "Filled", at: undefined, ...none };
  const answers: readonly Answer[] = [
    { witness: "orders", rows: [listed], ...asked },
    { witness: "trades", rows: [{ ...outcome.value, status: "Filled" } as TradeRecord], ...asked },
  ];
  for (const answer of answers) tradingCore.process({ kind: "answer", answer }, moment(2_000));
  const { tradingState } = tradingCore.books.counters;
  expect([tradingState.cause, tradingState.also]).toEqual(["late_fill", []]);
  expect(tradingState.reason).toMatch(/ booked$/);
});

it("does not take the time of our clock alone: it may be a day ahead, and the books never go back", () => {
  const ahead = moment(86_400_000);
  const sent = (isUnsure: boolean): number => {
    const tradingCore = newDesk("unsure00");
    openDesk(tradingCore);
    tradingCore.process({ kind: "time", isUnsure }, ahead);
    return tradingCore.process(quote(0.999, 2_000), moment(2_000)).sends.length;
  };
  expect([sent(true), sent(false)]).toEqual([1, 0]);
});

describe("a turn", () => {
  it("records an approval as its step, its intent and what the strategy remembers, in this order and together", () => {
    const tradingCore = newDesk("approver0");
    openDesk(tradingCore);
    const turn = tradingCore.process(quote(0.999, 1_000), moment(1_000));
    expect(kinds(turn)).toEqual(["step quote", "intent", "state"]);
    expect(turn.sends).toHaveLength(1);
    const [step, intent] = turn.records;
    expect(intent?.kind === "intent" && intent.id).toBe(orderIn(turn)?.clientOrderId);
    expect(step?.kind === "step" && step.step).toBe(turn.steps[0]);
  });

  it("records what is at stake in the currency of the limits, and what is reserved with the fee", () => {
    const tradingCore = newDesk("stakes00");
    openDesk(tradingCore);
    const intent = tradingCore.process(quote(0.999, 1_000), moment(1_000)).records[1];
    if (intent?.kind !== "intent") throw new Error("there must be an intent");
    // 100 at 0.999, and 20 bp of fee on top.
    expect(String(intent.value)).toBe("99.9");
    expect(intent.reserved.map(String)).toEqual(["100.0998"]);
  });

  it("takes the fill that an outcome raises after the outcome, in the same turn", () => {
    const tradingCore = newDesk("filler00");
    openDesk(tradingCore);
    const sent = tradingCore.process(quote(0.999, 1_000), moment(1_000));
    announced(tradingCore, sent, 1, 1_500);
    const turn = tradingCore.process(filled(sent), moment(2_000));
    expect(kinds(turn)).toEqual(["outcome", "step report"]);
    expect(turn.asks).toEqual([{ witness: "trades", asset: undefined, class: "confirmation" }]);
    expect(String(tradingCore.books.accounts.held("VCHF" as Asset))).toBe("100100");
  });

  it("asks a witness once for all who wait for it, as urgently as a doubt among them", () => {
    const tradingCore = newDesk("asking00");
    openDesk(tradingCore);
    const sent = [1_000, 1_010].map((ms, n) => {
      const turn = tradingCore.process(quote(0.999, ms), moment(ms));
      announced(tradingCore, turn, n + 1, ms + 1);
      return turn;
    });
    const [first, second] = sent.map((turn) => filled(turn));
    const failure = { code: "timeout", status: undefined, venueCode: undefined, message: "no answer" };
    const doubt = { kind: "doubt", failure, nonce: 2 as Nonce, halt: false } as const;
    if (first === undefined || second === undefined) throw new Error("there must be two orders");
    tradingCore.process(first, moment(2_000));
    tradingCore.process({ kind: "outcome", id: second.id, outcome: doubt }, moment(2_000));
    tradingCore.process(
      { kind: "unanswered", witness: "trades", askedAt: moment(2_000).mono, code: "dropped" },
      moment(3_000),
    );
    const { asks } = tradingCore.process({ kind: "time" }, moment(9_000));
    expect(asks).toEqual([{ witness: "trades", asset: undefined, class: "doubt" }]);
  });

  it("approves nothing that cannot leave while everything is frozen, and counts no order for it", () => {
    const tradingCore = newDesk("frozen00");
    openDesk(tradingCore);
    const sent = tradingCore.process(quote(0.999, 1_000), moment(1_000));
    announced(tradingCore, sent, 1, 1_000);
    const fill = filled(sent);
    if (fill.outcome.kind !== "accepted") throw new Error("a fill must be accepted");
    tradingCore.process(fill, moment(1_500));
    const foreign = {
      ...fill.outcome.value,
      status: "Filled",
      clientOrderId: "portal-1",
      tradeId: "T9",
    } as TradeRecord;
    const asked = { askedAt: moment(2_000).mono, receivedAt: moment(2_000).at, nonce: 2 as Nonce };
    tradingCore.process({ kind: "answer", answer: { witness: "trades", rows: [foreign], ...asked } }, moment(2_000));
    expect(tradingCore.books.counters.tradingState).toMatchObject({ state: "HALTED", cause: "foreign" });
    tradingCore.process({ kind: "time", recovers: true }, moment(2_500));
    const control = { kind: "resume", reason: "too early", by: "anna" } as const;
    tradingCore.process(
      { kind: "event", event: { kind: "control", control, receivedAt: moment(3_000).at } },
      moment(3_000),
    );
    const { orders } = tradingCore.books.counters.day;
    const turn = tradingCore.process(quote(0.998, 4_000), moment(4_000));
    expect([turn.sends, tradingCore.books.counters.day.orders]).toEqual([[], orders]);
    expect(turn.steps.flatMap(({ decisions }) => decisions.map(({ verdict }) => verdict))).toMatchObject([
      { kind: "refused", refusal: { rule: "RC33" } },
    ]);
  });

  it("asks a strategy no more once trades were taken over that it made and does not remember", () => {
    const [tradingCore, other] = [newDesk("running0"), newDesk("other000", {}, IDLE)];
    const turns = [...openDesk(tradingCore), tradingCore.process(quote(0.999, 1_000), moment(1_000))];
    const entries = (records: readonly JournalRecord[], from: number) =>
      records.map((record, i) => ({ sequence: from + i, hash: "", writer: "any00000", record }));
    const known = entries(
      turns.flatMap(({ records }) => records),
      1,
    );
    for (const entry of known) other.fold(entry);
    const [adoption] = openingInputs(0).flatMap((input) => (input.kind === "adoption" ? [input.adoption] : []));
    if (adoption === undefined) throw new Error("the bench must open the books");
    const own = { kind: "adoption", adoption: { ...adoption, amounts: [] }, lost: 2 } as const;
    const { records, warnings } = other.process(own, moment(2_000));
    expect(warnings).toEqual([expect.stringMatching(/^strategy eager will not run: its last state is older/)]);
    const turn = folding(tradingCore, entries(records, known.length + 1)).process(quote(0.998, 3_000), moment(3_000));
    expect([turn.sends, tradingCore.books.counters.tradingState.state]).toEqual([[], "HALTED"]);
    const control = { kind: "resume", reason: "seen", by: "anna" } as const;
    const event = { kind: "control", control, receivedAt: moment(4_000).at } as const;
    tradingCore.process({ kind: "event", event }, moment(4_000));
    expect(tradingCore.books.counters.tradingState.state).toBe("ACTIVE");
    expect(tradingCore.process(quote(0.997, 5_000), moment(5_000)).sends).toEqual([]);
    expect(kinds(tradingCore.process({ kind: "save" }, moment(6_000)))).toEqual([]);
    expect(tradingCore.lifecycle.host(newEager())).toMatchObject({ wayOut: expect.stringContaining("--fresh-state") });
    // As long as nobody sits there the bot does not pass for one that trades, whoever resumes.
    expect(kinds(tradingCore.process(TIME, moment(7_000)))).toEqual(["step control"]);
    expect(tradingCore.books.counters.tradingState).toMatchObject({ state: "HALTED", cause: "strategy" });
    expect(kinds(tradingCore.process(TIME, moment(8_000)))).toEqual([]);
    const anew = tradingCore.process({ kind: "strategy", strategy: newEager(), isFresh: true }, moment(8_500));
    expect(kinds(anew)).toEqual(["fresh-start"]);
    tradingCore.process({ kind: "event", event }, moment(9_000));
    tradingCore.process(TIME, moment(10_000));
    expect(tradingCore.books.counters.tradingState.state).toBe("ACTIVE");
    // With the whole journal lost there is nothing that could keep it from its host: whoever takes over is told.
    const { warnings: told } = newDesk("anew0000", {}, IDLE).process(own, moment(2_000));
    expect(told).toEqual([expect.stringMatching(/^2 trades of this bot .* begin at zero.*the size that is left/)]);
  });

  it("turns a halt of the executor into a control event of the engine", () => {
    const tradingCore = newDesk("halting0");
    openDesk(tradingCore);
    const sent = tradingCore.process(quote(0.999, 1_000), moment(1_000));
    announced(tradingCore, sent, 1, 1_500);
    const { id } = filled(sent);
    const failure = { code: "inconsistent", status: 200, venueCode: undefined, message: "Filled with an error" };
    const outcome = { kind: "doubt", failure, nonce: 1 as Nonce, halt: true } as const;
    const turn = tradingCore.process({ kind: "outcome", id, outcome }, moment(2_000));
    expect(kinds(turn)).toEqual(["doubt", "step report", "step control"]);
    expect(tradingCore.books.counters.state).toBe("HALTED");
    expect(tradingCore.process(quote(0.998, 3_000), moment(3_000)).sends).toEqual([]);
  });

  it("releases up to a share of the equity at the last prices while none is fresh, less what was taken out since", () => {
    const tradingCore = newDesk("freeing0", { orderValueMax: "off: equity is what is tested" });
    openDesk(tradingCore);
    const sent = tradingCore.process(quote(0.999, 1_000), moment(1_000));
    announced(tradingCore, sent, 1, 1_500);
    const fill = filled(sent);
    tradingCore.process(fill, moment(2_000));
    const { accounts } = tradingCore.books;
    const asked = { askedAt: moment(3_000).mono, receivedAt: moment(3_000).at, nonce: 2 as Nonce };
    if (fill.outcome.kind !== "accepted") throw new Error("it must be filled");
    const trade = { ...(fill.outcome.value as Fill), status: undefined };
    const rows = ["CHF", "VCHF"].map((asset) => {
      const available = accounts.settled(asset as Asset) ?? Money.zero(asset as Asset);
      return { asset: available.asset, available, pending: Money.zero(available.asset) };
    });
    for (const answer of [
      { witness: "trades", rows: [trade], ...asked },
      { witness: "balances", rows, ...asked },
    ] as const)
      tradingCore.process({ kind: "answer", answer }, moment(3_000));
    expect(tradingCore.executor.get(fill.id)?.state.kind).toBe("settled");
    const most = (): string => {
      const { release } = tradingCore.executor.parameters(moment(600_000));
      return release.kind === "up-to" ? String(release.value) : release.kind;
    };
    expect(most()).toBe(String(tradingCore.books.pricing.equity()?.share(100, "down")));
    // One per cent of what the fill left, its coins at the last bid.
    tradingCore.process({ kind: "time" }, moment(600_000));
    expect([String(tradingCore.books.pricing.equity()), most()]).toEqual(["199879.98", "1998.7998"]);
    const amounts = [Money.of("-90000", "CHF" as Asset)];
    const adoption = { kind: "adoption", amounts, reason: "wire", receivedAt: moment(600_000).at } as const;
    tradingCore.process({ kind: "event", event: adoption }, moment(600_000));
    expect(most()).toBe("1098.7998");
  });

  it("books a payment from outside when it has a rate, and neither halts nor loses the bases of losses before that", () => {
    const tradingCore = newDesk("payments", { dailyLossBpsMax: 100 }, IDLE);
    openDesk(tradingCore);
    tradingCore.process(quote(1, 100), moment(100));
    tradingCore.process(TIME, moment(11_000));
    const railId = standingRail(tradingCore, 12_000);
    const { counters } = tradingCore.books;
    const peak = Number(String(counters.peak));
    // Minutes later no price is fresh, as at a start.
    const later = 600_000;
    const amount = Money.of("30007", "VCHF" as Asset);
    const rows = [{ railId, paymentId: "p1", status: "pending", amount, at: undefined }];
    const asked = { askedAt: moment(later).mono, receivedAt: moment(later).at, nonce: undefined };
    tradingCore.process({ kind: "answer", answer: { witness: "payments", rows, ...asked } }, moment(later));
    tradingCore.process(TIME, moment(later + 1_000));
    expect([counters.state, Number(String(counters.peak)), [...tradingCore.books.accounts.flights()]]).toEqual([
      "ACTIVE",
      peak,
      [],
    ]);
    tradingCore.process(quote(1, later + 2_000), moment(later + 2_000));
    const booked = tradingCore.process(TIME, moment(later + 3_000));
    expect(kinds(booked)).toContain("step movement");
    expect([counters.state, [...tradingCore.books.accounts.flights()].length]).toEqual(["ACTIVE", 1]);
    expect((Number(String(counters.peak)) - peak) / 30_007).toBeCloseTo(1, 2);
  });

  it("opens the books once, also when a person did so since they were compared", () => {
    const tradingCore = newDesk("opening0");
    const [opening] = openingInputs(0).flatMap((input) => (input.kind === "adoption" ? [input] : []));
    if (opening === undefined) throw new Error("the bench must open the books");
    tradingCore.process(opening, moment(0));
    const turn = tradingCore.process({ ...opening, isOpening: true }, moment(1_000));
    expect([turn.records, turn.notes]).toEqual([[], ["the books were opened meanwhile"]]);
    expect(String(tradingCore.books.accounts.held("CHF" as Asset))).toBe("100000");
  });
});

function folding(tradingCore: Engine, entries: readonly Entry[]): Engine {
  for (const entry of entries) tradingCore.fold(entry);
  return tradingCore;
}
