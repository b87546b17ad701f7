// Switches by name on the command line, and everything that a person does in the portal.

import { expect, test } from "vitest";
import { type SimulatorFlags, simulator } from "../../src/cli/command/simulator.ts";
import { presets } from "../../src/exchange/profile.ts";
import { refused, rows } from "../contract/answer.ts";
import { newKeyPair, send } from "../contract/client.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { untilItHolds } from "../support/until-it-holds.ts";
import { openStage, order } from "./server-stage.ts";

test("switches of operator and profile hold for every request, one by one", async () => {
  const set = (...switches: string[]) => openStage({ switches });
  const band = (await set("priceBandBps=1")).client;
  expect((await band.call("addOrder", order())).text).toContain("limit_too_far_from_market_price");
  const held = (await set("faults.mintHoldChance=1", "mintMinimum=null", "historyPageMax=1")).client;
  for (const quantity of ["5", "6"])
    expect((await held.call("mintTokens", { asset: "VGBP", blockchain: "ETH", quantity })).status).toBe(200);
  expect(rows(await held.call("querySupplyChanges"))).toMatchObject([{ status: "held", quantity: "6" }]);
  const observed = (await set("profile.answers=observed", "profile.quotes=absent", "pace.spacingMs=60000")).client;
  expect(rows(await observed.call("accountBalance"))[0]).toHaveProperty("available_balance");
  refused(await observed.call("accountBalance"), [400, "invalid_request_limit"]);
  const sorted = Object.keys(presets.contract).map((name) => `profile.${name}`);
  const wrong = await set("priceBand=1").catch((error: Error) => error.message);
  expect(sorted.filter((name) => !String(wrong).includes(name))).toEqual([]);
});

const key = newKeyPair();
const FLAGS = { port: 0, seed: 1, profile: "contract", strict: false, speed: 1, market: ["demo"], set: [] };

test("on the command line: switches by --set", async () => {
  const set = ["priceBandBps=1", "pace.spacingMs=0"];
  const stop = new AbortController();
  const shell = { ...recordedShell(), stopSignal: () => stop.signal };
  const flags = { ...FLAGS, key: key.publicKey, fund: "CHF=5", set } as unknown as SimulatorFlags;
  const ended = simulator(shell, flags);
  await Promise.race([untilItHolds(() => expect(shell.stdout()).toContain("Ctrl-C")), ended]);
  const shown = Object.fromEntries([...shell.stdout().matchAll(/^(.+?) {2,}(.*)$/gm)].map(([, a, b]) => [a, b]));
  expect(shown.switches).toBe(set.join(", "));
  const { text } = await send(shown.portal, { method: "GET", path: "ledger", headers: {}, body: "" });
  expect(text).toContain('"asset":"CHF","amount":"5"');
  stop.abort();
  expect(await ended).toBe(0);
  const stopped = { ...recordedShell(), stopSignal: () => AbortSignal.abort() };
  for (const [flags, says] of [
    [{ set: ["railCountries=CH"] }, /railCountries is no switch; there are pace.spacingMs, /],
    [{ set: ["priceBandBps=wide"] }, /priceBandBps must be/],
    [{ set: ["settlement.minMs=99999999"] }, /settlement.minMs must be at most settlement.maxMs/],
  ] as const)
    await expect(simulator(stopped, { ...FLAGS, ...flags } as unknown as SimulatorFlags)).rejects.toThrow(says);
});
