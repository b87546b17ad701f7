// docs/openapi.yaml against the running server: every path and every status that it documents is brought about, and
// every answer fits its schema, with both profiles.

import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import { presets } from "../../src/exchange/profile.ts";
import { ENDPOINTS } from "../../src/simulator/http/endpoint.ts";
import { posts } from "../../src/simulator/portal.ts";
import { openapiDocument } from "../../src/simulator/server.ts";
import { type Answer, Client, newKeyPair, send } from "../contract/client.ts";
import { openAccount, openSimulator, openStage, order, portal, type Stage } from "./server-stage.ts";

type Documented = { path: string; method: "get" | "post"; status: string; pointer: string };
type Schema = Record<string, unknown>;
type Operation = { responses: Record<string, { $ref?: string }> };
const document = openapiDocument() as { paths: Record<string, Record<string, Operation>>; components: Schema };

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: { uuid: /^[0-9a-f-]{36}$/i, "date-time": /T.*Z$/ },
});
ajv.addSchema({ ...document, $id: "openapi" });

const documented: Documented[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { responses }]) =>
    Object.entries(responses).map(([status, { $ref }]) => ({
      path,
      method: method as "get" | "post",
      status,
      pointer: $ref?.slice(1) ?? `/paths/${escaped(path)}/${method}/responses/${status}`,
    })),
  ),
);

function escaped(path: string): string {
  return path.replaceAll("~", "~0").replaceAll("/", "~1");
}

function fits({ pointer }: Documented, answer: Answer): void {
  const validate = ajv.compile({ $ref: `openapi#${pointer}/content/application~1json/schema` });
  expect(validate(answer.body), `${answer.text}: ${ajv.errorsText(validate.errors)}`).toBe(true);
}

const RAIL = {
  railtype: "StablecoinToFiat",
  sender: { partyname: { name: "Muster AG" }, address: { country: "CH" }, partytype: "company" },
  bankaccount: { destination: "CH9300762011623852957" },
  instructions: { asset: "VCHF", currency: "CHF", blockchain: "ETH" },
};
const ADDRESS = {
  asset: "VCHF",
  blockchain: "ETH",
  address: "0x52908400098527886E0F7030069857D2E4169EE7",
  label: "Main",
};
const fieldsOf: Record<string, () => Record<string, string>> = {
  addOrder: order,
  mintTokens: () => ({ asset: "VGBP", blockchain: "ETH", quantity: "100000" }),
  querySupplyChanges: () => ({ asset: "VGBP" }),
  depositAddress: () => ({ asset: "VCHF", blockchain: "ETH" }),
};

/** A good signed call, bent where the test wants it. */
function callOf(client: Client, name: string, bend: Parameters<Client["call"]>[2] = {}): Promise<Answer> {
  return name === "addPaymentRail"
    ? client.callJson(name, RAIL, bend)
    : client.call(name, fieldsOf[name]?.() ?? {}, bend);
}

async function apiAnswer(stage: Stage, { path, status }: Documented): Promise<Answer> {
  const { server, client } = stage;
  const name = path.split("/").at(-1) as string;
  const relative = path.slice("/api/v1/".length);
  const isPublic = relative.startsWith("client/");
  const raw = (method: "GET" | "POST") =>
    send(server.baseUrl, { method, path: relative, headers: { "user-agent": "test" }, body: "" });
  switch (status) {
    case "200":
      return isPublic ? client.get(relative) : callOf(client, name);
    case "400":
      return isPublic
        ? client.get(relative, { "user-agent": undefined })
        : callOf(client, name, { contentType: "text/plain" });
    case "401":
      return callOf(client, name, { signingKey: newKeyPair().privateKey });
    case "403":
      return callOf(await newcomer(stage), name);
    case "404": {
      const hidden = await openStage({ profile: { ...presets.contract, quotes: "absent" } });
      return hidden.client.get(relative);
    }
    case "405":
      return raw(isPublic ? "POST" : "GET");
    case "413":
      return callOf(client, name, { body: "x".repeat(70_000) });
    default: {
      const paced = await openStage({ pace: { spacingMs: 60_000 } });
      await paced.client.get("client/assets");
      return isPublic ? paced.client.get(relative) : callOf(paced.client, name);
    }
  }
}

