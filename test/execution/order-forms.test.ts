// Forms of an order's life as venues write it, from the bytes of answer and lists to the books: each is booked as it was, or is
// refused until the switch that explains it is set, and then booked.

import { expect, test } from "vitest";
import { legsText } from "../../src/domain/order.ts";
import { millis } from "../../src/domain/time.ts";
import { classifyMoney, classifyRead } from "../../src/exchange/classify.ts";
import { addOrder } from "../../src/exchange/endpoint/add-order.ts";
import { queryOrders } from "../../src/exchange/endpoint/query-orders.ts";
import { queryTrades } from "../../src/exchange/endpoint/query-trades.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { type Profile, presets } from "../../src/exchange/profile.ts";
import type { Observation } from "../../src/exchange/wire/http-attempt.ts";
import { type Keeping, opened } from "./keeping.ts";
import { ORDER } from "./life.ts";

const ID = "T-bot00001-1";
const ids = { clordid: ID, ordid: "o1" };
const legs = { bought: "100", bought_currency: "VCHF", sold: "100.05", sold_currency: "CHF" };
const free = { fee: "0", fee_currency: "CHF" };
const nothing = { bought: "0", bought_currency: "VCHF", sold: "0", sold_currency: "CHF", ...free };
const filled = (change: object = {}) => ({
  result: "ok",
  order: { ...ids, ordstatus: "Filled", ...legs, ...free, ...change },
  error: null,
});
const row = (change: object = {}) => ({ tradeid: "t1", ...ids, symbol: "VCHF/CHF", side: "Buy", ...change });
const part = (tradeid: string, bought: string, sold: string) => row({ tradeid, ...legs, bought, sold, ...free });
const product = { quantity: "100", price: "1.0005049", ...free };

type Form = {
  /** Undefined: lost. */
  readonly answer?: object;
  readonly trades: readonly object[];
  readonly orders?: readonly object[];
  /** CHF and VCHF after it; 899.95 and 100 by default. */
  readonly balances?: readonly [string, string];
  readonly switches?: Partial<Profile>;
  readonly state: "settled" | "rejected";
  readonly booked?: string;
};

const PLAIN = "bought 100 VCHF for 100.05 CHF, fee 0 CHF";
const KILLED = { trades: [], balances: ["1000", "0"], state: "rejected" } as const;

const FORMS: readonly (readonly [string, Form])[] = [
  ["both legs in answer and row", { answer: filled(), trades: [row({ ...legs, ...free })], state: "settled" }],
  [
    "a fee of 0 in the base, and none in the row",
    {
      answer: filled({ fee_currency: "VCHF" }),
      trades: [row(legs)],
      switches: { feeMissing: "zero" },
      state: "settled",
      booked: "bought 100 VCHF for 100.05 CHF, fee 0 VCHF",
    },
  ],
  ["quantity x price, rounded by the venue", { answer: filled(), trades: [row(product)], state: "settled" }],
  [
    "one fill in two trades",
    { answer: filled(), trades: [part("t2", "60", "60.03"), part("t1", "40", "40.02")], state: "settled" },
  ],
  [
    "a trade under a word of its own",
    { answer: filled(), trades: [row({ ...legs, ...free, status: "Executed" })], state: "settled" },
  ],
  [
    "the fee inside the quote leg",
    {
      answer: filled({ sold: "100.15", fee: "0.1" }),
      trades: [row({ ...legs, sold: "100.15", fee: "0.1", fee_currency: "CHF" })],
      balances: ["899.85", "100"],
      switches: { feeInside: "quote" },
      state: "settled",
      booked: "bought 100 VCHF for 100.05 CHF, fee 0.1 CHF",
    },
  ],
  ...(["base", "none"] as const).map((feeInside): [string, Form] => [
    `the fee inside the base leg, which the quantity shows (${feeInside})`,
    {
      answer: filled({ bought: "99.9", fee: "0.1", fee_currency: "VCHF" }),
      trades: [row({ ...legs, bought: "99.9", fee: "0.1", fee_currency: "VCHF" })],
      balances: ["899.95", "99.9"],
      ...(feeInside === "base" && { switches: { feeInside } }),
      state: "settled",
      booked: `bought ${feeInside === "base" ? "100" : "99.9"} VCHF for 100.05 CHF, fee 0.1 VCHF`,
    },
  ]),
  ["a lost answer, quantity x price", { trades: [row(product)], state: "settled" }],
  ["a lost answer, two trades", { trades: [part("t2", "60", "60.03"), part("t1", "40", "40.02")], state: "settled" }],
  [
    "a lost answer, listed by the venue's id alone",
    { trades: [row({ ...legs, ...free, clordid: undefined })], state: "settled" },
  ],
  [
    "killed by its size, called rejected",
    {
      ...KILLED,
      answer: {
        result: "rejected",
        order: { ...ids, ordstatus: "Expired", ...nothing },
        error: { code: "fok_not_fillable", message: "size" },
      },
    },
  ],
  [
    "killed under a code of its own",
    {
      ...KILLED,
      answer: {
        result: "failed",
        order: { ...ids, ordstatus: "Done", ...nothing },
        error: { code: "E-17", message: "no size" },
      },
      orders: [{ ...ids, ordstatus: "Void" }],
    },
  ],
  [
    "killed, and listed as rejected and completed",
    {
      ...KILLED,
      answer: {
        result: "error",
        order: { ...ids, ordstatus: "Rejected", ...nothing },
        error: { code: "fok_not_fillable", message: "no" },
      },
      orders: [{ ...ids, ordstatus: "Rejected", status: "completed" }],
    },
  ],
];

