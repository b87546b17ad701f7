// One meaning or refused: every field of every list, under each two of its names with two values, in both orders of its keys.
// Then rows of all lists whose truth is known; `npm run campaign fuzz` makes 10,000.

import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../src/domain/random.ts";
import { accountBalance } from "../../src/exchange/endpoint/account-balance.ts";
import { assets } from "../../src/exchange/endpoint/assets.ts";
import type { ReadEndpoint } from "../../src/exchange/endpoint/endpoint.ts";
import { presets, profileSchema } from "../../src/exchange/profile.ts";
import { LIST_NAMES, listEndpoint } from "../../src/exchange/shape.ts";
import { read } from "../../src/exchange/wire/decoder.ts";
import { type Json, parseJson } from "../../src/exchange/wire/json.ts";
import { fuzz } from "../support/fuzz.ts";

type Row = Record<string, unknown>;
type List = (typeof LIST_NAMES)[number] | "balances" | "assets";

const order = {
  clordid: "c1",
  ordid: "o1",
  ordstatus: "Filled",
  symbol: "VCHF/USDC",
  side: "Buy",
  timestamp: 1_763_460_000,
};
const legs = { bought: "100", bought_currency: "VCHF", sold: "110", sold_currency: "USDC" };
const paid = { fee: "0.1", fee_currency: "USDC" };
const grid = { status: "online", min_order_size: "30", qty_decimals: 5, price_decimals: 4 };
const balance = { asset: "VCHF", available: "1", pending: "2" };
const payment = {
  railid: "r1",
  paymentid: "p1",
  status: "settled",
  amount: "9",
  currency: "CHF",
  fee: "1",
  fee_currency: "CHF",
};

/** Rows that are read as they are; together they show every field. */
const GOOD: Record<List, readonly Row[]> = {
  pairs: [
    { symbol: "VCHF/USDC", ...grid, active: true },
    { base: "VCHF", quote: "USDC", status: "online", min_order_size: "30", step_size: "0.1", tick_size: "0.1" },
  ],
  quotes: [
    { symbol: "VCHF/USDC", b: "1.1", a: "1.2", bid_size: "5", ask_size: "6" },
    { base: "VCHF", quote: "USDC", b: ["1.1"], a: ["1.2"] },
  ],
  orders: [
    { ...order, orderqty: "100", price: "1.1" },
    { clordid: "c1", base: "VCHF", quote: "USDC" },
  ],
  trades: [
    { tradeid: "t1", ...order, ...legs, ...paid },
    { ...order, symbol: undefined, base: "VCHF", quote: "USDC", quantity: "100", price: "1.1", total: "110", ...paid },
  ],
  supplyChanges: [
    {
      requestid: "m1",
      spent: "5",
      txid: "x1",
      asset: "VCHF",
      quantity: "5",
      status: "settled",
      timestamp: 1_763_460_000,
      type: "mint",
    },
  ],
  rails: [{ railid: "r1", status: "pending" }],
  payments: [
    { ...payment, timestamp: 1_763_460_000 },
    { ...payment, amount: undefined, received: "9", received_currency: "CHF" },
  ],
  addresses: [{ asset: "VCHF", blockchain: "ETH", address: "0x1", label: "cold", status: "Confirmed" }],
  balances: [balance],
  assets: [{ symbol: "VCHF", name: "Franc" }],
};

