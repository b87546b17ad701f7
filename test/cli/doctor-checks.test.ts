// The checks that need no venue, as functions of what they look at.

import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { stringify } from "yaml";
import { checkClock } from "../../src/app/bot/check-clock.ts";
import { limitTexts } from "../../src/app/config/limits-in-force.ts";
import { assetsWithPrices } from "../../src/app/config/oddities.ts";
import { openToOthers, requireOwnFolder } from "../../src/app/config/open-to-others.ts";
import {
  checkFeeds,
  checkLimits,
  checkLimitsInForce,
  checkNotices,
  oddConfiguration,
} from "../../src/cli/doctor/configuration.ts";
import { checkHost, checkLedger, lastTaken } from "../../src/cli/doctor/records.ts";
import { checkSignature } from "../../src/cli/doctor/signature.ts";
import { checkBalances } from "../../src/cli/doctor/venue.ts";
import { parseConfig } from "../../src/config/load.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { LedgerStatus } from "../../src/exchange/budget/ledger-status.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import { presets } from "../../src/exchange/profile.ts";
import { completeConfig } from "../config/complete.ts";
import { everyKind } from "../journal/samples.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { httpServer } from "../watch/notices/stage.ts";

const now = millis(1_794_731_400_000);
const me = { instance: "me", pid: 1, folder: "/srv", role: "tool", since: now } as const;
const calm: LedgerStatus = {
  path: "ledger.db",
  holder: undefined,
  bot: undefined,
  members: [me],
  waiting: [],
  spacingMs: 1_000,
  doubtsOnly: false,
  paused: undefined,
  rateLimitedMsAgo: [],
  slots: 0,
  lastNonce: undefined,
  skewMs: undefined,
};

test("a ledger that nobody else uses is in order", () => {
  expect(checkLedger(calm, now)).toEqual({
    check: "ledger",
    verdict: "ok",
    cause:
      "the slot is free; no bot runs; 0 other programs use the key; 1000 ms between requests; no nonce was ever drawn",
  });
});

test("those who wait are named with what they wait for", () => {
  const waiting = [{ pid: 77, class: "order", worth: 100 }] as const;
  expect(checkLedger({ ...calm, waiting }, now).cause).toContain("waiting: process 77 (order)");
});

