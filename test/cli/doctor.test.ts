// Each finding of `doctor`, brought about for real: files, sockets, a simulator or a venue of canned answers.

import { generateKeyPairSync } from "node:crypto";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { stringify } from "yaml";
import { systemClock } from "../../src/app/system/system-clock.ts";
import { systemTimers } from "../../src/app/system/system-timers.ts";
import { checkFeeds, checkNotices } from "../../src/cli/contact/settings.ts";
import { parseConfig } from "../../src/config/load.ts";
import { unwrap } from "../../src/domain/result.ts";
import { openBudget } from "../../src/exchange/budget/budget.ts";
import { systemHostClock } from "../../src/exchange/budget/host-clock.ts";
import { completeConfig } from "../config/complete.ts";
import { newKeyPair, readKeyPair } from "../contract/client.ts";
import { openAccount, openSimulator } from "../simulator/server-stage.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { httpServer } from "../watch/notices/stage.ts";
import { cannedVenue, refusal } from "./canned-venue.ts";
import { patient, talkingTo, useOwnState, visit } from "./doctor-stage.ts";

useOwnState();

const READS = /^(assets|tradingPairs|quotes|accountBalance|withdrawAddresses|query[A-Z][A-Za-z]+)$/;
const plain401 = refusal(401, undefined, "unauthorized");

/** The owner of the key, as a process before it. */
async function botOf(fingerprint: string) {
  const opened = await openBudget({
    place: { stateFolder: join(String(process.env.XDG_STATE_HOME), "pegbot"), fingerprint },
    machine: { clock: systemClock, host: systemHostClock(), timers: systemTimers },
  });
  return unwrap(opened);
}

