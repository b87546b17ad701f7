// The portal: strict input, a full ledger, and settlement time that moves alone.

import { describe, expect, test } from "vitest";
import { refused } from "../contract/answer.ts";
import { newKeyPair, send } from "../contract/client.ts";
import { openSimulator, openStage, order, portal } from "./server-stage.ts";

describe.concurrent("the portal", () => {
  const key = newKeyPair().publicKey;
  const refusedInputs: [string, string, unknown][] = [
    ["an unknown field", "keys", { publicKey: key, label: "mine" }],
    ["a missing field", "kyb", { publicKey: key }],
    ["an amount as a number", "credits", { publicKey: key, asset: "CHF", amount: 5 }],
    ["a fault with a typing error", "faults", { rules: [{ fault: "lost-anser" }] }],
    ["a list where an object belongs", "clock", []],
  ];
  test.each(refusedInputs)("refuses %s", async (_what, route, body) => {
    refused(await portal(await openSimulator(), route, body), [400, "bad_request"]);
  });

  test("says 404 for a key that nobody registered, and credits nothing", async () => {
    const server = await openSimulator();
    refused(await portal(server, "credits", { publicKey: key, asset: "CHF", amount: "5" }), [404, "not_found"]);
    expect((await portal(server, "ledger")).body).toEqual({ postings: [] });
  });

  test("shows every movement of an account in its ledger", async () => {
    const { server, client } = await openStage();
    await client.call("addOrder", order());
    const { body } = await portal(server, `ledger?publicKey=${encodeURIComponent(client.key.publicKey)}`);
    const { postings } = body as { postings: { what: string; asset: string; amount: string }[] };
    expect(postings.filter(({ what }) => what === "credit")).toHaveLength(4);
    expect(postings.filter(({ what }) => what !== "credit").map(({ asset }) => asset)).toContain("VCHF");
  });

  test("opened with a token, does nothing for who does not give it, and tells nobody what routes there are", async () => {
    const server = await openSimulator({ portalToken: "s3cret" });
    const body = JSON.stringify({ advanceMs: 1_000 });
    const call = (route: string, headers: Record<string, string>) =>
      send(server.portalUrl, {
        method: "POST",
        path: route,
        headers: { "content-type": "application/json", ...headers },
        body,
      });
    for (const headers of [{}, { authorization: "Bearer s3cres" }, { authorization: "Basic s3cret" }])
      for (const route of ["clock", "nothing", ""]) refused(await call(route, headers), [401, "unauthorized"]);
    const moved = await call("clock", { authorization: "Bearer s3cret" });
    const { settlement, venue } = server.writer.moment();
    expect([moved.status, settlement - venue]).toEqual([200, 1_000]);
  });

  test("moves settlement time and nothing else", async () => {
    const { server, client } = await openStage();
    const before = (await portal(server, "clock")).body as { now: string; settlement: string };
    await portal(server, "clock", { advanceMs: 86_400_000 });
    const after = (await portal(server, "clock")).body as { now: string; settlement: string };
    expect(Date.parse(after.settlement) - Date.parse(before.settlement)).toBeGreaterThanOrEqual(86_400_000);
    expect(Date.parse(after.now) - Date.parse(before.now)).toBeLessThan(60_000);
    const { headers } = await client.get("client/assets");
    expect(Math.abs(Date.parse(String(headers.date)) - Date.now())).toBeLessThan(60_000);
  });
});