test.each<[string, Partial<LedgerStatus>, RegExp]>([
  [
    "a slot held for 31 s",
    { holder: { pid: 9, since: millis(now - 31_000), what: "order", instance: "a", deadline: mono(0) } },
    /^process 9 has held the slot for 31 s/,
  ],
  ["a nonce one hour ahead", { lastNonce: (now + 3_600_000) as Nonce }, /ahead of this machine's clock/],
  ["a rate-limit answer a minute ago", { rateLimitedMsAgo: [60_000] }, /^the venue complained of the pace 60 s ago/],
  ["a storm of rate-limit answers", { doubtsOnly: true }, /^after a storm/],
])("%s is a warning", (_, trouble, cause) => {
  const finding = checkLedger({ ...calm, ...trouble }, now);
  expect(finding.verdict).toBe("warning");
  expect(finding.cause).toMatch(cause);
  expect(finding.next).toBeTruthy();
});

test.each([
  [999, "ok"],
  [3_000, "ok"],
  [3_001, "warning"],
  [31_000, "warning"],
  [31_001, "problem"],
  [-2_000, "ok"],
  [-2_001, "warning"],
  [-30_001, "problem"],
  [undefined, "problem"],
])("a clock %s ms ahead of a Date that is cut to the second: %s", (skewMs, verdict) => {
  expect(checkClock(skewMs).verdict).toBe(verdict);
});

function configOf(settings: unknown) {
  return unwrap(parseConfig(stringify(settings), "pegbot.yaml", {})).config;
}

test("limits of a live configuration are told, and too few sources of prices are a warning", () => {
  const config = configOf(completeConfig());
  expect(checkLimits(config)).toMatchObject({ verdict: "ok", cause: "orders up to 50000 CHF, on VCHF/CHF" });
  const risk = config.risk && { ...config.risk, referenceSourcesMin: 3 };
  expect(checkFeeds({ ...config, risk })).toMatchObject({
    verdict: "warning",
    next: expect.stringContaining("references"),
  });
  expect(checkFeeds({ ...config, risk: risk && { ...risk, referenceSourcesMin: 1 } }).verdict).toBe("ok");
});

test("par and the venue's quote are two sources; a pair between two that have enough has as many as the poorer", () => {
  const config = configOf(completeConfig());
  const { risk } = config;
  if (risk === undefined) throw new Error("the complete configuration has limits");
  const feed = config.market.references[0];
  const kraken = { kind: "kraken-socket", name: "socket", symbols: ["GBP/CHF"] } as typeof feed & object;
  const coinbase = { kind: "ccxt", name: "cb", exchange: "coinbase", symbols: ["GBP/CHF"] } as typeof feed & object;
  const par = { "VCHF/CHF": 50, "VGBP/GBP": 50 };
  const found = (
    symbols: readonly string[],
    references: (typeof feed & object)[],
    sourcesMin = {},
    venue = config.venue,
  ) => {
    const market = { ...config.market, par, references, sourcesMin };
    const { verdict, cause } = checkFeeds({ ...config, venue, market, risk: { ...risk, symbols: [...symbols] } });
    return verdict === "ok" ? verdict : cause.split(": ")[1];
  };
  expect(found(["VCHF/CHF"], [])).toBe("ok");
  expect(found(["VCHF/CHF"], [], { "VCHF/CHF": 3 })).toBe(
    "VCHF/CHF can have 2 of the 3 sources that fair value needs, and no order on it passes",
  );
  const none = "VGBP/VCHF can have no source of fair value, and no order on it passes";
  expect(found(["VGBP/VCHF"], [])).toBe(none);
  expect(found(["VGBP/VCHF"], [kraken, { ...kraken, name: "other" }]), "one exchange is one source").toBe(none);
  expect(found(["VGBP/VCHF"], [kraken, coinbase])).toBe("ok");
  expect(found(["VGBP/VCHF"], [kraken, coinbase], { "VGBP/VCHF": 3 })).toContain("2 of the 3 sources");
  // Without quotes par counts for the pairs of market.parFair, and then alone; references count for the others.
  const unquoted = { ...config.venue, profile: { preset: "contract", quotes: "absent" } as const };
  expect(found(["VCHF/CHF"], [], { "VCHF/CHF": 3 }, unquoted)).toBe("ok");
  expect(found(["VGBP/GBP"], [], {}, unquoted)).toBe(
    "VGBP/GBP can have no source of fair value, and no order on it passes",
  );
  const direct = [kraken, coinbase].map((one) => ({ ...one, symbols: ["VGBP/GBP"] }));
  expect(found(["VGBP/GBP"], direct, {}, unquoted)).toBe("ok");
});

test("a journal that another host answered first is a problem before anything is asked there", () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "pegbot.db");
  const config = configOf({ ...completeConfig(), journal: { path } });
  expect(checkHost(config)).toEqual([]);
  writeFileSync(`${path}.host`, "test venue.example\n");
  expect(checkHost(config)).toEqual([]);
  writeFileSync(`${path}.host`, "test other.example\n");
  expect(checkHost(config)).toEqual([
    expect.objectContaining({
      verdict: "problem",
      cause: expect.stringContaining('belongs to "test other.example", the configuration says "test venue.example"'),
      next: expect.stringContaining(`remove ${path}.host`),
    }),
  ]);
});

test("limits that a running bot does not go by are a warning, with what to do about it", () => {
  const config = configOf(completeConfig());
  const bot = { ...me, instance: "bot", pid: 2, role: "bot" } as const;
  const beside = (limits: Readonly<Record<string, string>>) =>
    checkLimitsInForce({ bot, members: [me, { ...bot, limits }] }, config);
  const own = limitTexts(config);
  expect([beside(own), checkLimitsInForce(calm, config)]).toEqual([[], []]);
  expect(beside({ ...own, "risk.orderValueMax": "70000" })).toEqual([
    {
      check: "limits",
      verdict: "warning",
      cause:
        "the running bot, process 2, goes by other limits than the configuration has: " +
        "risk.orderValueMax is 70000 in the bot and 50000 in the configuration",
      next: expect.stringContaining("pegbot limits reload"),
    },
  ]);
});

