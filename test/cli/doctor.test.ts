// Each finding of `doctor`, brought about for real: files, sockets, a simulator or a venue of canned answers.

import { generateKeyPairSync } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { bindJournal } from "../../src/app/journal/journal-binding.ts";
import { openKillFile } from "../../src/app/kill-switch/kill-file.ts";
import { systemClock } from "../../src/app/system/system-clock.ts";
import { systemTimers } from "../../src/app/system/system-timers.ts";
import { checkBot, checkRoom } from "../../src/cli/doctor/records.ts";
import { checkPairs } from "../../src/cli/doctor/venue.ts";
import { unwrap } from "../../src/domain/result.ts";
import { systemHostClock } from "../../src/exchange/budget/host-clock.ts";
import { openBudget } from "../../src/exchange/budget/open.ts";
import { createSecretFile } from "../../src/exchange/key/secret-file.ts";
import { presets } from "../../src/exchange/profile.ts";
import { newKeyPair, readKeyPair } from "../contract/client.ts";
import { journalAt } from "../journal/place.ts";
import { openAccount, openSimulator } from "../simulator/server-stage.ts";
import { selfSigned } from "../support/certificate.ts";
import { faultServer } from "../support/fault-server.ts";
import { scriptedPrompts } from "../support/recorded-shell.ts";
import { cannedVenue, refusal } from "./canned-venue.ts";
import { patient, talkingTo, useOwnState, visit } from "./doctor-stage.ts";

useOwnState();

const READS = /^(assets|tradingPairs|quotes|accountBalance|withdrawAddresses|query[A-Z][A-Za-z]+)$/;
const plain401 = refusal(401, undefined, "unauthorized");

/** Another process's bot, as the key's ledger has it. */
async function botOf(fingerprint: string) {
  const opened = await openBudget({
    place: { stateFolder: join(String(process.env.XDG_STATE_HOME), "pegbot"), fingerprint },
    machine: { clock: systemClock, host: systemHostClock(), timers: systemTimers },
    identity: { instance: "other", pid: 424_242, folder: "/srv/other", role: "bot" },
  });
  return unwrap(opened);
}

test("a bot that is stopped is a problem, whatever else is in order, and so is a disk without room for its journal", async () => {
  const { configFile, folder } = patient(newKeyPair(), talkingTo((await cannedVenue()).baseUrl));
  const path = join(folder, "data", "pegbot.db");
  expect([checkBot(path), checkRoom(path, () => 0)]).toEqual([[], []]);
  journalAt(path).close();
  const killFile = openKillFile(path);
  expect((await visit(configFile)).findings.filter(({ check }) => ["bot", "disk"].includes(check))).toEqual([]);
  unwrap(killFile.write("looks wrong", "anna"));
  const seen = await visit(configFile);
  expect(seen.finding("bot")).toMatchObject({
    verdict: "problem",
    cause: "HALTED: looks wrong (pegbot status)",
    next: 'way out: pegbot resume --reason "..."',
  });
  expect(seen.code).toBe(1);
  const mib = 2 ** 20;
  expect(checkRoom(path, () => 64 * mib)).toEqual([]);
  expect(checkRoom(path, () => 64 * mib - 1)).toMatchObject([
    { verdict: "problem", cause: expect.stringContaining("has 63 MiB left, less than 64 MiB; its reserve is spent") },
  ]);
  writeFileSync(`${path}.reserve`, "");
  expect(checkRoom(path, () => 0)).toMatchObject([
    { verdict: "warning", cause: expect.stringContaining("has 0 MiB left, less than 64 MiB; beside its reserve") },
  ]);
});

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

test.concurrent("for people a problem has its next step below it, and the count at the end", async () => {
  const seen = await visit(patient(newKeyPair(), talkingTo("http://127.0.0.1:9/api/v1/")).configFile, { json: false });
  const lines = seen.shell.stdout().trimEnd().split("\n");
  expect(lines.slice(-5)).toEqual([
    "connection     problem  no connection to the venue (connection failed (ECONNREFUSED))",
    "                        -> is it running? check host and port in venue.baseUrl, and the network",
    "venue          skipped  clock, pairs, quotes, signature, balances, addresses and history need a connection",
    "",
    "1 problem, no warnings",
  ]);
  expect(seen.code).toBe(1);
});

test.concurrent("every mistake of the configuration is a finding, and the command ends with 2", async () => {
  const seen = await visit(patient(newKeyPair(), "mode: papr\nvenu: {}").configFile);
  expect(seen.findings.map(({ check, verdict }) => `${check} ${verdict}`)).toEqual(
    Array.from({ length: 2 }, () => "configuration problem"),
  );
  expect(seen.findings.map(({ cause }) => cause).join("\n")).toMatch(/:2:7: mode must be.*\n.*:3:1: unknown key venu/);
  expect(seen.code).toBe(2);
});