/** Two values of each field, under the first of its names. */
const VALUES: Record<string, readonly [unknown, unknown]> = {
  ...{ symbol: ["VCHF/USDC", "VGBP/USDC"], base: ["VCHF", "VGBP"], quote: ["USDC", "CHF"] },
  ...{
    clordid: ["c1", "c2"],
    ordid: ["o1", "o2"],
    ordstatus: ["Rejected", "completed"],
    timestamp: [1_763_460_000, 1_763_460_001],
  },
  ...{
    bought: ["100", "101"],
    sold: ["110", "111"],
    quantity: ["100", "50"],
    price: ["1.1", "1.2"],
    total: ["110", "110.001"],
  },
  ...{
    bought_currency: ["VCHF", "USDC"],
    spent_currency: ["CHF", "GBP"],
    sold_currency: ["USDC", "VCHF"],
    fee: ["0.1", "1e-2"],
    fee_currency: ["USDC", "VCHF"],
  },
  ...{ orderqty: ["100", "50"], status: ["online", "offline"], active: [true, false], min_order_size: ["30", "3"] },
  ...{ qty_decimals: [5, 4], price_decimals: [4, "3"], step_size: ["0.1", "0.01"], tick_size: ["0.1", "0.01"] },
  ...{ b: ["1.1", ["1.11", "4"]], a: ["1.2", "1.21"], bid_size: ["5", "4"], ask_size: ["6", 5] },
  ...{ txid: ["x1", "x2"], asset: ["VCHF", "VGBP"], type: ["mint", "redemption"], railid: ["r1", "r2"] },
  ...{
    amount: ["9", "8"],
    currency: ["CHF", "VCHF"],
    address: ["0x1", "0x2"],
    label: ["cold", "hot"],
    blockchain: ["ETH", "SOL"],
  },
  ...{ "assets symbol": ["VCHF", "VGBP"], available: ["1", "2"], pending: ["2", "0E-8"] },
};

/** Names of the interface, which are read where they are there. */
const OWN = new Set(["clordid", "ordid", "txid", "railid", "ordstatus", "rails status"]);

function endpointOf(list: List): ReadEndpoint<readonly unknown[]> {
  if (list === "balances") return accountBalance;
  return list === "assets" ? assets : listEndpoint(list, { profile: presets.contract, priceDecimals: 6 });
}

function jsonOf(entries: readonly (readonly [string, unknown])[]): Json {
  const members = entries.filter(([, value]) => value !== undefined);
  const json = parseJson(
    Buffer.from(`[{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(",")}}]`),
  );
  if (!json.ok) throw new Error(json.error);
  return json.value;
}

/** Its one row, or why there is none. */
function readOne(list: List, entries: readonly (readonly [string, unknown])[]): unknown {
  const problems: unknown[] = [];
  const got = read(endpointOf(list).answer, jsonOf(entries), problems as never);
  if (!got.ok) return new Error(got.error);
  const [row] = got.value;
  return row === undefined || problems.length > 0
    ? new Error(JSON.stringify(problems))
    : JSON.parse(JSON.stringify(row));
}

describe.each([...LIST_NAMES, "balances", "assets"] as const)("%s", (list) => {
  const slots = endpointOf(list).slots ?? [];
  const named = slots.filter(({ names }) => names.length > 1);

  test("venue.profile.fields can name each of its fields", () => {
    for (const { names } of list === "assets" ? [] : slots)
      expect(profileSchema.safeParse({ fields: { own: names[0]?.toLowerCase() } }).success, names[0]).toBe(true);
  });

  test("each of its good rows is read", () => {
    for (const row of GOOD[list]) expect(readOne(list, Object.entries(row))).not.toBeInstanceOf(Error);
    expect(named.map(({ names }) => names[0]).filter((name) => VALUES[name as string] === undefined)).toEqual([]);
  });

  test.each(named.map(({ names }) => [String(names[0]), names] as const))(
    "%s has one meaning or is refused",
    (field, names) => {
      const [one, other] = (VALUES[`${list} ${field}`] ?? VALUES[field]) as readonly [unknown, unknown];
      const isTime = field === "timestamp";
      const isOwn = OWN.has(field) || OWN.has(`${list} ${field}`);
      const rows = GOOD[list].filter((row) => row[field] !== undefined);
      let pairs = 0;
      for (const row of rows.length > 0 ? rows : GOOD[list]) {
        const rest = Object.entries(row).filter(([key]) => !names.includes(key));
        for (const first of names)
          for (const second of [...names, `${first[0]?.toUpperCase()}${first.slice(1)}`]) {
            if (first === second) continue;
            const isSpelling = !names.includes(second);
            pairs++;
            for (const entries of [
              [[first, one] as const, [second, other] as const, ...rest],
              [...rest, [second, other] as const, [first, one] as const],
            ]) {
              const got = readOne(list, entries);
              const about = JSON.stringify(entries);
              if (isOwn && !isSpelling && (first === field || second === field)) {
                const alone = readOne(list, [...rest, [field, first === field ? one : other]]);
                expect(got, about).toEqual(alone);
              } else if (isTime) expect(got, about).toEqual(readOne(list, rest));
              else expect(String(got), about).toMatch(/must have one value, was /);
            }
            // The same value twice is one meaning.
            expect(readOne(list, [...rest, [first, one], [second, one]]), `${first} ${second}`).toEqual(
              readOne(list, [...rest, [first, one]]),
            );
          }
      }
      expect(pairs).toBeGreaterThan(1);
    },
  );
});