/** Answer, then two rounds of lists, the second half a minute later. */
function lived(
  { answer, trades, orders = [], balances: [chf, vchf] = ["899.95", "100"] }: Form,
  profile: Profile,
): Keeping {
  const bot = opened();
  const seen = (body: object): Observation => ({
    kind: "answer",
    answer: {
      status: 200,
      contentType: undefined,
      body: Buffer.from(JSON.stringify(body)),
      at: undefined,
      receivedAt: millis(0),
      retryAfterMs: undefined,
    },
  });
  const rowsOf = <T>(
    endpoint: { readonly answer: Parameters<typeof classifyRead<T>>[1] },
    name: string,
    rows: readonly object[],
  ): T => {
    const verdict = classifyRead<T>(seen({ [name]: rows }), endpoint.answer);
    return verdict.kind === "read" ? verdict.value : ([] as T);
  };
  bot.send();
  if (answer === undefined) bot.doubt(ID);
  else {
    const endpoint = addOrder({ ...ORDER, clientOrderId: ID as never }, profile);
    const verdict = classifyMoney(seen(answer), endpoint, profile.refusals);
    const nonce = bot.nonce as Nonce;
    bot.take((out) => bot.executor.outcome(ID, { ...verdict, nonce, receivedAt: bot.now.at } as never, bot.now, out));
  }
  for (const seconds of [0, 5, 35]) {
    bot.at(seconds);
    bot.trades(rowsOf(queryTrades(profile), "trades", trades));
    bot.orders(rowsOf(queryOrders(profile), "orders", orders));
    bot.balances({ CHF: chf, VCHF: vchf });
  }
  return bot;
}

test.each(FORMS)("%s is booked as it was", (_, form) => {
  const { switches = {}, state, booked = PLAIN } = form;
  const bot = lived(form, { ...presets.contract, ...switches });
  expect([bot.state(ID), bot.controls]).toEqual([state, []]);
  const legsBooked = bot.reports.flatMap(({ report }) => (report.kind === "filled" ? [legsText(report.fill)] : []));
  expect(new Set(legsBooked)).toEqual(new Set(state === "settled" ? [booked] : []));
  expect(bot.executor.freeze(bot.now)).toEqual({ kind: "none" });
});

test.each(FORMS.filter(([, { switches }]) => switches !== undefined && switches.feeInside !== "base"))(
  "%s is not settled without its switch",
  (_, form) => {
    const bot = lived(form, presets.contract);
    expect(bot.state(ID)).not.toBe(form.state);
  },
);