test.concurrent("paper mode without an address has no venue to ask", async () => {
  const seen = await visit(patient(newKeyPair(), "mode: paper").configFile);
  expect(seen.finding("venue")).toMatchObject({ verdict: "skipped", cause: expect.stringContaining("inside the bot") });
  expect(seen.findings.some(({ check }) => check === "connection")).toBe(false);
  expect(seen.code).toBe(0);
});

test.concurrent("on paper the account's own key and its ledger are looked at, not the one that is configured", async () => {
  const [configured, own] = [newKeyPair(), newKeyPair()];
  const { configFile, keyFile, folder } = patient(configured, "mode: paper\njournal: { path: ./paper.db }");
  chmodSync(keyFile, 0o640);
  expect((await visit(configFile)).finding("key")).toMatchObject({
    verdict: "skipped",
    cause: "none is needed: a paper account's is made at its first start",
  });
  const pem = own.privateKey.export({ type: "pkcs8", format: "pem" });
  createSecretFile(join(folder, "paper.db.key"), Buffer.from(pem), "key file");
  const seen = await visit(configFile);
  expect(seen.finding("key")).toMatchObject({ verdict: "ok", cause: expect.stringContaining(own.publicKey) });
  expect(seen.finding("ledger")).toMatchObject({ verdict: "ok", cause: expect.stringContaining("no bot runs") });
  expect(seen.code).toBe(0);
});

test.concurrent("on paper the simulator inside the bot is asked while that runs, and an address that outlasted it is not", async () => {
  const [venue, own] = [await cannedVenue(), newKeyPair()];
  const { configFile, folder } = patient(newKeyPair(), "mode: paper\njournal: { path: ./paper.db }");
  const pem = own.privateKey.export({ type: "pkcs8", format: "pem" });
  createSecretFile(join(folder, "paper.db.key"), Buffer.from(pem), "key file");
  writeFileSync(join(folder, "paper.db.address"), `${venue.baseUrl}\n`);
  const alone = await visit(configFile);
  expect([alone.finding("venue").verdict, venue.calls()]).toEqual(["skipped", []]);
  const fingerprint = /fingerprint ([0-9a-f]{16})/.exec(alone.finding("key").cause)?.[1] ?? "";
  const bot = await botOf(fingerprint);
  const beside = await visit(configFile);
  bot.close();
  expect(beside.findings.some(({ check }) => check === "venue")).toBe(false);
  expect([beside.finding("signature").verdict, beside.finding("balances").verdict]).toEqual(["ok", "ok"]);
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
  const seen = await visit(configFile);
  budget.close();
  expect(seen.finding("venue")).toMatchObject({
    verdict: "problem",
    cause: expect.stringMatching(
      /^paused by the venue until \d\d:\d\d:\d\d \(503 with Retry-After 3600 to quotes\); doctor asks nothing$/,
    ),
  });
  expect(seen.finding("ledger").cause).toMatch(/^the slot opens at \d\d:\d\d:\d\d; /);
  expect([seen.code, venue.calls().length]).toEqual([1, asked]);
});

test.concurrent("a key file that the group can read is refused, with the command that mends it", async () => {
  const venue = await cannedVenue();
  const { configFile, keyFile } = patient(newKeyPair(), talkingTo(venue.baseUrl));
  chmodSync(keyFile, 0o640);
  const seen = await visit(configFile);
  expect(seen.finding("key")).toMatchObject({ verdict: "problem", cause: expect.stringContaining("chmod 600") });
  expect(seen.finding("venue").verdict).toBe("skipped");
  expect(venue.calls()).toEqual([]);
  expect(seen.code).toBe(1);
});

test.concurrent("a configuration without a key is told where to get one", async () => {
  const { configFile } = patient(newKeyPair(), "");
  writeFileSync(configFile, talkingTo("http://127.0.0.1:9/api/v1/"));
  expect((await visit(configFile)).finding("key")).toMatchObject({
    verdict: "problem",
    next: expect.stringContaining("key:"),
  });
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

test.concurrent("a ledger that is no ledger is named, and nothing is asked", async () => {
  const venue = await cannedVenue();
  const { configFile } = patient(newKeyPair(), talkingTo(venue.baseUrl));
  const first = await visit(configFile);
  const fingerprint = /fingerprint ([0-9a-f]{16})/.exec(first.finding("key").cause)?.[1] ?? "";
  const folder = join(String(process.env.XDG_STATE_HOME), "pegbot", "keys", fingerprint);
  rmSync(folder, { recursive: true });
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, "ledger.db"), "no database at all, but some text".repeat(100), { mode: 0o600 });
  const before = venue.calls().length;
  const seen = await visit(configFile);
  expect(seen.finding("ledger")).toMatchObject({ verdict: "problem", next: expect.stringContaining("never delete") });
  expect(venue.calls()).toHaveLength(before);
  expect(seen.code).toBe(1);
});

