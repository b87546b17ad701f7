// Why a bot is stopped, by the words that the bot really uses.

import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import type { OrderRecord } from "../../src/exchange/port.ts";
import { orderConflict } from "../../src/execution/history-check.ts";
import { unexplainedText, unsaidText } from "../../src/execution/totals-watch.ts";
import { STOP_CAUSES, type StopCause, stopCauseOf } from "../../src/telemetry/meter/stop-cause.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { KNOWN, quietLook, scraped } from "./look.ts";

const stop = (state: "ACTIVE" | "REDUCED" | "HALTED" | "KILLED", reason: string) =>
  ({ state, reason, wayOut: "", by: "bot", since: millis(0) }) as const;

/** A gap in a text, which whoever makes it fills. */
const GAP = /\$\{(?:[^{}]|\{[^}]*\})*\}/g;
const sourceOf = (file: string): string => readFileSync(resolve("src", file), "utf8").replaceAll(GAP, "…");
const says = (file: string, text: string): boolean =>
  [`\`${text}\``, `"${text}"`].some((quoted) => sourceOf(file).includes(quoted));
const filled = (text: string): string => text.replaceAll("…", "T-1");

const causeOf = (reason: string) => stopCauseOf(stop("HALTED", reason));

// The texts are those of the sources, as they stand there: who changes one meets this list.
test.for<[file: string, cause: StopCause, text: string]>([
  ["bot/accounts/trades.ts", "contradiction", "trade … must belong to …, was reported for …"],
  ["bot/accounts/trades.ts", "contradiction", "fill of … must be … as booked, was …"],
  ["bot/accounts/trades.ts", "contradiction", "fill of … must be trade …, was …"],
  ["bot/accounts/accounts.ts", "contradiction", "fill of … must belong to an order of ours, was of none"],
  ["bot/accounts/accounts.ts", "contradiction", "fill of … contradicts its order: …"],
  ["bot/accounts/accounts.ts", "contradiction", "… is in flight already, and departed again"],
  ["bot/accounts/accounts.ts", "contradiction", "… was given back, but the books do not know it in flight"],
  ["bot/accounts/accounts.ts", "contradiction", "… arrived, but the books do not know it in flight"],
  ["bot/fold.ts", "contradiction", "fill must be of the order that is reported, …, was of …"],
  ["bot/fold.ts", "contradiction", "…, but the books do not know it"],
  ["bot/fold.ts", "late_fill", "… after it had filled"],
  ["bot/fold.ts", "late_fill", "order … filled after it had been given up; the fill is booked"],
  ["bot/fold.ts", "no_rate", "… has no rate, so losses of the day and from the peak cannot be told"],
  ["bot/review.ts", "strategy", "strategy stopped: …"],
  ["bot/desk.ts", "strategy", "the state of strategy … cannot be recorded: …"],
  ["bot/strategy-state.ts", "strategy", "strategy … does not sit down: …"],
  ["bot/pipeline.ts", "bug", "stopped by a bug: …"],
  ["cli/bot/bug-halt.ts", "bug", "stopped by a bug: …"],
  [
    "cli/bot/place-watch.ts",
    "journal",
    "the ledger of the key is gone: … was moved or deleted while in use, so that nothing can be asked or sent",
  ],
  ["cli/bot/place-watch.ts", "journal", "no stop could be kept: …"],
  [
    "cli/action/journal/anchor.ts",
    "journal",
    "the journal was anchored anew at record … by …; what came after it, if anything did, is not in it",
  ],
  ["execution/advance.ts", "contradiction", "the answer to … contradicts itself: …"],
  ["execution/advance.ts", "venue", "the venue forbids …: …"],
  ["execution/advance.ts", "doubt", "… was answered as done, and history does not show it after … ms"],
  ["execution/create-executor.ts", "venue", "the venue refuses our key"],
  ["execution/create-executor.ts", "venue", "the venue forbids this account to ask: …"],
  ["execution/foreign.ts", "foreign", "the venue shows ……, of which the journal knows nothing"],
  ["execution/reconcile.ts", "foreign", "the venue shows ……, of which the journal knows nothing"],
  ["execution/look.ts", "doubt", "… is not known to have ended, and the venue refuses the key that asks about it"],
  ["execution/move.ts", "foreign", "the venue shows …, which was never sent"],
  ["execution/move.ts", "late_fill", "… happened after it had been given up (…); it is booked"],
  ["execution/move.ts", "contradiction", "… contradicts itself: …"],
  ["execution/movements.ts", "contradiction", "mint … cost …, approved was at most …; it is booked"],
  ["execution/totals-watch.ts", "balances", "balances must not be negative, were … available and … pending of …"],
])("%s: as %s is known %s", ([file, cause, text]) => {
  expect(says(file, text), `${file} must say it in these words`).toBe(true);
  expect(causeOf(filled(text))).toBe(cause);
});

// Witnesses that disagree about one request: the reason stands behind its name.
test.for<[file: string, cause: StopCause, text: string]>([
  ["execution/order-evidence.ts", "contradiction", "trades show …; orders show it as Rejected"],
  ["execution/order-evidence.ts", "contradiction", "trades do not show it; orders show it as …"],
  ["execution/order-evidence.ts", "contradiction", "trades do not show it; the balances are explained only with it"],
  ["execution/order-evidence.ts", "contradiction", "trade … has no client order id and fits"],
  ["execution/order-evidence.ts", "contradiction", "an order fills once; trades show … and …"],
  ["execution/order-evidence.ts", "contradiction", "trades show …, but …"],
  ["execution/order-evidence.ts", "contradiction", "trades show it with status …"],
  ["execution/balance-vote.ts", "balances", "balances differ from the ledger by …, which no open request explains"],
  ["execution/movement-evidence.ts", "foreign", "the venue lists several new mints that may be …"],
  ["execution/movement-evidence.ts", "foreign", "the venue lists several new rails that may be …"],
])("%s: as %s is known %s", ([file, cause, text]) => {
  expect(says(file, text), `${file} must say it in these words`).toBe(true);
  expect(causeOf(`T-1: ${filled(text)}`)).toBe(cause);
});