test.concurrent("an account in good order has no problem, and only reads were sent", async () => {
  const venue = await cannedVenue();
  const seen = await visit(patient(newKeyPair(), talkingTo(venue.baseUrl)).configFile);
  expect(seen.findings.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual([
    "configuration ok",
    "limits ok",
    "feeds ok",
    "key ok",
    "ledger ok",
    "connection ok",
    "clock ok",
    "assets ok",
    "pairs ok",
    "quotes ok",
    "signature ok",
    "balances ok",
    "addresses ok",
    "history ok",
    "fields ok",
    "shapes ok",
    "shapes warning",
  ]);
  expect(seen.code).toBe(0);
  expect(venue.calls()).toHaveLength(10);
  for (const call of venue.calls()) expect(call).toMatch(READS);
});

test("a pause by the venue is told at once, with the answer that did it, and nothing is asked", async () => {
  const venue = await cannedVenue();
  const { configFile } = patient(newKeyPair(), talkingTo(venue.baseUrl));
  const first = await visit(configFile);
  const fingerprint = /fingerprint ([0-9a-f]{16})/.exec(first.finding("key").cause)?.[1] ?? "";
  const budget = await botOf(fingerprint);
  const asked = venue.calls().length;
  const slot = unwrap(await budget.take({ class: "quote" }));
  slot.end({ kind: "answered", rateLimited: false, retryAfter: { ms: 3_600_000, status: 503, call: "quotes" } });
  budget.close();
  const seen = await visit(configFile);
  expect(seen.finding("venue")).toMatchObject({
    verdict: "problem",
    cause: expect.stringMatching(
      /^paused by the venue until \d\d:\d\d:\d\d \(503 with Retry-After 3600 to quotes\); doctor asks nothing$/,
    ),
  });
  expect([seen.code, venue.calls().length]).toEqual([1, asked]);
});

test.concurrent("a key on the other curve is a problem of the profile, and the rest is checked with the key's curve", async () => {
  const server = await openSimulator();
  const pem = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey.export({
    type: "pkcs8",
    format: "pem",
  });
  const key = readKeyPair(String(pem));
  await openAccount(server, key);
  const seen = await visit(patient(key, talkingTo(server.baseUrl)).configFile);
  expect(seen.finding("key")).toMatchObject({
    verdict: "problem",
    cause: expect.stringMatching(/^curve of the key is secp256k1, the profile says p256/),
    next: expect.stringContaining("venue.profile.curve"),
  });
  expect(seen.finding("signature").verdict).toBe("ok");
  expect(seen.code).toBe(1);
});

test.concurrent.each([
  [-40_000, "problem", "ahead of"],
  [-10_000, "warning", "ahead of"],
])("a venue's clock that differs by %i ms: %s", async (offsetMs, verdict, words) => {
  const server = await openSimulator({ faults: { rules: [{ fault: "wrong-clock", offsetMs }] } });
  const key = newKeyPair();
  await openAccount(server, key);
  const seen = await visit(patient(key, talkingTo(server.baseUrl)).configFile);
  const clock = seen.finding("clock");
  expect(clock.verdict).toBe(verdict);
  if (verdict !== "ok")
    expect(clock).toMatchObject({ cause: expect.stringContaining(words), next: expect.stringContaining("NTP") });
  expect(seen.finding("signature").verdict).toBe("ok");
});

test.concurrent.each([
  ["kyb_required", /identity check/],
  ["agreement_missing", /agreement .* is not signed/],
])("%s means that the signature is right and the account is not", async (code, words) => {
  const venue = await cannedVenue((name) => (name === "accountBalance" ? refusal(403, code, "no") : undefined));
  const seen = await visit(patient(newKeyPair(), talkingTo(venue.baseUrl)).configFile);
  expect(seen.finding("signature").verdict).toBe("ok");
  expect(seen.finding("balances")).toMatchObject({
    verdict: "problem",
    cause: expect.stringMatching(words),
    next: expect.stringContaining("portal"),
  });
});

test.concurrent("a key that the venue does not know is told so, and no other form is tried", async () => {
  const server = await openSimulator();
  const seen = await visit(patient(newKeyPair(), talkingTo(server.baseUrl)).configFile, { trySignatures: true });
  expect(seen.finding("signature")).toMatchObject({
    verdict: "problem",
    cause: expect.stringContaining("the venue names the key"),
    next: expect.stringContaining("register"),
  });
  expect(seen.shell.stderr()).toBe("");
});

test.concurrent("when no form is taken it says form or key, with what each try was answered", async () => {
  const asked = (body: string): boolean => body === "{}";
  const venue = await cannedVenue((name, _, { body }) => {
    if (name !== "accountBalance") return undefined;
    return asked(body) ? refusal(400, "bad_request", "no braces, please") : plain401;
  });
  const seen = await visit(patient(newKeyPair(), talkingTo(venue.baseUrl)).configFile, { trySignatures: true });
  const { cause } = seen.finding("signature");
  expect(cause).toMatch(/^form or key: .* each of the 139 other forms as well/);
  expect(cause).toMatch(/68, emptyCall braces: .*no braces.*; 71: .*unauthorized/);
  expect(venue.calls().filter((name) => name === "accountBalance")).toHaveLength(141);
});

test.concurrent.each([
  ["a lock in words", refusal(401, undefined, "account locked after too many failed signatures"), 1],
  ["429 twice", refusal(429, "rate_limited", "slow down"), 2],
])("the search stops at a lock-out: %s", async (_, lock, more) => {
  const refused = 5;
  const venue = await cannedVenue((name, nth) => {
    if (name !== "accountBalance") return undefined;
    return nth <= refused ? plain401 : lock;
  });
  const seen = await visit(patient(newKeyPair(), talkingTo(venue.baseUrl)).configFile, { trySignatures: true });
  expect(seen.finding("signature")).toMatchObject({
    verdict: "problem",
    cause: expect.stringContaining("the search stopped at"),
  });
  expect(venue.calls().filter((name) => name === "accountBalance")).toHaveLength(refused + more);
  expect(venue.calls().at(-1)).toBe("accountBalance");
  expect(seen.finding("signature").next).toMatch(
    more === 1 ? /^send nothing more with this key/ : /^find the other program/,
  );
});

function configOf(settings: unknown) {
  return unwrap(parseConfig(stringify(settings), "pegbot.yaml", {})).config;
}

test("par and the venue's quote are two sources; a pair between two that have enough has as many as the poorer", () => {
  const config = configOf(completeConfig());
  const { risk } = config;
  if (risk === undefined) throw new Error("the complete configuration has limits");
  const feed = config.market.references[0];
  const kraken = { kind: "kraken-rest", name: "rest", symbols: ["GBP/CHF"] } as typeof feed & object;
  const coinbase = { kind: "ccxt", name: "cb", exchange: "coinbase", symbols: ["GBP/CHF"] } as typeof feed & object;
  const par = { "VCHF/CHF": 50, "VGBP/GBP": 50 };
  const found = (symbols: readonly string[], references: (typeof feed & object)[], sourcesMin = {}) => {
    const market = { ...config.market, par, references, sourcesMin };
    const { verdict, cause } = checkFeeds({ ...config, market, risk: { ...risk, symbols: [...symbols] } });
    return verdict === "ok" ? verdict : cause.split(": ")[1];
  };
  expect(found(["VCHF/CHF"], [])).toBe("ok");
  const none = "VGBP/VCHF can have no source of fair value, and no order on it passes";
  expect(found(["VGBP/VCHF"], [])).toBe(none);
  expect(found(["VGBP/VCHF"], [kraken, { ...kraken, name: "other" }]), "one exchange is one source").toBe(none);
  expect(found(["VGBP/VCHF"], [kraken, coinbase])).toBe("ok");
  expect(found(["VGBP/VCHF"], [kraken, coinbase], { "VGBP/VCHF": 3 })).toContain("2 of the 3 sources");
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
});
