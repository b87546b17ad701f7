import { describe, expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import type { Balance } from "../../src/domain/balance.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { Nonce, TradeRecord } from "../../src/exchange/port.ts";
import { Keeping, opened, orderOf, tradeOf } from "./keeping.ts";
import { CHF, VCHF } from "./life.ts";

const BTC = "BTC" as Asset;
const chf = (text: string): Money => Money.of(text, CHF);
const BEFORE = { CHF: "1000", VCHF: "0" };
/** 100 VCHF for 100.05 CHF. */
const AFTER = { CHF: "899.95", VCHF: "100" };

/** A complete round: trades, orders and balances. */
function round(
  bot: Keeping,
  rows: readonly TradeRecord[],
  balances: Readonly<Record<string, string>>,
  word?: string,
): Keeping {
  const orders = word === undefined ? [] : [orderOf("T-bot00001-1", word)];
  return bot.trades(rows).orders(orders).balances(balances);
}

/** Balances of a venue that does not state what is pending. */
function unstated(amounts: Readonly<Record<string, string>>): readonly Balance[] {
  const row = (asset: string, text: string): Balance => ({
    asset: asset as Asset,
    available: Money.of(text, asset as Asset),
    pending: undefined,
  });
  return Object.entries(amounts).map(([asset, text]) => row(asset, text));
}

/** An order whose answer was lost, fenced, with a round outstanding at so many seconds. */
function lost(seconds = 0, code?: string): { readonly bot: Keeping; readonly id: string } {
  const bot = opened();
  const id = bot.doubt(undefined, code);
  bot.trades([]);
  return { bot: bot.at(seconds), id };
}

const received = (bot: Keeping, id: string): unknown => {
  const state = bot.executor.get(id)?.state;
  return state !== undefined && "receipt" in state ? state.receipt : undefined;
};

describe("zero is zero in every currency", () => {
  test.each([
    ["base", VCHF],
    ["quote", CHF],
    ["neither", BTC],
  ])("a fee of 0 in the answer (%s), and none in the trade row: the fill is confirmed and settles", (_, asset) => {
    const bot = opened();
    const id = bot.fill(undefined, { fee: Money.zero(asset) });
    bot.trades([tradeOf(id, { fee: chf("0") })]).balances(AFTER);
    expect([bot.state(id), bot.controls]).toEqual(["settled", []]);
    bot.trades([tradeOf(id, { fee: Money.zero(BTC) })]);
    expect(bot.controls).toEqual([]);
  });
});

describe("an order that was answered with an error and no amounts", () => {
  test("is not filled as soon as a round finds nothing and the order list agrees", () => {
    const { bot, id } = lost(0, "unknown-code");
    round(bot, [], BEFORE, "Rejected");
    expect([bot.state(id), bot.controls]).toEqual(["rejected", []]);
  });

  test("is not filled after one round that finds nothing at 30 s or later, whatever word the order list has", () => {
    for (const word of [undefined, "Expired", "failed"]) {
      const { bot, id } = lost(5, "rejected");
      round(bot, [], BEFORE, word);
      expect(bot.state(id)).toBe("unknown");
      round(bot.at(30), [], BEFORE, word);
      expect([bot.state(id), bot.controls]).toEqual(["rejected", []]);
    }
  });

  test("is not filled after that round also where the venue states nothing pending; a lost answer needs more", () => {
    for (const [code, state] of [
      ["rejected", "rejected"],
      ["timeout", "unknown"],
    ] as const) {
      const { bot, id } = lost(5, code);
      const rows = unstated(BEFORE);
      for (const seconds of [5, 35]) {
        const { mono: askedAt, at: receivedAt } = bot.at(seconds).trades([]).orders([]).now;
        bot.answer({ witness: "balances", rows, askedAt, receivedAt, nonce: ++bot.nonce as Nonce });
      }
      expect(bot.state(id)).toBe(state);
    }
  });

  test("is not freed where the venue states nothing pending and what is available has moved", () => {
    for (const amounts of [AFTER, { ...BEFORE, CHF: AFTER.CHF }]) {
      const { bot, id } = lost(5, "rejected");
      const rows = unstated(amounts);
      for (const seconds of [5, 35, 65]) {
        const { mono: askedAt, at: receivedAt } = bot.at(seconds).trades([]).orders([]).now;
        bot.answer({ witness: "balances", rows, askedAt, receivedAt, nonce: ++bot.nonce as Nonce });
      }
      expect(bot.state(id)).toBe("unknown");
    }
  });

  test("filled nevertheless where a trade shows it, and is not freed while the balances say so", () => {
    const { bot, id } = lost(30, "unknown-code");
    round(bot, [], AFTER, "Rejected");
    expect(bot.state(id)).toBe("unknown");
    bot.trades([tradeOf(id)]);
    expect(bot.state(id)).toBe("confirmed");
  });
});

describe("quantity x price", () => {
  /** 100 at 1.0005049 are 100.05049: the venue booked 100.05. */
  const product = (id: string, sold: string): TradeRecord => tradeOf(id, { sold: chf(sold), isProduct: true });

  test("confirms an answer within a unit of its last digit, and the answer's figures are kept", () => {
    for (const sold of ["100.05049", "100.05", "100.0400001", "100.06"]) {
      const bot = opened();
      const id = bot.fill();
      bot.trades([product(id, sold)]).balances(AFTER);
      expect([bot.state(id), bot.controls]).toEqual(["settled", []]);
      expect(received(bot, id)).toMatchObject({ sold: chf("100.05"), tradeId: `t-${id}` });
      bot.trades([product(id, sold)]);
      expect(new Keeping({ entries: bot.entries }).trades([product(id, sold)]).controls).toEqual([]);
    }
  });

  test("contradicts it beyond that", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades([product(id, "100.0600001")]);
    expect([bot.state(id), bot.controls]).toMatchObject(["accepted", [{ kind: "halt", cause: "contradiction" }]]);
  });

  test("states nothing without an answer: the balances do, to the last digit", () => {
    const { bot, id } = lost();
    bot.trades([product(id, "100.05049")]);
    expect(bot.state(id)).toBe("unknown");
    round(bot, [product(id, "100.05049")], AFTER);
    expect([bot.state(id), bot.controls]).toEqual(["confirmed", []]);
    expect(received(bot, id)).toMatchObject({ bought: Money.of("100", VCHF), sold: chf("100.05") });
  });

  test("is left to a person where the balances state something else, or nothing", () => {
    for (const balances of [
      { CHF: "899.93", VCHF: "100" },
      { CHF: "899.95+?", VCHF: "100+?" },
    ]) {
      const { bot, id } = lost();
      for (const seconds of [5, 15, 30, 60, 120]) round(bot.at(seconds), [product(id, "100.05049")], balances);
      expect(bot.phase(id)).toBe("escalated");
      expect(received(bot, id)).toBeUndefined();
    }
  });

  test("of an order that had been given up is shown to a person and not booked", () => {
    const bot = opened();
    const id = bot.reject();
    bot.trades([product(id, "100.05049")]);
    expect([bot.state(id), bot.controls]).toMatchObject(["rejected", [{ kind: "halt", cause: "contradiction" }]]);
  });
});

