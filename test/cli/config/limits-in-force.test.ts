// Which limits are in force beside a running bot, and what is said where the configuration has others by now.

import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { limitsWatch, rereading } from "../../../src/cli/bot/watch/limits-watch.ts";
import { differingLimits, limitTexts, otherLimits, WHO_APPROVES } from "../../../src/cli/config/limits-in-force.ts";
import { parseConfig } from "../../../src/config/load.ts";
import type { Config } from "../../../src/config/schema.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";

const KEY = generateKeyPairSync("ec", { namedCurve: "P-256" })
  .publicKey.export({ format: "der", type: "spki" })
  .toString("base64");
const RISK = JSON.parse(JSON.stringify(paperLimits)) as Record<string, unknown>;

function configOf(risk: object = {}, rest: object = {}): Config {
  return unwrap(parseConfig(stringify({ risk: { ...RISK, ...risk }, ...rest }), "pegbot.yaml", {})).config;
}

const bot = { instance: "bot", pid: 4711, folder: "/srv", role: "bot", since: millis(0) } as const;
const books = { path: "/srv/pegbot.db", chainId: "1", environment: "paper" };

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

test("a limit that is off is so for whatever reason", () => {
  const texts = (lossesMax: unknown) => limitTexts(configOf({ lossesMax }));
  const [one, other] = [texts("off: a study of streaks"), texts("off: another study")];
  expect(differingLimits(one, other)).toBeUndefined();
  expect(differingLimits(one, texts(10))).toBe(
    "risk.lossesMax is off: a study of streaks in the bot and 10 in the configuration",
  );
});

test("who and how many approve, where money may be sent and where par counts are as limits are; who approves can be asked for alone", () => {
  const listed = [{ name: "ann" }, { name: "bob", publicKey: KEY }];
  const wallet = { kind: "wallet", chain: "ETH", address: "0x0000000000000000000000000000000000000001" };
  const one = limitTexts(configOf());
  const other = limitTexts(
    configOf({}, { treasury: { approvals: { persons: 2, people: listed } }, market: { par: { "VCHF/CHF": 80 } } }),
  );
  const persons =
    "treasury.approvals.persons is 1 in the bot and 2 in the configuration; " +
    "treasury.approvals.byHand is true in the bot and false in the configuration; ";
  const people = `treasury.approvals.people.ann is absent in the bot and without a key in the configuration; treasury.approvals.people.bob is absent in the bot and ${KEY.slice(0, 80)}... (${KEY.length} characters) in the configuration`;
  const par =
    "market.par.VCHF/CHF is 50 in the bot and 80 in the configuration; " +
    "market.par.VGBP/GBP is 50 in the bot and absent in the configuration; ";
  expect(differingLimits(one, other)).toBe(`${persons}${par}${people}`);
  expect(differingLimits(one, other, WHO_APPROVES)).toBe(`${persons}${people}`);
  expect(differingLimits(one, limitTexts(configOf({ lossesMax: 11 })), WHO_APPROVES)).toBeUndefined();
  const named = (...names: string[]) => {
    return limitTexts(configOf({}, { treasury: { approvals: { people: names.map((name) => ({ name })) } } }));
  };
  expect(differingLimits(named("ann", "bob"), named("bob", "ann"), WHO_APPROVES)).toBeUndefined();
  expect(differingLimits(named("ann"), named("eve"), WHO_APPROVES)).toBe(
    "treasury.approvals.people.ann is without a key in the bot and absent in the configuration; " +
      "treasury.approvals.people.eve is absent in the bot and without a key in the configuration",
  );
  expect(differingLimits(one, limitTexts(configOf({}, { treasury: { destinations: { safe: wallet } } })))).toContain(
    `treasury.destinations.safe.address is absent in the bot and ${wallet.address} in the configuration`,
  );
});

test("a configuration is held against the bot that runs on its journal, and one that left no limits is unknown", () => {
  const limits = limitTexts(configOf({ orderValueMax: "100" }));
  const beside = (member: object, config = configOf()): string | undefined =>
    otherLimits({ bot, members: [{ ...bot, books, ...member }] }, config);
  expect(beside({ limits }, configOf({ orderValueMax: "100" }))).toBeUndefined();
  expect(beside({ limits })).toBe(
    "the running bot, process 4711, goes by other limits than the configuration has: " +
      "risk.orderValueMax is 100 in the bot and 50000 in the configuration",
  );
  expect(beside({})).toMatch(/^the running bot, process 4711, has not named its limits yet/);
  expect(otherLimits({ bot: undefined, members: [{ ...bot, books, limits }] }, configOf())).toBeUndefined();
  // The same key in another environment has another journal.
  expect(beside({ limits, books: { ...books, environment: "uat" } })).toBeUndefined();
});

test("a bot says once that its configuration has other limits by now, and once that they are the same again", () => {
  const said: string[] = [];
  const told: (string | undefined)[] = [];
  let now: Config | undefined = configOf();
  const look = limitsWatch(configOf(), () => now, {
    differ: (text) => void told.push(text),
    say: (level, text) => void said.push(`${level} ${text}`),
  });
  const looks = (...configs: (Config | undefined)[]): void => {
    for (const config of configs) {
      now = config;
      look();
    }
  };
  const tighter = configOf({ orderValueMax: "100" });
  looks(configOf(), configOf());
  expect([said, told]).toEqual([[], []]);
  // While a file is being written, or has a mistake, nobody knows what it is to be.
  looks(tighter, undefined, tighter);
  const differ = "risk.orderValueMax is 50000 in the bot and 100 in the configuration";
  expect(told).toEqual([differ]);
  expect(said).toEqual([expect.stringMatching(new RegExp(`^warn ${differ}: .* from the next start on`))]);
  looks(configOf());
  expect([told[1], said[1]]).toEqual([undefined, "info the configuration has the limits again that the bot goes by"]);
});

test("a configuration is read again when its text is another, with the variables of the start, and not while it has mistakes", () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-limits-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "pegbot.yaml");
  const write = (risk: object): void => writeFileSync(file, stringify({ risk: { ...RISK, ...risk } }));
  const reread = rereading(file, { PEGBOT__RISK__REJECTSMAX: "7" });
  expect(reread()).toBeUndefined();
  write({});
  const first = reread();
  expect([first?.risk?.rejectsMax, reread() === first]).toEqual([7, true]);
  write({ orderValueMax: "a lot" });
  expect([reread(), reread()]).toEqual([undefined, undefined]);
  write({ orderValueMax: "100" });
  expect(String(reread()?.risk?.orderValueMax)).toBe("100");
});
