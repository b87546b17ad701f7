// Every switch of operator, profile and market by name: on the command line, in the portal, and over a restart.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type SimulatorFlags, simulator } from "../../src/cli/command/simulator.ts";
import { presets } from "../../src/exchange/profile.ts";
import { DEFAULT_SETTINGS } from "../../src/simulator/core/settings.ts";
import { refused, rows } from "../contract/answer.ts";
import { Client, newKeyPair, send } from "../contract/client.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { untilItHolds } from "../support/until-it-holds.ts";
import { openAccount, openSimulator, openStage, order, portal } from "./server-stage.ts";

const folder = mkdtempSync(join(tmpdir(), "pegbot-switches-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Switch = { name: string; value: unknown; about?: string };
const switchesOf = async (server: Parameters<typeof portal>[0]): Promise<Switch[]> =>
  ((await portal(server, "switches")).body as { switches: Switch[] }).switches;

/** Paths to everything that is no object. */
function leaves(tree: object, path = ""): string[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? leaves(value, `${path}${name}.`)
      : [`${path}${name}`],
  );
}

describe.concurrent("the switches", () => {
  test("are all of the operator's settings, the profile's and the market's, and those of the pace", async () => {
    const server = await openSimulator();
    const shown = await switchesOf(server);
    const {
      seed: _,
      dealing,
      operation,
      quotesShown,
      fillsAt,
      mintDestination,
      mintFundingField,
      ...settings
    } = DEFAULT_SETTINGS;
    const names = new Set(shown.map(({ name }) => name));
    const market = [...leaves(dealing, "market.dealing."), ...leaves(operation, "market.venue.")];
    const profile = Object.keys(presets.contract).map((name) => `profile.${name}`);
    const own = [...leaves(settings), "pace.spacingMs", "pace.refusedCount", "publicCallsCount", "strict", "speed"];
    expect([...own, ...profile, ...market].filter((name) => !names.has(name))).toEqual([]);
    expect(shown.filter(({ name, about }) => !name.startsWith("market") && !about)).toEqual([]);
    expect(shown.find(({ name }) => name === "priceBandBps")?.value).toBe(500);
  });

  test("change what the next request meets, one by one, and a wrong name or value changes nothing", async () => {
    const { server, client } = await openStage();
    const set = async (given: object) => expect((await portal(server, "switches", { set: given })).status).toBe(200);
    await set({ priceBandBps: 1 });
    expect((await client.call("addOrder", order())).text).toContain("limit_too_far_from_market_price");
    await set({ priceBandBps: 500, "faults.mintHoldChance": 1, mintMinimum: null, partyTypes: ["company"] });
    const mint = { asset: "VGBP", blockchain: "ETH", quantity: "5" };
    expect((await client.call("mintTokens", mint)).status).toBe(200);
    expect(rows(await client.call("querySupplyChanges"))[0]).toMatchObject({ status: "held" });
    await set({ "profile.answers": "observed", "profile.quotes": "absent" });
    expect(rows(await client.call("accountBalance"))[0]).toHaveProperty("available_balance");
    expect((await client.get("client/quotes")).status).toBe(404);
    await set({ "profile.quotes": "get", "market.pairs.VCHF/CHF.halfSpreadBps": 300 });
    const [quote] = rows(await client.get("client/quotes")) as { b: number[]; a: number[] }[];
    expect((quote?.a[0] ?? 0) - (quote?.b[0] ?? 0)).toBeGreaterThan(0.05);
    await set({ market: "outage", "market.venue.errorShare": 1 });
    expect((await client.call("accountBalance")).status).toBeGreaterThanOrEqual(500);
    await set({ market: "demo", "market.venue.errorShare": 0, "pace.spacingMs": 60_000 });
    await client.call("accountBalance");
    refused(await client.call("accountBalance"), [400, "invalid_request_limit"]);
    const before = await switchesOf(server);
    for (const given of [
      { priceBand: 1 },
      { priceBandBps: -1 },
      { "profile.answers": "kebab" },
      { "market.pegs.X": 1 },
    ])
      refused(await portal(server, "switches", { set: { speed: 7, ...given } }), [400, "bad_request"]);
    expect(await switchesOf(server)).toEqual(before);
  });

  test("and what orders did under them survive a restart; the command line wins over the file", async () => {
    const stateFile = join(folder, "kept.state");
    const first = await openSimulator({ stateFile });
    const client = await openAccount(first);
    await portal(first, "switches", { set: { priceBandBps: 400, "market.pairs.VCHF/CHF.halfSpreadBps": 1 } });
    rows(await client.call("accountBalance"));
    expect((await client.call("addOrder", order({ clordid: "kept" }))).text).toContain("Filled");
    const balances = rows(await client.call("accountBalance"));
    await first.close();
    const second = await openSimulator({ stateFile, switches: ["historyPageMax=7"] });
    const value = async (name: string) => (await switchesOf(second)).find((one) => one.name === name)?.value;
    expect([await value("priceBandBps"), await value("historyPageMax")]).toEqual([400, 7]);
    expect(await value("market.pairs.VCHF/CHF.halfSpreadBps")).toBe(1);
    const again = new Client(second.baseUrl, client.key, 0);
    expect(rows(await again.call("accountBalance"))).toEqual(balances);
    expect(rows(await again.call("queryTrades"))[0]).toMatchObject({ clordid: "kept" });
    await second.close();
  });
});

const key = newKeyPair();
const FLAGS = { port: 0, seed: 1, profile: "contract", strict: false, speed: 1, market: ["demo"], set: [], do: [] };

/** Runs the command until the test has seen enough; what it printed is given. */
async function running(flags: object, look: (addresses: Record<string, string>) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const shell = { ...recordedShell(), stopSignal: () => stop.signal };
  const ended = simulator(shell, { ...FLAGS, ...flags } as unknown as SimulatorFlags);
  try {
    await Promise.race([untilItHolds(() => expect(shell.stdout()).toContain("Ctrl-C")), ended]);
    await look(Object.fromEntries([...shell.stdout().matchAll(/^(.+?) {2,}(.*)$/gm)].map(([, a, b]) => [a, b])));
  } finally {
    stop.abort();
    expect(await ended).toBe(0);
  }
}

test("on the command line: switches by --set, everything that a person does in the portal by --do", async () => {
  const set = ["priceBandBps=1", "pace.spacingMs=0", "railCountries=CH,GB"];
  const done = ['kyb={"cleared":false}', 'credits={"asset":"BTC","amount":"2"}', 'faults={"rules":[]}'];
  await running({ key: key.publicKey, fund: "CHF=5", set, do: done }, async ({ simulator: baseUrl, portal: url }) => {
    const client = new Client(baseUrl as string, key, 0);
    refused(await client.call("accountBalance"), [403, "kyb_required"]);
    const headers = { "content-type": "application/json" };
    const { text } = await send(url as string, { method: "GET", path: "ledger", headers, body: "" });
    expect(text).toContain('"asset":"BTC","amount":"2"');
  });
  const ended = { ...recordedShell(), stopSignal: () => AbortSignal.abort() };
  for (const [flags, says] of [
    [{ set: ["priceBand=1"] }, /priceBand is no switch/],
    [{ set: ["priceBandBps=wide"] }, /priceBandBps must be/],
    [{ do: ["kyb"] }, /--do must look like/],
    [{ do: ['kyb={"cleared":1}'], key: key.publicKey }, /--do kyb: cleared must be/],
  ] as const)
    await expect(simulator(ended, { ...FLAGS, ...flags } as unknown as SimulatorFlags)).rejects.toThrow(says);
});