describe("several trades of one order", () => {
  const part = (id: string, name: string, bought: string, sold: string, more: Partial<TradeRecord> = {}): TradeRecord =>
    tradeOf(id, { tradeId: name, bought: Money.of(bought, VCHF), sold: chf(sold), ...more });
  const both = (id: string) => [part(id, "t2", "60", "60.03"), part(id, "t1", "40", "40.02")];

  test("are one fill if together they are what the answer said, in whatever order and however cut off they are listed", () => {
    const bot = opened();
    const id = bot.fill();
    bot.trades(both(id).slice(0, 1));
    expect([bot.state(id), bot.controls]).toEqual(["accepted", []]);
    bot.trades(both(id)).balances(AFTER);
    expect([bot.state(id), bot.controls]).toEqual(["settled", []]);
    bot.trades(both(id).reverse()).trades(both(id).slice(1));
    const restarted = new Keeping({ entries: bot.entries }).trades(both(id)).trades(both(id).slice(1));
    expect([bot.controls, restarted.controls, restarted.state(id)]).toEqual([[], [], "settled"]);
    bot.trades([...both(id), part(id, "t3", "1", "1")]);
    expect(bot.controls).toMatchObject([{ kind: "halt", cause: "contradiction" }]);
  });

  test("are not, if together they are a digit more or less than that", () => {
    for (const sold of ["60.031", "60.029"]) {
      const bot = opened();
      const id = bot.fill();
      bot.trades([part(id, "t1", "40", "40.02"), part(id, "t2", "60", sold)]);
      expect([bot.state(id), bot.controls]).toMatchObject(["accepted", [{ kind: "halt", cause: "contradiction" }]]);
    }
  });

  test("are one fill without an answer if they are all that was ordered and the balances show it", () => {
    const { bot, id } = lost();
    bot.trades(both(id));
    expect(bot.state(id)).toBe("unknown");
    round(bot, both(id), AFTER);
    expect([bot.state(id), bot.controls]).toEqual(["confirmed", []]);
    expect(received(bot, id)).toMatchObject({ bought: Money.of("100", VCHF), sold: chf("100.05") });
    bot.balances(AFTER).trades(both(id));
    expect([bot.state(id), bot.controls]).toEqual(["settled", []]);
  });

  test("are not, while only some are listed or the balances do not show them", () => {
    for (const [count, balances] of [
      [1, AFTER],
      [2, BEFORE],
    ] as const) {
      const { bot, id } = lost();
      round(bot, both(id).slice(0, count), balances);
      expect([bot.state(id), bot.controls]).toEqual(["unknown", []]);
    }
  });
});

