// What anybody may ask: assets and trading pairs.

import { expect } from "vitest";
import { field, rows, textOf } from "./answer.ts";
import { type Case, refusal } from "./suite.ts";

const PUBLIC = { needs: "nothing", movesMoney: false } as const;

export const publicCases: Case[] = [
  {
    name: "assets are listed without a signature, VCHF and VGBP among them",
    needs: "nothing",
    async run({ client }) {
      const answer = await client.get("client/assets");
      const symbols = rows(answer).map((row) => textOf(row, "symbol", "asset"));
      expect(symbols).toEqual(expect.arrayContaining(["VCHF", "VGBP"]));
      expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    },
  },
  {
    name: "VCHF is on 6 chains and VGBP on 4, where assets name their chains",
    needs: "nothing",
    async run({ client }) {
      const listed = rows(await client.get("client/assets"));
      for (const [symbol, count] of Object.entries({ VCHF: 6, VGBP: 4 })) {
        const chains = field(
          listed.find((row) => textOf(row, "symbol", "asset") === symbol),
          "blockchains",
        );
        if (chains !== undefined) expect(chains).toHaveLength(count);
      }
    },
  },
  {
    name: "assets are listed without x-app-public-key",
    needs: "nothing",
    async run({ client }) {
      expect((await client.get("client/assets", { "x-app-public-key": undefined })).status).toBe(200);
    },
  },
  refusal(
    "a public call without User-Agent",
    ({ client }) => client.get("client/assets", { "user-agent": undefined }),
    ...([400, undefined, PUBLIC] as const),
  ),
  refusal("a path that does not exist", ({ client }) => client.get("client/nothing"), 404, undefined, PUBLIC),
  {
    name: "trading pairs are symbols written BASE/QUOTE",
    needs: "nothing",
    async run({ client }) {
      const pairs = rows(await client.get("client/tradingPairs"));
      expect(pairs.length).toBeGreaterThan(0);
      for (const row of pairs) expect(textOf(row, "pair", "symbol")).toMatch(/^[A-Z0-9]+\/[A-Z0-9]+$/);
    },
  },
  {
    name: "quotes, where they exist, have a bid below the ask for a listed pair",
    needs: "nothing",
    async run({ client }) {
      const answer = await client.get("client/quotes");
      if ([403, 404].includes(answer.status)) return;
      for (const row of rows(answer)) {
        const [bid, ask] = [field(row, "b"), field(row, "a")] as [unknown[], unknown[]];
        expect(textOf(row, "symbol")).toContain("/");
        expect(Number(bid[0])).toBeGreaterThan(0);
        expect(Number(bid[0])).toBeLessThan(Number(ask[0]));
      }
    },
  },
  {
    name: "answers carry a Date header within a minute of our clock",
    needs: "nothing",
    async run({ client }) {
      const { headers } = await client.get("client/assets");
      expect(Math.abs(Date.parse(String(headers.date)) - Date.now())).toBeLessThan(60_000);
    },
  },
];
