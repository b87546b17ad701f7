// Headers, signature and nonce of signed calls, and the standing of the account behind the key.

import { expect } from "vitest";
import { refused, rows } from "./answer.ts";
import { type Answer, canonical, newKeyPair } from "./client.ts";
import type { Case } from "./suite.ts";

const unauthorized = (answer: Answer) => refused(answer, [401]);
/** 401 by the contract, 400 invalid_nonce as seen in practice. */
const staleNonce = (answer: Answer) => refused(answer, [401], [400, "invalid_nonce"]);

export const authenticationCases: Case[] = [
  {
    name: "a signed call with an empty body is answered",
    needs: "key",
    async run({ client }) {
      rows(await client.call("accountBalance"));
    },
  },
  {
    name: "a new account holds nothing",
    needs: "portal",
    async run({ client }) {
      for (const row of rows(await client.call("accountBalance")))
        expect(Number(row.available ?? row.available_balance)).toBe(0);
    },
  },
  ...["x-app-public-key", "x-app-nonce", "x-app-signed-data"].map(
    (header): Case => ({
      name: `a signed call without ${header} is refused with 401`,
      needs: "key",
      async run({ client }) {
        unauthorized(await client.call("accountBalance", {}, { headers: { [header]: undefined } }));
      },
    }),
  ),
  {
    name: "a signed call without User-Agent is refused with 400",
    needs: "key",
    async run({ client }) {
      refused(await client.call("accountBalance", {}, { headers: { "user-agent": undefined } }), [400]);
    },
  },
  {
    name: "a key that is not registered is refused with 401",
    needs: "key",
    async run({ client }) {
      const headers = { "x-app-public-key": newKeyPair().publicKey };
      unauthorized(await client.call("accountBalance", {}, { headers }));
    },
  },
  {
    name: "a signature by another key is refused with 401",
    needs: "key",
    async run({ client }) {
      unauthorized(await client.call("accountBalance", {}, { signingKey: newKeyPair().privateKey }));
    },
  },
  {
    name: "a signature that is no signature is refused with 401",
    needs: "key",
    async run({ client }) {
      unauthorized(await client.call("accountBalance", {}, { headers: { "x-app-signed-data": "AAAA" } }));
    },
  },
  {
    name: "a signature over other fields than those sent is refused with 401",
    needs: "key",
    async run({ client }) {
      unauthorized(await client.call("querySupplyChanges", { asset: "VCHF" }, { body: "asset=VGBP" }));
    },
  },
  {
    name: "a signature over unsorted keys is refused with 401",
    needs: "key",
    async run({ client }) {
      const signedBody = '{"b":"1","asset":"VCHF"}';
      unauthorized(await client.call("querySupplyChanges", { asset: "VCHF", b: "1" }, { signedBody }));
    },
  },
  {
    name: "a form value is signed decoded: a slash and a blank verify",
    needs: "key",
    async run({ client }) {
      const answer = await client.call("queryOrders", { note: "VCHF/USDC and more" });
      expect(answer.status, answer.text).not.toBe(401);
    },
  },
  {
    name: "non-ASCII text is signed as it stands",
    needs: "key",
    async run({ client }) {
      const body = { railtype: "none", sender: { partyname: { name: "Zürich AG 漢字" } } };
      expect((await client.callJson("addPaymentRail", body)).status).not.toBe(401);
    },
  },
  {
    name: "nested keys are signed in sorted order whatever order they are sent in",
    needs: "key",
    async run({ client }) {
      const body = '{"railtype":"none","sender":{"z":"1","a":[2,1]}}';
      const answer = await client.callJson("addPaymentRail", {}, { body, signedBody: canonical(JSON.parse(body)) });
      expect(answer.status, answer.text).not.toBe(401);
    },
  },
  {
    name: "a nonce equal to the last one is refused",
    needs: "key",
    async run({ client }) {
      const nonce = client.nonce();
      rows(await client.call("accountBalance", {}, { nonce }));
      staleNonce(await client.call("accountBalance", {}, { nonce }));
    },
  },
  {
    name: "a nonce lower than the last one is refused",
    needs: "key",
    async run({ client }) {
      const nonce = client.nonce();
      rows(await client.call("accountBalance", {}, { nonce }));
      staleNonce(await client.call("accountBalance", {}, { nonce: String(BigInt(nonce) - 1n) }));
    },
  },
  {
    name: "a nonce one higher than the last one is accepted",
    needs: "portal",
    async run({ client }) {
      const nonce = client.nonce();
      rows(await client.call("accountBalance", {}, { nonce }));
      rows(await client.call("accountBalance", {}, { nonce: String(BigInt(nonce) + 1n) }));
    },
  },
  {
    name: "nonces are compared as 64-bit integers, not as doubles",
    needs: "portal",
    async run({ client }) {
      rows(await client.call("accountBalance", {}, { nonce: "18446744073709551613" }));
      rows(await client.call("accountBalance", {}, { nonce: "18446744073709551614" }));
      staleNonce(await client.call("accountBalance", {}, { nonce: "18446744073709551614" }));
      staleNonce(await client.call("accountBalance", {}, { nonce: "18446744073709551616" }));
    },
  },
  ...["", "-1", "1e12", "0x10", "12.5", "soon"].map(
    (nonce): Case => ({
      name: `a nonce written ${JSON.stringify(nonce)} is refused`,
      needs: "key",
      async run({ client }) {
        staleNonce(await client.call("accountBalance", {}, { nonce }));
      },
    }),
  ),
  {
    name: "a request refused for its signature does not use up the nonce",
    needs: "portal",
    async run({ client }) {
      const nonce = client.nonce();
      unauthorized(await client.call("accountBalance", {}, { nonce, signingKey: newKeyPair().privateKey }));
      rows(await client.call("accountBalance", {}, { nonce }));
    },
  },
  {
    name: "a wrong content type is refused with 400",
    needs: "key",
    async run({ client }) {
      refused(await client.call("querySupplyChanges", { asset: "VCHF" }, { contentType: "text/plain" }), [400]);
    },
  },
  {
    name: "a private call by GET is refused",
    needs: "key",
    async run({ client }) {
      const answer = await client.get("private/accountBalance");
      expect([400, 404, 405]).toContain(answer.status);
    },
  },
];
