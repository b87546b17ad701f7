// Fill-or-Kill limit orders: what is refused, what is killed, what fills, and what the histories then say.

import { expect } from "vitest";
import {
  amountOf,
  availableOf,
  field,
  filledOrder,
  orderError,
  type Row,
  refused,
  rows,
  textOf,
  units,
} from "./answer.ts";
import type { Answer, Client, Fields } from "./client.ts";
import { newOrderId } from "./order-id.ts";
import { type Case, refusal, standing } from "./suite.ts";

const SYMBOL = "VCHF/CHF";
const FUNDS = { CHF: "10000", VCHF: "10000" };

function order(overrides: Fields = {}): Fields {
  return {
    timestamp: new Date().toISOString(),
    clordid: newOrderId(),
    symbol: SYMBOL,
    side: "Buy",
    ordtype: "Limit",
    timeinforce: "FOK",
    orderqty: "50",
    price: "1.01",
    ...overrides,
  };
}

/** Crosses the market by less than the price band: 1 % around par. */
const CROSSING = { Buy: "1.01", Sell: "0.99" };
const place = (client: Client, overrides: Fields = {}) => client.call("addOrder", order(overrides));

/** No service turns such an order into money. */
const UNPAID = [400, undefined, { movesMoney: false }] as const;

const malformed: [string, Fields][] = [
  ["a side other than Buy or Sell", { side: "Hold" }],
  ["a side in another case", { side: "buy" }],
  ["an ordtype other than Limit", { ordtype: "Market" }],
  ["a timeinforce other than FOK", { timeinforce: "GTC" }],
  ["a quantity of zero", { orderqty: "0" }],
  ["a negative quantity", { orderqty: "-50" }],
  ["a quantity with an exponent", { orderqty: "5e1" }],
  ["a price of zero", { price: "0" }],
  ["a price that is no number", { price: "market" }],
  ["a timestamp that is no time", { timestamp: "yesterday" }],
  ["an empty clordid", { clordid: "" }],
];