test("a journal that cannot be written here is a problem, a target that has no price is a warning", () => {
  const config = configOf(completeConfig());
  const { treasury } = config;
  const odd = { ...config, treasury: { ...treasury, targets: { VCHFF: { low: Quantity.of("1") } } } };
  const found = oddConfiguration(
    { ...odd, journal: { ...config.journal, path: "/dev/null/journal.db" } },
    "pegbot.yaml",
  );
  expect(found.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
    "configuration warning",
    "journal problem",
  ]);
  expect(found[1]?.cause).toBe("journal.path is /dev/null/journal.db: /dev/null cannot be written (ENOTDIR)");
  const here = { ...config.journal, path: join(tmpdir(), "none", "journal.db") };
  expect(oddConfiguration({ ...config, journal: here }, "pegbot.yaml")).toEqual([]);
});

test("configuration and strategy that other users can change are warned of, live, and their journal folder on paper too", () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-open-"));
  const [file, strategy, data] = [join(folder, "pegbot.yaml"), join(folder, "mine.ts"), join(folder, "data")];
  for (const path of [file, strategy]) writeFileSync(path, "");
  mkdirSync(data);
  const config = {
    ...configOf(completeConfig()),
    strategy: { use: strategy, params: {} },
    journal: { path: join(data, "pegbot.db") },
  };
  const open = (): readonly string[] => openToOthers(config, file).map((warning) => warning.split(":")[0] ?? "");
  expect(open()).toEqual([]);
  for (const path of [file, strategy]) chmodSync(path, 0o666);
  chmodSync(data, 0o777);
  const why = "can be changed by every user of this machine";
  expect(open()).toEqual([
    `${file} ${why} (mode 0666)`,
    `${strategy} ${why} (mode 0666)`,
    `${data} ${why} (mode 0777)`,
  ]);
  chmodSync(data, 0o1777);
  expect(openToOthers({ ...config, mode: "paper" }, file)).toEqual([
    `${data} ${why} (mode 1777): it decides what the bot does, and within which limits`,
  ]);
  expect(() => requireOwnFolder({ ...config, mode: "paper" })).not.toThrow();
  const refused = `live mode needs a journal in a folder of this user alone, and ${data} ${why} (mode 1777)`;
  expect(() => requireOwnFolder(config)).toThrow(refused);
  chmodSync(data, 0o700);
  expect(() => requireOwnFolder(config)).not.toThrow();
  for (const path of [file, strategy]) chmodSync(path, 0o664);
  expect(open(), "in a group of their owner's own").toEqual([]);
  // Whose numbers differ; only root can give files away.
  if (process.geteuid?.() === 0) {
    chownSync(file, 0, 100);
    expect(open()).toEqual([`${file} can be changed by everybody in group 100 (mode 0664)`]);
  }
  rmSync(folder, { recursive: true });
});

test("a venue without quotes is no source of prices", () => {
  const config = configOf(completeConfig());
  const risk = config.risk && { ...config.risk, referenceSourcesMin: 2 };
  const venue = { ...config.venue, profile: { preset: "contract", quotes: "absent" } as const };
  const market = { ...config.market, parFair: [] };
  expect(checkFeeds({ ...config, risk, venue, market }).verdict).toBe("warning");
  expect(checkFeeds({ ...config, risk, venue }).verdict, "par alone, by name").toBe("ok");
});

test("an asset on the account that nothing prices is a warning: no order would pass", () => {
  const balance = (asset: string) => ({
    asset: asset as Asset,
    available: Money.of("5", asset as Asset),
    pending: undefined,
  });
  const found = (...assets: string[]) =>
    checkBalances(
      { kind: "read", value: assets.map(balance), at: undefined, receivedAt: now, nonce: undefined },
      assetsWithPrices(configOf(completeConfig())),
    );
  expect(found("CHF", "VCHF")).toEqual({ check: "balances", verdict: "ok", cause: "5 CHF, 5 VCHF" });
  expect(found("CHF", "XRP")).toMatchObject({
    verdict: "warning",
    cause: expect.stringContaining("no reference feed has XRP: without a rate of it equity is unknown"),
  });
});