describe("a trade without an id of ours", () => {
  const nameless = (id: string, more: Partial<TradeRecord> = {}): TradeRecord =>
    tradeOf(id, { clientOrderId: undefined, ...more });

  test("is an order's if it alone fits, no other of the pair is open, and the balances show it", () => {
    const { bot, id } = lost();
    round(bot, [nameless(id)], BEFORE);
    expect(bot.state(id)).toBe("unknown");
    round(bot.at(5), [nameless(id)], AFTER);
    expect([bot.state(id), bot.controls]).toEqual(["confirmed", []]);
    bot.balances(AFTER).trades([nameless(id)]);
    expect([bot.state(id), bot.controls]).toEqual(["settled", []]);
  });

  test("is nobody's yet if two fit, or two orders of the pair are open", () => {
    const { bot, id } = lost();
    round(bot, [nameless(id), nameless("other")], AFTER);
    expect(bot.state(id)).toBe("unknown");
    for (const state of ["doubt", "fill"] as const) {
      const two = lost();
      two.bot[state]();
      const after = state === "doubt" ? AFTER : { CHF: "799.90", VCHF: "200" };
      round(two.bot.at(125), [nameless(two.id)], after);
      expect(two.bot.state(two.id)).toBe("unknown");
    }
  });

  test("is nobody's within a day of an order that was given up by rule, whose late trade it may be", () => {
    for (const [seconds, state] of [
      [700, "unknown"],
      [87_100, "confirmed"],
    ] as const) {
      const bot = opened();
      const fill = bot.fill();
      const shown = tradeOf(fill);
      const listed = orderOf(fill, "Filled");
      bot.trades([shown]).orders([listed]).balances(AFTER);
      const given = bot.doubt();
      bot.trades([shown]);
      for (const asked of [150, 300, 450, 600]) bot.at(asked).trades([shown]).orders([listed]).balances(AFTER);
      expect(bot.state(given)).toBe("released");
      const id = bot.at(seconds).doubt();
      bot
        .trades([shown])
        .at(seconds + 5)
        .trades([shown, nameless("late")])
        .orders([listed])
        .balances({ CHF: "799.90", VCHF: "200" });
      expect(bot.state(id)).toBe(state);
    }
  });

  test("is not a new order's if it was an old one's, also when that one is no longer kept", () => {
    const bot = opened({ endedMax: 1 });
    const old = bot.fill();
    bot.trades([nameless(old)]).balances(AFTER);
    for (let i = 0; i < 2; i++) bot.reject();
    expect(bot.executor.get(old)).toBeUndefined();
    const id = bot.doubt();
    bot.trades([nameless(old)]).at(5);
    bot
      .trades([nameless(old), nameless(id)])
      .orders([])
      .balances({ CHF: "799.90", VCHF: "200" });
    expect([bot.state(id), bot.controls]).toEqual(["confirmed", []]);
  });
});
