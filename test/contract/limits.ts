// The limit of one request a second per public key.

import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { refused, rows } from "./answer.ts";
import { type Answer, Client, newKeyPair } from "./client.ts";
import type { Case } from "./suite.ts";

/** 429 by the contract; its twins as seen in practice. */
const limited = (answer: Answer) => refused(answer, [429], [400, "invalid_request_limit"], [403]);

export const limitCases: Case[] = [
  {
    name: "two requests at once: the second is refused as rate limited",
    needs: "portal",
    async run({ client }) {
      rows(await client.call("accountBalance"));
      limited(await client.call("accountBalance", {}, { unpaced: true }));
    },
  },
  {
    name: "a request 900 ms after the answer to the last one is refused as rate limited",
    needs: "portal",
    async run({ client }) {
      const sentAt = performance.now();
      rows(await client.call("accountBalance", {}, { unpaced: true }));
      await sleep(900 - (performance.now() - sentAt));
      const early = performance.now() - sentAt;
      const answer = await client.call("accountBalance", {}, { unpaced: true });
      // A slow machine may wake us too late for the case to mean anything.
      if (early < 980 && performance.now() - sentAt < 995) limited(answer);
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
      rows(await client.call("queryOrders"));
      limited(await client.call("queryTrades", {}, { unpaced: true }));
    },
  },
  {
    name: "a request refused for its pace does not use up its nonce",
    needs: "portal",
    async run({ client }) {
      rows(await client.call("accountBalance"));
      const nonce = client.nonce();
      limited(await client.call("accountBalance", {}, { unpaced: true, nonce }));
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