async function newcomer({ server }: Stage): Promise<Client> {
  const client = new Client(server.baseUrl, newKeyPair(), 0);
  await portal(server, "keys", { publicKey: client.key.publicKey });
  return client;
}

/** Bodies for the portal: a good one, one that names something unknown; a bad one is always the same. */
async function portalBody({ client }: Stage, name: string, status: string): Promise<unknown> {
  const { publicKey } = status === "404" ? newKeyPair() : client.key;
  const rail = () => callOf(client, "addPaymentRail").then((answer) => (answer.body as { railid: string }).railid);
  if (status === "400") return { surprise: true };
  const railid = status === "404" ? "00000000-0000-0000-0000-000000000000" : await rail();
  const bodies: Record<keyof typeof posts, unknown> = {
    keys: { publicKey: newKeyPair().publicKey },
    kyb: { publicKey, cleared: true },
    agreements: { publicKey, product: "issuance", signed: true },
    credits: { publicKey, asset: "CHF", amount: "12.5" },
    addresses: { publicKey, ...ADDRESS, confirmed: true },
    holds: { railid, held: true },
    payments: { railid, amount: "100" },
    pairs: { symbol: "VCHF/CHF", quantityDecimals: 5 },
    clock: { advanceMs: 1_000 },
    orders: { publicKey, symbol: "VCHF/CHF", side: "buy", quantity: "1", limit: "1.01" },
    faults: { rules: [{ fault: "html", on: "quotes", nth: 1_000_000 }] },
  };
  return bodies[name as keyof typeof posts];
}

async function besideAnswer(stage: Stage, { path, method, status }: Documented): Promise<Answer> {
  const { server } = stage;
  if (!path.startsWith("/portal/"))
    return send(server.url, { method: "GET", path, headers: { "user-agent": "test" }, body: "" });
  const route = path.slice("/portal/".length);
  if (method === "post") return portal(server, route, await portalBody(stage, route, status));
  return portal(server, status === "404" ? `${route}?publicKey=nobody` : route);
}

describe.each(["contract", "observed"] as const)("openapi.yaml and the %s profile", (profile) => {
  let stage: Stage;
  beforeAll(async () => {
    const server = await openSimulator({ profile });
    stage = { server, client: await openAccount(server) };
    const { publicKey } = stage.client.key;
    await portal(server, "addresses", { publicKey, ...ADDRESS, confirmed: true });
    await callOf(stage.client, "addOrder");
    await stage.client.call("addOrder", order({ price: "0.99" }));
    await callOf(stage.client, "mintTokens");
    const rail = await callOf(stage.client, "addPaymentRail");
    await portal(server, "payments", { railid: (rail.body as { railid: string }).railid, amount: "100" });
  });

  test.each(documented)("$method $path answers $status as documented", async (one) => {
    const answer = one.path.startsWith("/api/v1/") ? await apiAnswer(stage, one) : await besideAnswer(stage, one);
    expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${one.status} `));
    fits(one, answer);
  });

  test("histories that hold rows fit as well", async () => {
    for (const name of ["queryOrders", "queryTrades", "queryPaymentRails", "queryPayments", "querySupplyChanges"]) {
      const answer = await callOf(stage.client, name);
      expect(answer.text, name).not.toMatch(/:\[\]/);
    }
  });
});

describe("openapi.yaml", () => {
  test("has every path that the server has", () => {
    const api = ENDPOINTS.map(({ path }) => `/api/v1${path}`);
    const routes = ["", "ledger", "requests", ...Object.keys(posts)].map((route) => `/portal/${route}`);
    const beside = ["/reference/a", "/reference/b", "/openapi.json"];
    expect(Object.keys(document.paths).sort()).toEqual([...api, ...routes, ...beside].sort());
  });
});
