// Headers, signature and nonce of signed calls, and the standing of the account behind the key.

import { expect } from "vitest";
import { refused, rows } from "./answer.ts";
import { type Answer, type Bend, canonical, newKeyPair } from "./client.ts";
import { type Case, refusal, type Stage } from "./suite.ts";

const unauthorized = (answer: Answer) => refused(answer, [401]);
/** 401 by the contract, 400 invalid_nonce as seen in practice. */
const staleNonce = (answer: Answer) => refused(answer, [401], [400, "invalid_nonce"]);

const READ = { movesMoney: false } as const;
const balance =
  (bend: () => Bend) =>
  ({ client }: Stage): Promise<Answer> =>
    client.call("accountBalance", {}, bend());
const without = (header: string) => balance(() => ({ headers: { [header]: undefined } }));
const asset = { asset: "VCHF" };

const bent: readonly (readonly [what: string, status: number, call: (stage: Stage) => Promise<Answer>])[] = [
  ...["x-app-public-key", "x-app-nonce", "x-app-signed-data"].map(
    (header) => [`without ${header}`, 401, without(header)] as const,
  ),
  ["without User-Agent", 400, without("user-agent")],
  [
    "by a key that is not registered",
    401,
    balance(() => ({ headers: { "x-app-public-key": newKeyPair().publicKey } })),
  ],
  ["with a signature by another key", 401, balance(() => ({ signingKey: newKeyPair().privateKey }))],
  ["with a signature that is none", 401, balance(() => ({ headers: { "x-app-signed-data": "AAAA" } }))],
  [
    "with a signature over other fields than those sent",
    401,
    ({ client }) => client.call("querySupplyChanges", asset, { body: "asset=VGBP" }),
  ],
  [
    "with a signature over unsorted keys",
    401,
    ({ client }) => client.call("querySupplyChanges", { ...asset, b: "1" }, { signedBody: '{"b":"1","asset":"VCHF"}' }),
  ],
  [
    "with a wrong content type",
    400,
    ({ client }) => client.call("querySupplyChanges", asset, { contentType: "text/plain" }),
  ],
];

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
  ...bent.map(([what, status, call]) => refusal(`a signed call ${what}`, call, status, undefined, READ)),
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
  ...[0n, 1n].map(
    (less): Case => ({
      name: `a nonce ${less === 0n ? "equal to" : "lower than"} the last one is refused`,
      needs: "key",
      async run({ client }) {
        const nonce = client.nonce();
        rows(await client.call("accountBalance", {}, { nonce }));
        staleNonce(await client.call("accountBalance", {}, { nonce: String(BigInt(nonce) - less) }));
      },
    }),
  ),
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
    name: "a private call by GET is refused",
    needs: "key",
    async run({ client }) {
      const answer = await client.get("private/accountBalance");
      expect([400, 404, 405]).toContain(answer.status);
    },
  },
];
