// The limit of one request a second per public key.

import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { refused, rows } from "./answer.ts";
import { type Answer, Client, newKeyPair } from "./client.ts";
import type { Case } from "./suite.ts";

/** 429 by the contract; its twins as seen in practice. */
const limited = (answer: Answer) => refused(answer, [429], [400, "invalid_request_limit"], [403]);

const TRIES = 25;

/**
 * Sends two requests so close that the second must be refused. A slow machine may stretch the distance beyond the
 * second that the case is about: then the pair says nothing and is tried again. Gives the nonce of the refused one.
 */
async function tooSoon(client: Client, first: string, second: string, waitMs = 0): Promise<string> {
  for (let i = 0; i < TRIES; i++) {
    await sleep(i === 0 ? 0 : 1_100);
    const startedAt = performance.now();
    rows(await client.call(first, {}, { unpaced: true }));
    await sleep(Math.max(0, waitMs - (performance.now() - startedAt)));
    const nonce = client.nonce();
    const answer = await client.call(second, {}, { unpaced: true, nonce });
    if (performance.now() - startedAt >= 995) continue;
    limited(answer);
    return nonce;
  }
  return expect.fail(`two requests took over a second ${TRIES} times: the machine is too slow for this case`);
}

export const limitCases: Case[] = [
  {
    name: "a request 900 ms after the last one is refused as rate limited",
    needs: "portal",
    async run({ client }) {
      await tooSoon(client, "accountBalance", "accountBalance", 900);
    },
  },
  {
    name: "requests a second after each answer are all accepted",
    needs: "key",
    async run({ client }) {
      for (let i = 0; i < 4; i++) rows(await client.call("accountBalance"));
    },
  },
  {
    name: "polling counts: a history call straight after another is refused as rate limited",
    needs: "portal",
    async run({ client }) {
      await tooSoon(client, "queryOrders", "queryTrades");
    },
  },
  {
    name: "a request refused for its pace does not use up its nonce",
    needs: "portal",
    async run({ client }) {
      const nonce = await tooSoon(client, "accountBalance", "accountBalance");
      await sleep(1_001);
      rows(await client.call("accountBalance", {}, { nonce }));
    },
  },
  {
    name: "two keys have a budget each",
    needs: "portal",
    async run({ client, target, portal }) {
      const other = new Client(target.baseUrl, newKeyPair());
      await portal("keys", { publicKey: other.key.publicKey });
      await portal("kyb", { publicKey: other.key.publicKey, cleared: true });
      const answers = await Promise.all([client.call("accountBalance"), other.call("accountBalance")]);
      expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    },
  },
];
