// Your own program in your own CI: no account, no network, the same prices for a seed.
//
//     node --test examples/convert.test.ts

import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startVenue } from "pegbot/simulator";
import { createVenue } from "pegbot/venue";
import { convert } from "./convert.ts";

async function staged(t: TestContext) {
  const simulator = await startVenue({ seed: 7, funds: { VCHF: "20000" } });
  t.after(() => simulator.close());
  const state = mkdtempSync(join(tmpdir(), "convert-"));
  const venue = await createVenue({ url: simulator.url, key: simulator.key, state, limits: { feeBpsMax: 10 } });
  t.after(() => venue.close());
  return { simulator, venue };
}

test("converts by orders, and books what the venue books", async (t) => {
  const { simulator, venue } = await staged(t);
  const brought = await convert(venue, "VCHF", "USDC", "5000");
  const held = simulator.ledger.balances().find(({ asset }) => asset === "USDC")?.available;
  assert.equal(brought, String(held));
});

test("settles a lost answer, and sends its order once", async (t) => {
  const { simulator, venue } = await staged(t);
  await simulator.setFaults([{ fault: "lost-answer", on: "addOrder", times: 1 }]);
  await convert(venue, "VCHF", "CHF", "5000");
  const [trade, ...more] = simulator.ledger.trades().filter(({ symbol }) => symbol === "VCHF/CHF");
  assert.ok(trade);
  assert.deepEqual(more, []);
});
