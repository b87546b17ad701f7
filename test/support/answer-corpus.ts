// A good answer of every call, in the contract's shape and in the observed ones, with the endpoint that reads it: where
// fuzzing starts from.

import { accountBalance } from "../../src/exchange/endpoint/account-balance.ts";
import { addOrder } from "../../src/exchange/endpoint/add-order.ts";
import { addPaymentRail } from "../../src/exchange/endpoint/add-payment-rail.ts";
import { assets } from "../../src/exchange/endpoint/assets.ts";
import { depositAddress } from "../../src/exchange/endpoint/deposit-address.ts";
import type { MoneyEndpoint, ReadEndpoint } from "../../src/exchange/endpoint/endpoint.ts";
import { mintTokens } from "../../src/exchange/endpoint/mint-tokens.ts";
import { queryOrders } from "../../src/exchange/endpoint/query-orders.ts";
import { queryPaymentRails } from "../../src/exchange/endpoint/query-payment-rails.ts";
import { queryPayments } from "../../src/exchange/endpoint/query-payments.ts";
import { querySupplyChanges } from "../../src/exchange/endpoint/query-supply-changes.ts";
import { queryTrades } from "../../src/exchange/endpoint/query-trades.ts";
import { quotes } from "../../src/exchange/endpoint/quotes.ts";
import { withdrawAddresses } from "../../src/exchange/endpoint/withdraw-addresses.ts";
import { listEndpoints } from "../../src/exchange/lists.ts";
import { presets } from "../../src/exchange/profile.ts";
import { filledEnvelope, filledOrder, mint, mintReceipt, order, rail, railReceipt, VCHF } from "./wire.ts";

export type Specimen =
  | { readonly kind: "read"; readonly endpoint: ReadEndpoint<unknown>; readonly good: unknown }
  | { readonly kind: "money"; readonly endpoint: MoneyEndpoint<unknown>; readonly good: unknown };

const at = "2026-11-15T10:00:00.000Z";
const trade = { tradeid: "t-77", ...filledOrder, symbol: "VCHF/CHF", side: "Buy", timestamp: at, status: "Filled" };
const { clordid, ordid, ordstatus, ...legs } = filledOrder;
const fok = { code: "non_marketable_fok_limit_price", message: "could not be filled" };

const reads: readonly [ReadEndpoint<unknown>, unknown][] = [
  [
    assets,
    {
      assets: [
        { symbol: "VCHF", name: "Swiss franc" },
        { symbol: "VGBP", name: "Pound" },
      ],
    },
  ],
  [assets, { assets: [{ asset: "VCHF", blockchains: [{ blockchain: "ETH", isactive: true }] }] }],
  [
    listEndpoints({ profile: presets.contract, priceDecimals: 6 }).pairs,
    { pairs: [{ pair: "VCHF/USDC", status: "online", min_order_size: "30", qty_decimals: 5, price_decimals: 4 }] },
  ],
  [quotes, { quotes: [{ symbol: "VCHF/USDC", b: [1.12, 500], a: ["1.13", "250.5"] }, { pair: "VCHF/CHF" }] }],
  [
    accountBalance,
    {
      balances: [
        { asset: "VCHF", available: "1234.56", pending: "7.8" },
        { asset: "CHF", available: "0", pending: "0" },
      ],
    },
  ],
  [accountBalance, { balances: [{ asset: "VCHF", available_balance: 1234.56 }] }],
  [
    queryOrders(presets.contract),
    {
      orders: [
        { clordid, ordid, ordstatus, symbol: "VCHF/CHF", side: "Buy", orderqty: "100", price: "1.01", timestamp: at },
        { OrdId: 4711, ordStatus: "Rejected" },
      ],
    },
  ],
  [queryTrades(presets.contract), { trades: [trade, { ...trade, tradeid: 78, clordid: "T-abcdefgh-2", ordid: 9002 }] }],
  [
    queryPaymentRails(presets.contract),
    { rails: [railReceipt, { railid: "r-2", status: "rejected", reason: "party data" }] },
  ],
  [
    queryPayments(presets.contract),
    {
      payments: [
        { railid: "r-2", paymentid: "p-3", status: "settled", amount: "55.5", currency: "CHF", timestamp: at },
      ],
    },
  ],
  [
    querySupplyChanges(VCHF, presets.contract),
    {
      supplychanges: [
        {
          requestid: "mint-1",
          txid: "0xfeed",
          asset: "VCHF",
          blockchain: "ETH",
          quantity: "120000",
          status: "held",
          reason: "EDD",
          timestamp: at,
        },
      ],
    },
  ],
  [
    withdrawAddresses,
    { addresses: [{ label: "Cold A", asset: "VCHF", blockchain: "ETH", address: "0xabc", status: "Confirmed" }] },
  ],
  [depositAddress(VCHF, "ETH"), { address: "0xdef0" }],
];

const moves: readonly [MoneyEndpoint<unknown>, unknown][] = [
  [addOrder(order), filledEnvelope],
  [
    addOrder(order),
    { result: "success", order: { clOrdId: clordid, ordId: 9001, ordStatus: ordstatus, ...legs }, error: null },
  ],
  [addOrder(order), { result: "error", order: { clordid, ordstatus: "Rejected", bought: "0", sold: "0" }, error: fok }],
  [mintTokens(mint), mintReceipt],
  [mintTokens(mint), { code: "min_amount_below_threshold", status: 400, message: "below 100,000" }],
  [addPaymentRail(rail), railReceipt],
  ...[addOrder(order), mintTokens(mint), addPaymentRail(rail)].flatMap((endpoint) =>
    ["bad_request", "kyb_required", "external_wallet_not_whitelisted"].flatMap((code): [typeof endpoint, unknown][] => [
      [endpoint, { code, status: code === "bad_request" ? 400 : 403, message: "no" }],
      [endpoint, { result: "error", error: { code, message: "no" } }],
    ]),
  ),
  [addPaymentRail(rail), { ...railReceipt, status: "rejected", reason: "invalid party" }],
];

export const specimens: readonly Specimen[] = [
  ...reads.map(([endpoint, good]) => ({ kind: "read", endpoint, good }) as const),
  ...moves.map(([endpoint, good]) => ({ kind: "money", endpoint, good }) as const),
];
