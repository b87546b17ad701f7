// A venue of canned answers on a real socket, for what the simulator would never say. It knows no signatures: each call
// gets its good answer, or what the test put in its place.

import { afterAll } from "vitest";
import { always, type FaultServer, faultServer, type SeenRequest } from "../support/fault-server.ts";

export type Canned = { readonly status: number; readonly body: unknown };

const GOOD: Readonly<Record<string, unknown>> = {
  assets: { assets: [{ symbol: "VCHF", name: "Swiss franc" }] },
  tradingPairs: { pairs: [{ pair: "VCHF/USDC", status: "online", min_order_size: "30", qty_decimals: 5 }] },
  quotes: { quotes: [{ symbol: "VCHF/USDC", b: ["1.1", "50"], a: ["1.2", "50"] }] },
  accountBalance: { balances: [{ asset: "VCHF", available: "70", pending: "0" }] },
  withdrawAddresses: { addresses: [] },
  queryOrders: { orders: [] },
  queryTrades: { trades: [] },
  queryPaymentRails: { rails: [] },
  queryPayments: { payments: [] },
  querySupplyChanges: { supplychanges: [] },
};

const open: FaultServer[] = [];
afterAll(async () => {
  await Promise.all(open.map((server) => server.close()));
});

export type CannedVenue = {
  readonly baseUrl: URL;
  /** The names of the calls, as they came. */
  calls(): readonly string[];
};

/** `answer` may take over a call; `nth` counts the calls of that name from 1. */
export async function cannedVenue(
  answer: (name: string, nth: number, request: SeenRequest) => Canned | undefined = () => undefined,
): Promise<CannedVenue> {
  const calls: string[] = [];
  const server = await faultServer(
    always((line, request) => {
      const name = nameOf(request);
      calls.push(name);
      const { status, body } = answer(name, calls.filter((one) => one === name).length, request) ?? {
        status: name in GOOD ? 200 : 404,
        body: GOOD[name] ?? { code: "not_found", status: 404, message: "no such call" },
      };
      line.json(status, body, { date: new Date().toUTCString() });
    }),
  );
  open.push(server);
  return { baseUrl: server.baseUrl, calls: () => calls };
}

export function refusal(status: number, code: string | undefined, message: string): Canned {
  return { status, body: { ...(code === undefined ? {} : { code }), status, message } };
}

function nameOf({ path }: SeenRequest): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
