// Which limits are in force beside a running bot, and what is said where the configuration has others by now.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { rereading } from "../../../src/app/bot/limits.ts";
import { compareLimit, differingLimits, limitTexts, tightened } from "../../../src/app/config/limits-in-force.ts";
import { parseConfig } from "../../../src/config/load.ts";
import type { Config } from "../../../src/config/schema.ts";
import { err, unwrap } from "../../../src/domain/result.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";

const RISK = JSON.parse(JSON.stringify(paperLimits)) as Record<string, unknown>;

function configOf(risk: object = {}, rest: object = {}): Config {
  return unwrap(parseConfig(stringify({ risk: { ...RISK, ...risk }, ...rest }), "pegbot.yaml", {})).config;
}

test("each limit that differs is named with both values, and no other", () => {
  // A symbol that is taken away would have to go from the sizes too.
  const orderQuantityMax = "off: another matter here";
  const own = limitTexts(configOf({ turnoverPerHourMax: "500", orderQuantityMax }));
  const { symbols } = RISK as { symbols: string[] };
  const differ = (risk: object, rest: object = {}): string | undefined =>
    differingLimits(own, limitTexts(configOf({ turnoverPerHourMax: "500.00", orderQuantityMax, ...risk }, rest)));
  expect(differ({ symbols: symbols.toReversed() })).toBeUndefined();
  expect(differ({ turnoverPerHourMax: "5000", lossesMax: "off: a study of streaks", heartbeatMsMax: 60_000 })).toBe(
    "risk.turnoverPerHourMax is 500 in the bot and 5000 in the configuration; " +
      "risk.lossesMax is 10 in the bot and off: a study of streaks in the configuration; " +
      "risk.heartbeatMsMax is absent in the bot and 60000 in the configuration",
  );
  expect(differ({ symbols: symbols.filter((symbol) => symbol !== "VCHF/CHF") })).toBe(
    "risk.symbols.VCHF/CHF is listed in the bot and absent in the configuration",
  );
  expect(differ({}, { treasury: { mint: { perDayMax: { VCHF: "300000" } } } })).toBe(
    "treasury.mint.perDayMax.VCHF is absent in the bot and 300000 in the configuration",
  );
});

test("who and how many approve, where money may be sent and where par counts are as limits are", () => {
  const listed = [{ name: "ann" }, { name: "bob" }];
  const wallet = { kind: "wallet", chain: "ETH", address: "0x0000000000000000000000000000000000000001" };
  const one = limitTexts(configOf());
  const other = limitTexts(
    configOf({}, { treasury: { approvals: { persons: 2, people: listed } }, market: { par: { "VCHF/CHF": 80 } } }),
  );
  const persons =
    "treasury.approvals.persons is 1 in the bot and 2 in the configuration; " +
    "treasury.approvals.byHand is true in the bot and false in the configuration; ";
  const people =
    "treasury.approvals.people.ann is absent in the bot and listed in the configuration; " +
    "treasury.approvals.people.bob is absent in the bot and listed in the configuration";
  const par =
    "market.par.VCHF/CHF is 50 in the bot and 80 in the configuration; " +
    "market.par.VGBP/GBP is 50 in the bot and absent in the configuration; ";
  expect(differingLimits(one, other)).toBe(`${persons}${par}${people}`);
  const named = (...names: string[]) => {
    return limitTexts(configOf({}, { treasury: { approvals: { people: names.map((name) => ({ name })) } } }));
  };
  expect(differingLimits(named("ann", "bob"), named("bob", "ann"))).toBeUndefined();
  expect(differingLimits(named("ann"), named("eve"))).toBe(
    "treasury.approvals.people.ann is listed in the bot and absent in the configuration; " +
      "treasury.approvals.people.eve is absent in the bot and listed in the configuration",
  );
  expect(differingLimits(one, limitTexts(configOf({}, { treasury: { destinations: { safe: wallet } } })))).toContain(
    `treasury.destinations.safe.address is absent in the bot and ${wallet.address} in the configuration`,
  );
});

