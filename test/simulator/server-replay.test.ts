// What happens at the venue between two writes is in the file before an answer shows it.

import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { refused, rows } from "../contract/answer.ts";
import { Client } from "../contract/client.ts";
import { openAccount, openSimulator, openStillStage, portal } from "./server-stage.ts";

const folder = mkdtempSync(join(tmpdir(), "pegbot-replay-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `state-${++files}.jsonl`);

// Twelve hours of settlement are less than half a second at this speed.
const SPEED = 100_000;

test.each([["a signed call", async (client: Client) => rows(await client.call("accountBalance"))]])(
  "what fell due and was first met by %s is the same after a restart",
  async (_what, look) => {
    const stateFile = newFile();
    const { server, client, pass } = await openStillStage({ stateFile, speed: SPEED });
    const key = client.key.publicKey;
    const mint = { asset: "VGBP", blockchain: "ETH", quantity: "100000" };
    await server.writer.perform((venue, at) => venue.mintTokens(key, mint, at));
    pass(5_000);
    await look(client);
    await portal(server, "credits", { publicKey: key, asset: "CHF", amount: "1" });
    const before = (await portal(server, "ledger")).text;
    expect(before).toContain('"mint settled"');
    await server.close();
    const again = await openSimulator({ stateFile, speed: SPEED });
    expect((await portal(again, "ledger")).text).toBe(before);
  },
);

test("an answer shows nothing that is not in the file yet", async () => {
  const stateFile = newFile();
  const server = await openSimulator({ stateFile });
  const { publicKey } = (await openAccount(server)).key;
  for (let i = 1; i <= 40; i++) {
    const amount = `${i}.125`;
    const credit = portal(server, "credits", { publicKey, asset: "CHF", amount });
    const { text } = await portal(server, "ledger");
    const onDisk = readFileSync(stateFile, "utf8").includes(`"${amount}"`);
    if (text.includes(`"${amount}"`)) expect(onDisk, `credit ${amount} was shown`).toBe(true);
    await credit;
  }
});

test("a file that grows long starts anew with a snapshot, and a restart gives back the same", async () => {
  const stateFile = newFile();
  const server = await openSimulator({ stateFile, stateGrowthBytesMax: 1_000 });
  const client = await openAccount(server);
  const { publicKey } = client.key;
  const sizes: number[] = [];
  let nonce = "";
  for (let i = 1; i <= 60; i++) {
    const credits = [1, 2, 3].map((part) =>
      portal(server, "credits", { publicKey, asset: "CHF", amount: `${i}.${part}` }),
    );
    nonce = client.nonce();
    rows(await client.call("accountBalance", {}, { nonce }));
    await Promise.all(credits);
    sizes.push(statSync(stateFile).size);
  }
  expect(sizes.some((size, i) => size < (sizes[i - 1] ?? 0))).toBe(true);
  const before = (await portal(server, "ledger")).text;
  expect(before.match(/"credit"/g)).toHaveLength(4 + 3 * 60);
  await server.close();
  const again = await openSimulator({ stateFile });
  expect((await portal(again, "ledger")).text).toBe(before);
  refused(await new Client(again.baseUrl, client.key, 0).call("accountBalance", {}, { nonce }), [401]);
});
