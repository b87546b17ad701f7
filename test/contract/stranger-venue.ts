// A venue that a stranger wrote from the interface alone: plain node:http and node:crypto, contract shapes where the interface shows
// them, and for the rest the habits of whoever wrote it. It shares no code with the product.

import { createPublicKey, randomUUID, verify } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Fields = Record<string, string>;
type Row = Record<string, unknown>;

const BASE = "/api/v1";
const FORM = "application/x-www-form-urlencoded";
/** Amounts here have at most six decimals: whole millionths, so that sums are exact. */
const UNIT = 1_000_000n;

/** What the interface leaves open, as this stranger filled it. */
export type Habits = {
  /** An empty call signs `{}` and sends nothing. */
  readonly signsBraces?: boolean;
  /** Base64url with padding, and nothing else. */
  readonly pads?: boolean;
  readonly pairs?: unknown;
  readonly quotes?: (bid: string, ask: string) => unknown;
  /** `result` of an order that does not fill: one word after the other. */
  readonly refusals?: readonly string[];
  /** Of the fee, which is always zero, in the answer. */
  readonly feeCurrency?: string;
  /** A row of queryOrders or queryTrades; `amounts` are undefined for an order that did not fill. */
  readonly row?: (fields: RowFields) => Row;
  /** The body of a list. */
  readonly listed?: (list: "orders" | "trades", rows: readonly Row[]) => unknown;
};

export type RowFields = {
  readonly at: number;
  readonly clordid: string;
  readonly ordid: string;
  readonly symbol: string;
  readonly side: string;
  readonly isFilled: boolean;
  readonly quantity: string;
  readonly price: string;
  readonly amounts: Fields | undefined;
};

const CONTRACT: Habits = {};

export type StrangerVenue = {
  held(asset: string): string;
  readonly baseUrl: string;
  /** As the portal does after KYB, with both agreements. */
  register(publicKey: string): void;
  readonly seen: string[];
  close(): Promise<void>;
};