export const orderCases: Case[] = [
  ...Object.keys(order()).map((name) => {
    const { [name]: _, ...rest } = order();
    return refusal(`an order without ${name}`, ({ client }) => client.call("addOrder", rest));
  }),
  ...malformed.map(([what, bent]) => refusal(`an order with ${what}`, ({ client }) => place(client, bent))),
  refusal(
    "an order for a symbol that is not tradable",
    ({ client }) => place(client, { symbol: "VCHF/XYZ" }),
    ...UNPAID,
  ),
  refusal("an order without a body", ({ client }) => client.call("addOrder"), ...UNPAID),
  ...standing("an order", ({ client }) => place(client)),
  ...(["Buy", "Sell"] as const).map(
    (side): Case => ({
      name: `a marketable ${side} is Filled completely, at the limit or better, and moves exactly both legs`,
      needs: "key",
      movesMoney: true,
      funds: FUNDS,
      async run({ client }) {
        const before = await client.call("accountBalance");
        const request = order({ side, price: CROSSING[side] });
        const filled = filledOrder(await client.call("addOrder", request));
        const after = await client.call("accountBalance");
        checkLegs(request, filled);
        for (const asset of ["VCHF", "CHF"])
          expect(availableOf(after, asset) - availableOf(before, asset)).toBe(change(filled, asset));
      },
    }),
  ),
  {
    name: "a filled order is in queryTrades and queryOrders under its clordid and ordid",
    needs: "key",
    movesMoney: true,
    funds: FUNDS,
    async run({ client }) {
      const request = order();
      const filled = filledOrder(await client.call("addOrder", request));
      const trade = only(await client.call("queryTrades"), request.clordid);
      expect(textOf(trade, "ordid")).toBe(textOf(filled, "ordid"));
      for (const name of ["bought", "sold", "fee"]) expect(amountOf(trade, name)).toBe(amountOf(filled, name));
      const record = only(await client.call("queryOrders"), request.clordid);
      expect(textOf(record, "ordstatus", "status")).toBe("Filled");
    },
  },
  {
    name: "an order that cannot be filled is killed: HTTP 200, an error object, no money moved, no trade",
    needs: "key",
    movesMoney: true,
    funds: FUNDS,
    async run({ client }) {
      const before = await client.call("accountBalance");
      const request = order({ price: "0.995" });
      const answer = await client.call("addOrder", request);
      expect(orderError(answer)).toBeDefined();
      expect(field(field(answer.body, "order"), "ordstatus")).not.toBe("Filled");
      expect(rows(await client.call("accountBalance"))).toEqual(rows(before));
      expect(rows(await client.call("queryTrades")).filter((row) => field(row, "clordid") === request.clordid)).toEqual(
        [],
      );
    },
  },
  ...(
    [
      ["beyond the available balance", "10", "50"],
      ["larger than the market's depth", "90000000000", "80000000000"],
    ] as const
  ).map(
    ([what, CHF, orderqty]): Case => ({
      name: `an order ${what} is killed with an error object, never partly filled`,
      needs: "portal",
      movesMoney: true,
      funds: { CHF },
      async run({ client }) {
        expect(orderError(await place(client, { orderqty }))).toBeDefined();
        expect(availableOf(await client.call("accountBalance"), "CHF")).toBe(units(CHF));
      },
    }),
  ),
  {
    name: "an order below the minimum of its pair, where pairs name one, is refused or killed and moves nothing",
    needs: "portal",
    movesMoney: true,
    funds: FUNDS,
    async run({ client }) {
      const pairs = rows(await client.get("client/tradingPairs"));
      const pair = pairs.find((row) => field(row, "pair", "symbol") === SYMBOL);
      if (field(pair, "min_order_size") === undefined) return;
      // Half of it: one digit more than the minimum has, ending in 5.
      const half = units(amountOf(pair, "min_order_size")) / 2n;
      const text = String(half)
        .padStart(19, "0")
        .replace(/(.{18})$/, ".$1")
        .replace(/0+$/, "");
      const answer = await place(client, { orderqty: text });
      if (answer.status === 200) expect(orderError(answer), answer.text).toBeDefined();
      else refused(answer, [400]);
      expect(availableOf(await client.call("accountBalance"), "CHF")).toBe(units(FUNDS.CHF));
    },
  },
  {
    name: "history is empty for an account that never traded",
    needs: "portal",
    async run({ client }) {
      expect(rows(await client.call("queryOrders"))).toEqual([]);
      expect(rows(await client.call("queryTrades"))).toEqual([]);
    },
  },
];

function only(answer: Answer, clordid: string | undefined): Row {
  const found = rows(answer).filter((row) => field(row, "clordid") === clordid);
  expect(found).toHaveLength(1);
  return found[0] as Row;
}

function checkLegs(request: Fields, filled: Row): void {
  expect(textOf(filled, "clordid")).toBe(request.clordid);
  const [base, quote] = request.side === "Buy" ? ["bought", "sold"] : ["sold", "bought"];
  expect(textOf(filled, `${base}_currency`)).toBe("VCHF");
  expect(textOf(filled, `${quote}_currency`)).toBe("CHF");
  expect(units(amountOf(filled, base as string))).toBe(units("50"));
  // 50 at the limit: 50.5 paid at most, 49.5 received at least.
  const paid = units(amountOf(filled, quote as string));
  if (request.side === "Buy") expect(paid).toBeLessThanOrEqual(units("50.5"));
  else expect(paid).toBeGreaterThanOrEqual(units("49.5"));
  expect(amountOf(filled, "fee")).not.toMatch(/^-/);
}

function change(filled: Row, asset: string): bigint {
  const part = (name: string) => (field(filled, `${name}_currency`) === asset ? units(amountOf(filled, name)) : 0n);
  return part("bought") - part("sold") - part("fee");
}