test.concurrent("a key that is lost beside a journal of its account is not answered by a new one alone: the journal would refuse it", async () => {
  const { configFile, folder, keyFile } = patient(newKeyPair(), talkingTo((await cannedVenue()).baseUrl));
  rmSync(keyFile);
  expect((await visit(configFile)).finding("key").next).toMatch(/pegbot keys generate$/);
  journalAt(join(folder, "data", "pegbot.db")).close();
  expect((await visit(configFile)).finding("key").next).toMatch(
    /bring the key back; .* docs\/OPERATIONS\.md, "A new key for the same account"$/,
  );
});

test.concurrent("a journal that is not the key's own is a problem: a start refuses it, in the same words", async () => {
  const { configFile, folder } = patient(newKeyPair(), talkingTo((await cannedVenue()).baseUrl));
  const path = join(folder, "data", "pegbot.db");
  const first = await visit(configFile);
  const fingerprint = /fingerprint ([0-9a-f]{16})/.exec(first.finding("key").cause)?.[1] ?? "";
  const budget = await botOf(fingerprint);
  const key = { ledger: budget.ledger, environment: "paper" };
  const own = join(folder, "moved", "pegbot.db");
  mkdirSync(dirname(own));
  await bindJournal(key, own, "c-1");
  budget.close();
  const seen = await visit(configFile);
  expect([seen.code, seen.finding("journal")]).toEqual([
    1,
    {
      check: "journal",
      verdict: "problem",
      cause: `journal ${path} is not the one of this key in environment paper: that is ${own}, chain c-1`,
      next: "set journal.path to it; if it is lost or was moved on purpose, pegbot adopt takes this one instead",
    },
  ]);
});

test.concurrent("says which process holds the budget and what for, and waits for its turn", async () => {
  const venue = await cannedVenue();
  const { configFile } = patient(newKeyPair(), talkingTo(venue.baseUrl));
  const first = await visit(configFile);
  const fingerprint = /fingerprint ([0-9a-f]{16})/.exec(first.finding("key").cause)?.[1] ?? "";
  const budget = await botOf(fingerprint);
  const slot = unwrap(await budget.take({ class: "confirmation" }));
  const asked = venue.calls().length;
  const waiting = visit(configFile);
  for (let i = 0; i < 500 && budget.ledger.status().waiting.length === 0; i++)
    await new Promise<void>((resolve) => systemTimers.after(10, resolve));
  expect(venue.calls()).toHaveLength(asked);
  slot.end({ kind: "unspent" });
  const seen = await waiting;
  budget.close();
  expect(seen.finding("ledger")).toMatchObject({
    verdict: "ok",
    cause: expect.stringMatching(
      /^process 424242 has the slot since 20[0-9T:.-]+Z for confirmation; bot is process 424242 in \/srv\/other; 1 other program uses the key/,
    ),
  });
  expect(seen.finding("signature").verdict).toBe("ok");
});