export async function strangerVenue(now: () => number, habits: Habits = CONTRACT): Promise<StrangerVenue> {
  let refused = 0;
  const refusedAs = () => (habits.refusals ?? ["error"])[refused++ % (habits.refusals?.length ?? 1)] ?? "error";
  const listed = habits.listed ?? ((list, rows) => ({ [list]: rows }));
  const nonces = new Map<string, bigint>();
  const arrivals = new Map<string, number>();
  const held = new Map([
    ["CHF", units("1000000")],
    ["VCHF", units("10000")],
  ]);
  const lists: Record<"orders" | "trades", Row[]> = { orders: [], trades: [] };
  const seen: string[] = [];
  const iso = () => new Date(now()).toISOString();
  const move = (asset: string, by: bigint) => held.set(asset, (held.get(asset) ?? 0n) + by);

  /** The dealer buys at 0.998 and sells at 1.002. */
  function addOrder({ clordid, symbol, side, ordtype, timeinforce, orderqty, price }: Fields): [number, unknown] {
    if (symbol !== "VCHF/CHF") return refusal(400, "unknown_symbol");
    if (ordtype !== "Limit" || timeinforce !== "FOK" || (side !== "Buy" && side !== "Sell"))
      return refusal(400, "invalid_order");
    const [quantity, limit, dealt] = [units(orderqty), units(price), units(side === "Buy" ? "1.002" : "0.998")];
    const isFilled = side === "Buy" ? limit >= dealt : limit <= dealt;
    const worth = (quantity * dealt) / UNIT;
    const [bought, sold] = side === "Buy" ? [quantity, worth] : [worth, quantity];
    const [gained, paid] = side === "Buy" ? ["VCHF", "CHF"] : ["CHF", "VCHF"];
    const ids = { clordid: String(clordid), ordid: randomUUID() };
    const told = { at: now(), ...ids, symbol, side, quantity: text(quantity), price: text(dealt) };
    const amounts = { bought: text(bought), bought_currency: gained, sold: text(sold), sold_currency: paid };
    const order = { ...ids, ordstatus: "Filled", ...amounts, fee: "0", fee_currency: habits.feeCurrency ?? "CHF" };
    if (!isFilled) {
      const row = { timestamp: iso(), ...ids, symbol, side, ordstatus: "Rejected" };
      lists.orders.push(habits.row?.({ ...told, isFilled, amounts: undefined }) ?? row);
      const error = { code: "fok_not_fillable", message: "no such price" };
      return [200, { timestamp: iso(), result: refusedAs(), order: { ...ids, ordstatus: "Rejected" }, error }];
    }
    move(gained, bought);
    move(paid, -sold);
    const row = habits.row?.({ ...told, isFilled, amounts }) ?? { timestamp: iso(), symbol, side, ...order };
    lists.orders.push(row);
    lists.trades.push(row);
    return [200, { timestamp: iso(), result: "ok", order, error: { code: null, message: null } }];
  }

  const CALLS: Record<string, (fields: Fields) => [number, unknown]> = {
    addOrder,
    querySupplyChanges: () => [200, { supplychanges: [] }],
    accountBalance: () => [
      200,
      {
        balances: [...held].map(([asset, amount]) => ({
          ...{ asset, available: text(amount), pending: "0" },
        })),
      },
    ],
    queryOrders: () => [200, listed("orders", lists.orders)],
    queryTrades: () => [200, listed("trades", lists.trades)],
    queryPaymentRails: () => [200, { paymentrails: [] }],
    queryPayments: () => [200, { payments: [] }],
    withdrawAddresses: () => [200, { withdrawaddresses: [] }],
  };

  function signed(request: IncomingMessage, path: string, body: string): [number, unknown] {
    const name = path.slice(`${BASE}/private/`.length);
    const header = (of: string) => String(request.headers[of] ?? "");
    const key = header("x-app-public-key");
    const nonce = header("x-app-nonce");
    const last = nonces.get(key);
    const at = performance.now();
    const gap = at - (arrivals.get(key) ?? Number.NEGATIVE_INFINITY);
    arrivals.set(key, at);
    if (last === undefined || !/^\d+$/.test(nonce)) return refusal(401, "signature_failure");
    if (header("content-type") !== FORM) return refusal(400, "bad_request");
    const fields = Object.fromEntries(new URLSearchParams(body));
    const empty = habits.signsBraces === true ? "{}" : "";
    const text = `${path}${body === "" ? empty : canonical(fields)}${nonce}`;
    const stated = header("x-app-signed-data");
    if (habits.pads === true && !/^[\w-]+={0,2}$/.test(stated)) return refusal(401, "signature_failure");
    if (habits.pads === true && stated.length % 4 !== 0) return refusal(401, "signature_failure");
    const publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
    if (!verify("sha256", Buffer.from(text), publicKey, Buffer.from(stated, "base64url")))
      return refusal(401, "signature_failure");
    if (BigInt(nonce) <= last) return refusal(401, "signature_failure");
    nonces.set(key, BigInt(nonce));
    if (gap < SPACING_MS) return refusal(429, "rate_limited");
    return CALLS[name]?.(fields) ?? refusal(404, "not_found");
  }

  async function answer(request: IncomingMessage): Promise<[number, unknown]> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? "";
    if (request.headers["user-agent"] === undefined) return refusal(400, "bad_request");
    if (request.method === "GET" && path === `${BASE}/client/assets`)
      return [200, { assets: ["VCHF", "VGBP", "CHF", "GBP"].map((symbol) => ({ symbol, name: symbol })) }];
    if (request.method === "GET" && path === `${BASE}/client/tradingPairs`) {
      const grid = { min_order_size: "1", qty_decimals: 2, price_decimals: 4 };
      return [200, habits.pairs ?? { tradingpairs: [{ symbol: "VCHF/CHF", status: "Online", ...grid }] }];
    }
    if (request.method === "GET" && path === `${BASE}/client/quotes` && habits.quotes !== undefined)
      return [200, habits.quotes("0.998", "1.002")];
    if (request.method !== "POST" || !path.startsWith(`${BASE}/private/`)) return refusal(404, "not_found");
    return signed(request, path, Buffer.concat(chunks).toString("utf8"));
  }

  const server = createServer((request, response: ServerResponse) => {
    void answer(request).then(([status, body]) => {
      seen.push(`${request.method} ${request.url?.slice(BASE.length)} ${status}`);
      response.writeHead(status, { "content-type": "application/json", date: new Date(now()).toUTCString() });
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}/`,
    held: (asset) => text(held.get(asset) ?? 0n),
    register: (publicKey) => void nonces.set(publicKey, 0n),
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** At most one request a second; its own clock runs faster in tests, so a part of one. */
const SPACING_MS = 195;

function refusal(status: number, code: string): [number, unknown] {
  return [status, { code, status, message: code.replaceAll("_", " ") }];
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}

function units(amount = ""): bigint {
  const match = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(amount);
  return match === null ? 0n : BigInt(match[1] ?? "") * UNIT + BigInt((match[2] ?? "").padEnd(6, "0"));
}

function text(amount: bigint): string {
  const [whole, part] = [
    amount / UNIT,
    String(amount % UNIT)
      .padStart(6, "0")
      .replace(/0+$/, ""),
  ];
  return part === "" ? String(whole) : `${whole}.${part}`;
}