const AMOUNTS =
  /^(?:bought|sold|fee|quantity|price|total|orderqty|min_order_size|spent|amount|received|available|pending)$/;

/** The same value, spelt otherwise. */
function spelt(field: string, value: unknown, random: Random): unknown {
  const way = random.integer(0, 4);
  if (field === "timestamp") {
    const at = Number(value) * 1_000;
    return [value, String(value), at, String(at), new Date(at).toISOString()][way];
  }
  if (!AMOUNTS.test(field)) return value;
  const text = String(value);
  return [text, Number(text), `${text}${text.includes(".") ? "0" : ".0"}`, Number(text).toExponential(), text][way];
}

function cased(name: string, random: Random): string {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return [name, name, camel, `${camel[0]?.toUpperCase()}${camel.slice(1)}`][random.integer(0, 3)] as string;
}

type Made = { readonly entries: [string, unknown][]; readonly truth: Row | undefined };

/** A row under any of its names, in any spelling and order, next to fields of no meaning; the truth is undefined where it has two meanings. */
function made(list: List, random: Random): Made {
  const chance = (of: number): boolean => random.integer(1, of) === 1;
  const slots = endpointOf(list).slots ?? [];
  const good = GOOD[list][random.integer(0, GOOD[list].length - 1)] as Row;
  const truth: Row = { ...good };
  const entries: [string, unknown][] = [];
  let hasTwo = false;
  for (const [field, value] of Object.entries(good)) {
    if (value === undefined) continue;
    const names = slots.find((slot) => slot.names.includes(field))?.names ?? [field];
    const state = (name: string, stated: unknown) => entries.push([cased(name, random), spelt(field, stated, random)]);
    const name = names[random.integer(0, names.length - 1)] as string;
    const second = names[random.integer(0, names.length - 1)] as string;
    const values = VALUES[`${list} ${field}`] ?? VALUES[field];
    state(name, value);
    if (second === name || !chance(4)) continue;
    const other = chance(2) ? value : values?.find((one) => String(one) !== String(value));
    state(second, other ?? value);
    if (other === undefined || String(other) === String(value)) continue;
    const isOwn = (OWN.has(field) || OWN.has(`${list} ${field}`)) && names[0] === field;
    if (field === "timestamp") truth[field] = undefined;
    else if (isOwn && second === field) truth[field] = other;
    else if (!(isOwn && name === field)) hasTwo = true;
  }
  for (let i = random.integer(0, 3); i > 0; i--)
    entries.push([`x${random.integer(0, 9)}${i}`, [1, "2.5", null, { fee: "9" }, ["c9"]][random.integer(0, 4)]]);
  for (let i = entries.length - 1; i > 0; i--) {
    const j = random.integer(0, i);
    [entries[i], entries[j]] = [entries[j] as [string, unknown], entries[i] as [string, unknown]];
  }
  return { entries, truth: hasTwo ? undefined : truth };
}

test("rows whose truth is known are read as it is, or refused where they have two meanings", () => {
  const { seed, count } = fuzz("one-meaning", 2_000);
  const random = createRandom(seed);
  const lists = [...LIST_NAMES, "balances", "assets"] as const;
  const truths = new Map<string, unknown>();
  let refused = 0;
  for (let i = 0; i < count; i++) {
    const list = lists[i % lists.length] as List;
    const { entries, truth } = made(list, random);
    const got = readOne(list, entries);
    const about = `seed ${seed}, row ${i} of ${list}: ${JSON.stringify(entries)}`;
    if (truth === undefined) {
      refused++;
      if (!(got instanceof Error)) expect.unreachable(`${about} was taken with two meanings`);
      continue;
    }
    const key = `${list} ${JSON.stringify(truth)}`;
    if (!truths.has(key)) truths.set(key, readOne(list, Object.entries(truth)));
    if (!isDeepStrictEqual(got, truths.get(key))) expect(got, about).toEqual(truths.get(key));
  }
  expect(refused).toBeGreaterThan(count / 20);
  expect(refused).toBeLessThan(count / 2);
});