test.concurrent.each([
  [-40_000, "problem", "ahead of"],
  [40_000, "problem", "behind"],
  [-10_000, "warning", "ahead of"],
  [500, "ok", "within a second"],
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

test.concurrent("a certificate that nobody vouches for is named, and no byte of a request is sent", async () => {
  const day = 86_400_000;
  const from = new Date(systemClock.now() - day);
  const certificate = selfSigned({ names: ["localhost"], from, to: new Date(systemClock.now() + day) });
  const server = await faultServer(() => {}, { ...certificate, host: "localhost" });
  const seen = await visit(patient(newKeyPair(), talkingTo(server.baseUrl)).configFile);
  expect(seen.finding("connection")).toMatchObject({
    verdict: "problem",
    cause: expect.stringContaining("SELF_SIGNED"),
  });
  expect(server.received()).toBe("");
  await server.close();
});

test.concurrent("a venue without quotes is in order, and the switch that saves the request is named", async () => {
  const server = await openSimulator({ profile: { ...presets.contract, quotes: "absent" } });
  const key = newKeyPair();
  await openAccount(server, key);
  const seen = await visit(patient(key, talkingTo(server.baseUrl)).configFile);
  expect(seen.finding("quotes")).toMatchObject({
    verdict: "ok",
    next: expect.stringContaining("venue.profile.quotes"),
  });
  expect(seen.code).toBe(0);
});

test.concurrent("a history call that answers 403 is a warning, and the key is not called dead", async () => {
  const venue = await cannedVenue((name) =>
    name === "queryPayments" ? refusal(403, "forbidden", "not for you") : undefined,
  );
  const seen = await visit(patient(newKeyPair(), talkingTo(venue.baseUrl)).configFile);
  const history = seen.findings.filter(({ check }) => check === "history");
  expect(history.map(({ verdict }) => verdict)).toEqual(["ok", "warning"]);
  expect(history[0]?.cause).toBe("orders, trades, rails can be read");
  expect(history[1]?.cause).toMatch(/^payments: .*not for you/);
  expect(seen.code).toBe(0);
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

test("a pair of the limits that the venue does not trade is a problem", () => {
  const read = { kind: "read", value: [], at: undefined, receivedAt: systemClock.now(), nonce: undefined } as const;
  expect(checkPairs(read, ["VCHF/CHF"], true)).toMatchObject({
    verdict: "problem",
    cause: expect.stringContaining("VCHF/CHF"),
  });
});

test.concurrent("a pair of paper mode's own limits that is offline is a warning, where the configuration has none", async () => {
  const server = await openSimulator();
  await server.writer.perform({ kind: "pair", symbol: "VCHF/CHF", change: { status: "offline" } });
  const seen = await visit(patient(newKeyPair(), talkingTo(server.baseUrl)).configFile);
  expect(seen.finding("pairs")).toMatchObject({
    verdict: "warning",
    cause: "VCHF/CHF of paper mode's own limits cannot be traded now (8 listed, 7 online)",
    next: "pegbot pairs shows what can; name others in risk.symbols, or wait until the pair is online",
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

test.concurrent("when no form is taken and the venue says nothing, the key is blamed", async () => {
  const venue = await cannedVenue((name) => (name === "accountBalance" ? plain401 : undefined));
  const seen = await visit(patient(newKeyPair(), talkingTo(venue.baseUrl)).configFile, { trySignatures: true });
  expect(seen.finding("signature").cause).toMatch(
    /each of the 119 other forms as well, so the key is likelier to blame/,
  );
  expect(venue.calls().filter((name) => name === "accountBalance")).toHaveLength(121);
  expect(seen.shell.stderr()).toContain("trying signatures: 119 of 119");
});

test.concurrent("a nonce that was used up to the future is not taken for a wrong signature", async () => {
  const server = await openSimulator();
  const client = await openAccount(server);
  await client.call("accountBalance", {}, { nonce: String(systemClock.now() + 3_600_000) });
  const seen = await visit(patient(client.key, talkingTo(server.baseUrl)).configFile, { trySignatures: true });
  expect(seen.finding("signature")).toMatchObject({
    verdict: "problem",
    cause: expect.stringContaining("higher nonce"),
  });
  expect(seen.shell.stderr()).toBe("");
});

test.concurrent("refused once and taken with a fresh nonce means that someone else uses the key", async () => {
  const venue = await cannedVenue((name, nth) => (name === "accountBalance" && nth === 1 ? plain401 : undefined));
  const seen = await visit(patient(newKeyPair(), talkingTo(venue.baseUrl)).configFile);
  expect(seen.finding("signature")).toMatchObject({
    verdict: "warning",
    next: expect.stringContaining("another program"),
  });
  expect(seen.code).toBe(0);
});

test.concurrent.each([
  ["a lock in words", refusal(401, undefined, "account locked after too many failed signatures"), 1],
  ["403", refusal(403, undefined, "forbidden"), 1],
  ["429 twice", refusal(429, "rate_limited", "slow down"), 2],
  ["403 that mentions a rate, twice", refusal(403, undefined, "request rate exceeded"), 2],
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

test.concurrent.each([
  ["yes", 121],
  ["no", 2],
])("at a terminal it asks before it tries other signatures: %s", async (answer, requests) => {
  const venue = await cannedVenue((name) => (name === "accountBalance" ? plain401 : undefined));
  const prompts = scriptedPrompts(answer);
  const { configFile } = patient(newKeyPair(), talkingTo(venue.baseUrl));
  await visit(configFile, { interactive: true, prompts });
  expect(prompts.asked).toEqual([expect.stringMatching(/up to 119 other forms of it, one a second\?.*lock a key/)]);
  expect(venue.calls().filter((name) => name === "accountBalance")).toHaveLength(requests);
});

test.concurrent("without a terminal nothing is tried unless it was asked for, and the way to ask is named", async () => {
  const venue = await cannedVenue((name) => (name === "accountBalance" ? plain401 : undefined));
  const seen = await visit(patient(newKeyPair(), talkingTo(venue.baseUrl)).configFile);
  expect(seen.finding("signature").next).toContain("pegbot doctor --try-signatures");
  expect(venue.calls().filter((name) => name === "accountBalance")).toHaveLength(2);
});