test("a test message goes by each channel of notices, only where it is asked for, and says which took it and why not", async () => {
  const hook = await httpServer({ status: 200 });
  const chat = await httpServer({ status: 400, body: '{"ok":false,"error_code":400,"description":"chat not found"}' });
  const token = "987654:do-not-tell";
  const notices = {
    webhook: { url: `${hook.url}/hook` },
    telegram: { tokenEnv: "TELEGRAM_OF_DOCTOR", chatId: "5", apiRoot: chat.url },
  };
  vi.stubEnv("TELEGRAM_OF_DOCTOR", token);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { config } = unwrap(parseConfig(stringify({ mode: "paper", notices }), "pegbot.yaml", {}));
  const told = (isSent: boolean) => checkNotices(recordedShell(), config, isSent);
  expect(await told(false)).toEqual([
    { check: "notices", verdict: "ok", cause: "by webhook, telegram, not tried", next: expect.any(String) },
  ]);
  expect([hook.heard.length, chat.heard.length]).toEqual([0, 0]);
  const findings = await told(true);
  expect(findings.map(({ verdict, cause }) => [verdict, cause])).toEqual([
    ["ok", expect.stringMatching(/^webhook has taken/)],
    ["problem", "telegram did not take a test message: Telegram refused with 400: chat not found"],
  ]);
  expect(JSON.parse(hook.heard[0]?.body ?? "").text).toMatch(/^pegbot paper: test: this is a test, sent by /);
  expect(JSON.stringify(findings)).not.toContain(token);
  vi.stubEnv("TELEGRAM_OF_DOCTOR", "");
  expect(await told(true)).toMatchObject([
    { verdict: "problem", cause: expect.stringContaining("notices.telegram.token") },
  ]);
  const { config: none } = unwrap(parseConfig("mode: paper\n", "pegbot.yaml", {}));
  expect(await checkNotices(recordedShell(), none, false)).toEqual([]);
  expect(await checkNotices(recordedShell(), none, true)).toMatchObject([{ verdict: "problem" }]);
});

test("a key that was taken before and is refused is looked for in the portal, and no other signatures are tried unasked", async () => {
  const failure = { code: "unauthorized", status: 401, venueCode: undefined, message: "no" } as const;
  const refused = async () => ({ kind: "failed", failure }) as const;
  let asked = 0;
  const hooks = { permission: async () => asked++ > 0, progress: () => undefined, isWanted: false };
  const check = async (takenAt: typeof now | undefined) =>
    (await checkSignature(refused, presets.contract, { ...hooks, takenAt })).finding;
  const known = await check(now);
  expect([known.cause, asked]).toEqual([
    "the venue refuses the signature as configured (no), and took this key until 2026-11-15T08:30:00Z",
    0,
  ]);
  expect(known.next).toMatch(/^look in the venue's portal: .*revoked.*somebody else.*only where .* were changed since/);
  expect((await check(undefined)).next).toMatch(/^pegbot doctor --try-signatures/);
  expect(asked).toBe(1);
  // Who asks for them by name is let.
  await checkSignature(refused, presets.contract, { ...hooks, takenAt: now, isWanted: true });
  expect(asked).toBe(2);
});

test("that a key was taken is known by what only a signed answer brings into the journal", () => {
  const takers = everyKind.filter((record) => lastTaken([record]) !== undefined).map(({ kind }) => kind);
  expect([...new Set(takers)].sort()).toEqual(["adoption", "evidence", "fenced", "settled"]);
  const fenced = everyKind.filter(({ kind }) => kind === "fenced");
  const at = [3, 9, 5].map((time) => ({ ...fenced[0], at: millis(time) }) as (typeof fenced)[number]);
  expect(lastTaken(at)).toBe(9);
});
