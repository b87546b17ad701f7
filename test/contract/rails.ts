// Payment rails in both directions, their payments, and the whitelist behind them.

import { expect } from "vitest";
import { availableOf, field, type Row, rows, textOf, units } from "./answer.ts";
import type { Answer, Client } from "./client.ts";
import { type Case, type Portal, refusal, type Stage, standing } from "./suite.ts";

const HOUR_MS = 3_600_000;
const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const SENDER = { partyname: { name: "Zürich Handels AG" }, address: { country: "CH" }, partytype: "company" };
const INSTRUCTIONS = { asset: "VCHF", currency: "CHF", blockchain: "ETH" };
const ON_RAMP = {
  railtype: "FiatToStablecoin",
  sender: SENDER,
  wallet: { destination: WALLET },
  instructions: INSTRUCTIONS,
};
const OFF_RAMP = {
  railtype: "StablecoinToFiat",
  sender: SENDER,
  bankaccount: { destination: "CH9300762011623852957" },
  instructions: INSTRUCTIONS,
};

async function whitelist(client: Client, portal: Portal, overrides: object = {}): Promise<void> {
  const address = { asset: "VCHF", blockchain: "ETH", address: WALLET, label: "Treasury", confirmed: true };
  await portal("addresses", { publicKey: client.key.publicKey, ...address, ...overrides });
}

function railOf(answer: Answer): Row {
  expect(answer.status, answer.text).toBe(200);
  expect(textOf(answer.body, "railid")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
  return answer.body as Row;
}

const byId = (answer: Answer, railid: unknown) => rows(answer).filter((row) => field(row, "railid") === railid);

const NOT_LISTED = [403, "external_wallet_not_whitelisted", { needs: "portal" }] as const;
/** No service registers such a rail. */
const UNPAID = [400, undefined, { movesMoney: false }] as const;
const addOnRamp = ({ client }: Stage): Promise<Answer> => client.callJson("addPaymentRail", ON_RAMP);

export const railCases: Case[] = [
  {
    name: "an on-ramp to a whitelisted wallet is accepted as pending and listed",
    needs: "portal",
    movesMoney: true,
    async run({ client, portal }) {
      await whitelist(client, portal);
      const rail = railOf(await client.callJson("addPaymentRail", ON_RAMP));
      expect(rail).toMatchObject({ status: "pending", reason: null });
      const [listed] = byId(await client.call("queryPaymentRails"), rail.railid);
      expect(textOf(listed, "status")).toBe("pending");
    },
  },
  {
    name: "an off-ramp to a bank account is accepted as pending",
    needs: "key",
    movesMoney: true,
    async run({ client }) {
      const rail = railOf(await client.callJson("addPaymentRail", OFF_RAMP));
      expect(rail).toMatchObject({ status: "pending", reason: null });
    },
  },
  refusal("an on-ramp to a wallet that is not whitelisted", addOnRamp, ...NOT_LISTED),
  ...(
    [
      ["without Travel Rule data", { travelRule: null }],
      ["that is not confirmed", { confirmed: false }],
    ] as const
  ).map(([what, state]) =>
    refusal(
      `an on-ramp to a wallet ${what}`,
      async (stage) => {
        await whitelist(stage.client, stage.portal, state);
        return addOnRamp(stage);
      },
      ...NOT_LISTED,
    ),
  ),
  {
    name: "a rail with invalid party data is rejected with a reason",
    needs: "portal",
    movesMoney: true,
    async run({ client, portal }) {
      await whitelist(client, portal);
      const sender = { ...SENDER, address: { country: "XX" } };
      const rail = railOf(await client.callJson("addPaymentRail", { ...ON_RAMP, sender }));
      expect(rail.status).toBe("rejected");
      expect(textOf(rail, "reason")).not.toBe("");
      const [listed] = byId(await client.call("queryPaymentRails"), rail.railid);
      expect(textOf(listed, "status")).toBe("rejected");
    },
  },
  {
    name: "a rail held for review is listed as held, and as pending after its release",
    needs: "portal",
    movesMoney: true,
    async run({ client, portal }) {
      const rail = railOf(await client.callJson("addPaymentRail", OFF_RAMP));
      await portal("holds", { railid: rail.railid, held: true });
      expect(textOf(byId(await client.call("queryPaymentRails"), rail.railid)[0], "status")).toBe("held");
      await portal("holds", { railid: rail.railid, held: false });
      expect(textOf(byId(await client.call("queryPaymentRails"), rail.railid)[0], "status")).toBe("pending");
    },
  },
  {
    name: "a payment on a rail is listed under its railid and settles",
    needs: "portal",
    clock: true,
    movesMoney: true,
    async run({ client, portal }) {
      await whitelist(client, portal);
      const rail = railOf(await client.callJson("addPaymentRail", ON_RAMP));
      expect(byId(await client.call("queryPayments"), rail.railid)).toEqual([]);
      await portal("payments", { railid: rail.railid, amount: "5000" });
      expect(byId(await client.call("queryPayments"), rail.railid)).toHaveLength(1);
      await portal("clock", { advanceMs: 24 * HOUR_MS });
      expect(textOf(byId(await client.call("queryPayments"), rail.railid)[0], "status")).toBe("settled");
    },
  },
  {
    name: "a payment on an off-ramp takes exactly its tokens from the balance",
    needs: "portal",
    movesMoney: true,
    funds: { VCHF: "1000" },
    async run({ client, portal }) {
      const rail = railOf(await client.callJson("addPaymentRail", OFF_RAMP));
      expect(availableOf(await client.call("accountBalance"), "VCHF")).toBe(units("1000"));
      await portal("payments", { railid: rail.railid, amount: "250.5" });
      expect(availableOf(await client.call("accountBalance"), "VCHF")).toBe(units("749.5"));
    },
  },
  ...standing("a rail", ({ client }) => client.callJson("addPaymentRail", OFF_RAMP)),
  ...(["railtype", "sender", "wallet", "instructions"] as const).map((name) => {
    const { [name]: _, ...rest } = ON_RAMP;
    return refusal(`an on-ramp without ${name}`, ({ client }) => client.callJson("addPaymentRail", rest));
  }),
  refusal("an off-ramp without a bank account", ({ client }) => {
    const { bankaccount: _, ...rest } = OFF_RAMP;
    return client.callJson("addPaymentRail", rest);
  }),
  refusal(
    "a rail sent as a form",
    ({ client }) => client.call("addPaymentRail", { railtype: "StablecoinToFiat" }),
    ...UNPAID,
  ),
  refusal("a rail that is right but called a form", ({ client }) =>
    client.callJson("addPaymentRail", OFF_RAMP, { contentType: "application/x-www-form-urlencoded" }),
  ),
  refusal(
    "a rail whose body is no JSON",
    ({ client }) => client.callJson("addPaymentRail", ON_RAMP, { body: '{"railtype":' }),
    ...UNPAID,
  ),
  {
    name: "whitelisted addresses are listed with label, chain and state",
    needs: "portal",
    async run({ client, portal }) {
      expect(rows(await client.call("withdrawAddresses"))).toEqual([]);
      await whitelist(client, portal);
      const [row] = rows(await client.call("withdrawAddresses"));
      expect(textOf(row, "label")).toBe("Treasury");
      expect(textOf(row, "blockchain")).toBe("ETH");
      expect(textOf(row, "address")).toBe(WALLET);
      expect(textOf(row, "status", "state")).toBe("Confirmed");
    },
  },
];