test("what is made in place is known too: of differences, of lists, of limits and of the journal", () => {
  const row = { status: "Filled" } as OrderRecord;
  expect(causeOf(orderConflict("T-1", "not-sent", row) ?? "")).toBe("foreign");
  expect(causeOf(orderConflict("T-1", "presumed-dead", row) ?? "")).toBe("late_fill");
  expect(causeOf(orderConflict("T-1", "settled", { ...row, status: "Rejected" }) ?? "")).toBe("contradiction");
  expect(causeOf(unexplainedText([Money.of("5", "CHF" as Asset)]))).toBe("balances");
  expect(causeOf(unsaidText("CHF" as Asset))).toBe("balances");
});

// Of risk rules and journals the code begins the reason; earlier versions had other words for a difference at a start.
test.for<[string, StopCause]>([
  ["RC05: loss of the day is 12 CHF, limit is 10 CHF", "loss"],
  ["RC06: loss from the peak is 12 CHF, limit is 10 CHF", "loss"],
  ["RC10: orders of the day are 20, limit is 20", "used_up"],
  ["RC11: value traded in an hour is 2 CHF, limit is 1 CHF", "used_up"],
  ["RC18: fees of the day are 2 CHF, limit is 1 CHF", "used_up"],
  ["RC12: rejections in a row are 20, limit is 19", "rejections"],
  ["RC16: outcome of T-1 is unknown for 900001 ms, limit is 900000 ms", "doubt"],
  ["RC21: what leaves is 2, limit is 1", "exit_check"],
  ["RC25: time since the last heartbeat is 2 ms, limit is 1 ms", "heartbeat"],
  ["journal-full: no room on the disk", "journal"],
  ["venue and ledger differ: CHF at the venue 100500, in the journal 100000", "balances"],
  ["the venue forbids T-1: it contradicts RC05, which was never sent", "venue"],
  ["strategy stopped: decide of grid threw: stopped by a bug, must be 1, was 2", "strategy"],
  ["something nobody has thought of", "other"],
])("%s is %s", ([reason, cause]) => {
  expect(causeOf(reason)).toBe(cause);
});

test("no reason that is put into words where the bot is halted is missing above", () => {
  const known = readFileSync(import.meta.filename, "utf8");
  const found = readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [...sourceOf(name).matchAll(HALTS)].map(([, text]) => text as string));
  expect(found.length).toBeGreaterThan(10);
  expect(found.filter((text) => !known.includes(text) && !WRAPPED.includes(text))).toEqual([]);
});

/** The first text of a call. */
const HALTS = /\bhalt\(\s*(?:submission,\s*|\{[^}]*\},\s*)?(?:end === "filled" \? )?[`"]([^`]+?)[`"](?:,| :)/g;
/** Its reason is one of the witnesses'. */
const WRAPPED: readonly string[] = ["…: …"];

test("every cause has its row among the ways out and stands in the list of labels", () => {
  const labels = /^- `cause`:.*/m.exec(readFileSync("docs/MONITORING.md", "utf8"))?.[0];
  const [, ways = ""] = readFileSync("docs/OPERATIONS.md", "utf8").split("## Ways out");
  const rows = ways
    .split("\n## ")[0]
    ?.split("\n")
    .filter((line) => line.startsWith("| "));
  for (const cause of STOP_CAUSES) {
    expect(labels).toContain(`\`${cause}\``);
    if (cause !== "other") expect(rows?.filter((row) => row.split(" | ")[0]?.includes(ROWS[cause]))).toHaveLength(1);
  }
});

const ROWS: Readonly<Record<Exclude<StopCause, "other">, string>> = {
  person: "KILLED by a person",
  loss: "`RC05`",
  used_up: "`RC10`",
  rejections: "`RC12`",
  doubt: "`RC16`",
  exit_check: "`RC21`",
  heartbeat: "`RC25`",
  balances: "balances differ from the ledger",
  foreign: "of which the journal knows nothing",
  late_fill: "after it had been given up",
  contradiction: "contradicts itself",
  journal: "`journal-full`",
  venue: "the venue refuses our key",
  no_rate: "has no rate",
  strategy: "strategy stopped",
  bug: "stopped by a bug",
};

test("a person's stop is a person's, whatever the words, and an active bot has no cause", () => {
  expect(stopCauseOf(stop("KILLED", "RC05: I saw it coming"))).toBe("person");
  expect(stopCauseOf(stop("ACTIVE", "RC05: resumed"))).toBeUndefined();
});

test("a person's stop hides none of the bot's own", async () => {
  const also = [stop("HALTED", "the venue's balances differ from the ledger by 5 CHF")];
  const samples = await scraped(createMetrics(KNOWN), quietLook({ standing: { ...stop("KILLED", "dinner"), also } }));
  expect(samples.get('pegbot_stop_cause{cause="person"}')).toBe(1);
  expect(samples.get('pegbot_stop_cause{cause="balances"}')).toBe(1);
  expect(samples.get('pegbot_stop_cause{cause="loss"}')).toBe(0);
});