test("a configuration is read again with the variables of the start, and not while it has mistakes", () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-limits-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "pegbot.yaml");
  const write = (risk: object): void => writeFileSync(file, stringify({ risk: { ...RISK, ...risk } }));
  const reread = rereading(file, { PEGBOT__RISK__REJECTSMAX: "7" });
  expect(reread()).toEqual(err(`${file} cannot be read`));
  write({});
  expect(unwrap(reread()).risk?.rejectsMax).toBe(7);
  write({ orderValueMax: "a lot" });
  const mistakes = err(`${file} has mistakes: pegbot config check names them`);
  expect([reread(), reread()]).toEqual([mistakes, mistakes]);
  write({ orderValueMax: "100" });
  expect(String(unwrap(reread()).risk?.orderValueMax)).toBe("100");
});

test("of two configurations each limit is taken that is tighter", () => {
  const mint = (perDay: string) => ({ treasury: { mint: { perDayMax: { VCHF: perDay } } } });
  const file = configOf({ orderValueMax: "60000", collarBps: 20, lossesMax: "off: a study of streaks" }, mint("300"));
  const bots = limitTexts(configOf({ orderValueMax: "5000", heartbeatMsMax: 60_000 }, mint("200.5")));
  const { config, taken } = unwrap(tightened(file, bots));
  expect(taken.map(({ name, from, to }) => [name, from, to])).toEqual([
    ["risk.orderValueMax", "60000", "5000"],
    ["risk.lossesMax", "off: a study of streaks", 10],
    ["treasury.mint.perDayMax.VCHF", "300", "200.5"],
    ["risk.heartbeatMsMax", undefined, 60_000],
  ]);
  const { orderValueMax, collarBps, lossesMax, heartbeatMsMax } = config.risk ?? {};
  expect([String(orderValueMax), collarBps, lossesMax, heartbeatMsMax]).toEqual(["5000", 20, 10, 60_000]);
  expect(String(config.treasury.mint.perDayMax.VCHF)).toBe("200.5");
});

test("pairs and the way out are tighter by being fewer, sizes that were off by being set; without a common pair there is no limit", () => {
  const { symbols, exit: _, ...rest } = RISK as { symbols: string[]; exit: object };
  const off = configOf({ orderQuantityMax: "off: another matter here" });
  const few = { ...rest, symbols: ["VCHF/CHF"], orderQuantityMax: { "VCHF/CHF": "70" } };
  const narrow = unwrap(parseConfig(stringify({ risk: few }), "pegbot.yaml", {})).config;
  const { config } = unwrap(tightened(off, limitTexts(narrow)));
  expect(config.risk).toMatchObject({ symbols: ["VCHF/CHF"] });
  expect(config.risk?.exit).toBeUndefined();
  expect(JSON.stringify(config.risk?.orderQuantityMax)).toBe('{"VCHF/CHF":"70"}');
  expect(unwrap(tightened(narrow, limitTexts(off))).config).toBe(narrow);
  const other = { ...few, symbols: ["VGBP/GBP"], orderQuantityMax: { "VGBP/GBP": "70" } };
  const apart = unwrap(parseConfig(stringify({ risk: other }), "pegbot.yaml", {})).config;
  expect(tightened(narrow, limitTexts(apart))).toEqual(err("no pair is in both lists of risk.symbols"));
  expect(symbols.length).toBeGreaterThan(1);
});

test("every limit that is a number has a tighter side, unless it is read at a start only", () => {
  const texts = limitTexts(configOf({ heartbeatMsMax: 60_000, rampOrders: 10 }));
  for (const [name, text] of Object.entries(texts).filter(([key]) => key.startsWith("risk."))) {
    const value = Number(JSON.parse(text));
    if (Number.isNaN(value)) continue;
    const isAtStart = ["risk.markAgeMsMax", "risk.markHaircutBps"].includes(name);
    const [less, more] = [value / 2, value * 2].map((other) => compareLimit(name, value, other));
    expect([name, new Set([less, more])]).toEqual([name, new Set(isAtStart ? ["unordered"] : ["tighter", "wider"])]);
  }
  const tighter = (name: string, from: number, to: number) => compareLimit(`risk.${name}`, from, to) === "tighter";
  expect(tighter("reserveBpsMin", 100, 200) && tighter("referenceSourcesMin", 1, 2)).toBe(true);
  expect(tighter("offsetWindowMs", 1, 2) && tighter("depegAssumedBps", 1, 2) && tighter("rampOrders", 1, 2)).toBe(true);
  expect(tighter("rampSizeBps", 2, 1) && tighter("collarBps", 2, 1) && tighter("exit.floorBps", 2, 1)).toBe(true);
});
