// Minting: the receipt, the minimum issuance, holds, and the way to settlement.

import { expect } from "vitest";
import { amountOf, availableOf, field, type Row, rows, textOf, units } from "./answer.ts";
import type { Answer, Client, Fields } from "./client.ts";
import { type Case, refusal, standing } from "./suite.ts";

const HOUR_MS = 3_600_000;
const FUNDS = { CHF: "1000000", GBP: "1000000" };
const MINT = { asset: "VGBP", blockchain: "ETH", quantity: "100000.5" };
const SETTLED = ["settled", "completed"];

async function mint(client: Client): Promise<Row> {
  const answer = await client.call("mintTokens", MINT);
  expect(answer.status, answer.text).toBe(200);
  return answer.body as Row;
}

function changeOf(answer: Answer, receipt: Row): Row {
  const found = rows(answer).filter((row) => field(row, "requestid") === receipt.requestid);
  expect(found).toHaveLength(1);
  return found[0] as Row;
}

const statusOf = async (client: Client, receipt: Row) =>
  textOf(changeOf(await client.call("querySupplyChanges", { asset: "VGBP" }), receipt), "status");

const malformed: [string, Fields][] = [
  ["an asset that is not issued here", { asset: "USDC" }],
  ["a chain that does not exist", { blockchain: "NOCHAIN" }],
  ["a quantity that is no decimal", { quantity: "1e6" }],
  ["a negative quantity", { quantity: "-200000" }],
];

export const mintCases: Case[] = [
  ...(["asset", "blockchain", "quantity"] as const).map((name) => {
    const { [name]: _, ...rest } = MINT;
    return refusal(`a mint without ${name}`, ({ client }) => client.call("mintTokens", rest));
  }),
  ...malformed.map(([what, bent]) =>
    refusal(`a mint with ${what}`, ({ client }) => client.call("mintTokens", { ...MINT, ...bent })),
  ),
  // A pound has been worth more than 0.9 francs ever since there were francs.
  ...[{ quantity: "99999.99" }, { asset: "VCHF", quantity: "90000" }].map((small) =>
    refusal(
      `a mint of ${small.quantity} ${small.asset ?? "VGBP"}, less than 100,000 pounds,`,
      ({ client }) => client.call("mintTokens", { ...MINT, ...small }),
      ...([400, "min_amount_below_threshold", { needs: "portal", funds: FUNDS }] as const),
    ),
  ),
  ...standing("a mint", ({ client }) => client.call("mintTokens", MINT)),
  {
    name: "a mint gives a receipt, takes what it says it spent, and is listed",
    needs: "portal",
    movesMoney: true,
    funds: FUNDS,
    async run({ client }) {
      const receipt = await mint(client);
      for (const name of ["timestamp", "txid", "requestid", "spent_currency"])
        expect(textOf(receipt, name)).not.toBe("");
      const currency = textOf(receipt, "spent_currency") as "GBP";
      const left = availableOf(await client.call("accountBalance"), currency);
      expect(left).toBe(units(FUNDS[currency]) - units(amountOf(receipt, "spent")));
      expect(units(amountOf(receipt, "fee"))).toBeGreaterThanOrEqual(0n);
      const change = changeOf(await client.call("querySupplyChanges", { asset: "VGBP" }), receipt);
      expect(textOf(change, "txid")).toBe(receipt.txid);
    },
  },
  {
    name: "a mint is not settled at once but within several hours, and then its tokens are available",
    needs: "portal",
    clock: true,
    movesMoney: true,
    funds: FUNDS,
    async run({ client, portal }) {
      const receipt = await mint(client);
      expect(SETTLED).not.toContain(await statusOf(client, receipt));
      await portal("clock", { advanceMs: 24 * HOUR_MS });
      expect(SETTLED).toContain(await statusOf(client, receipt));
      expect(availableOf(await client.call("accountBalance"), "VGBP")).toBe(units("100000.5"));
    },
  },
  {
    name: "a mint held for compliance does not settle until it is released",
    needs: "portal",
    clock: true,
    movesMoney: true,
    funds: FUNDS,
    async run({ client, portal }) {
      const receipt = await mint(client);
      await portal("holds", { requestid: receipt.requestid, held: true });
      await portal("clock", { advanceMs: 48 * HOUR_MS });
      expect(await statusOf(client, receipt)).toBe("held");
      expect(availableOf(await client.call("accountBalance"), "VGBP")).toBe(0n);
      await portal("holds", { requestid: receipt.requestid, held: false });
      await portal("clock", { advanceMs: 24 * HOUR_MS });
      expect(SETTLED).toContain(await statusOf(client, receipt));
    },
  },
];
