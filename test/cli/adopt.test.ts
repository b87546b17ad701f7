// What ends an adoption that a person has been thinking about.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openKillFile } from "../../src/app/kill-switch/kill-file.ts";
import type { MoneyCommand } from "../../src/app/money-command/money-command.ts";
import type { Input } from "../../src/bot/trading-core/input.ts";
import {
  adoptingBy,
  hasStrangers,
  lookAtReplaced,
  movedMeanwhile,
  nextOf,
  type ReplacedJournal,
  replacedLines,
  rowLines,
  takeOver,
} from "../../src/cli/command/adopt.ts";
import { configSchema } from "../../src/config/schema.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { ok, unwrap } from "../../src/domain/result.ts";
import type { RiskState } from "../../src/domain/step.ts";
import { millis } from "../../src/domain/time.ts";
import type { AdoptionPlan, Comparison } from "../../src/execution/adjustment.ts";
import type { Entry, JournalRecord } from "../../src/journal/record.ts";
import { FRESH } from "../../src/risk/trading-state.ts";
import { completeConfig } from "../config/complete.ts";
import { journalAt, temporaryFolder } from "../journal/place.ts";
import { everyKind } from "../journal/samples.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";

const JOURNAL = "/nowhere/pegbot.db";

/** What it is, and of a step of what. */
function nameOf(record: JournalRecord): string {
  return record.kind === "step" ? `step ${record.step.event.kind}` : record.kind;
}

test("is whatever moved the books meanwhile, and nothing that left them alone", () => {
  const movers = everyKind.filter((record) => movedMeanwhile([{ record }]) !== undefined).map(nameOf);
  expect([...new Set(movers)].sort()).toEqual([
    "adoption",
    "intent",
    "outcome",
    "resolution",
    "sending",
    "step adoption",
    "step movement",
    "step report",
  ]);
});

test("is said, with what to do", () => {
  const filled = everyKind.filter(
    (record) =>
      record.kind === "step" && record.step.event.kind === "report" && record.step.event.report.kind === "filled",
  );
  expect(movedMeanwhile(filled.map((record) => ({ record })))).toBe(
    "the account moved while it was looked at (report): pegbot halt first, then adopt again",
  );
  expect(movedMeanwhile([])).toBeUndefined();
});

test("other money than that of a mint under way is on record with the reason", () => {
  expect(adoptingBy("ann", { reason: " a wire ", beside: ["M-1", "payment:p1"] })).toEqual({
    reason: "a wire (other money than that of M-1, payment:p1)",
    by: "ann",
    beside: ["M-1", "payment:p1"],
    gone: [],
  });
  expect(adoptingBy("ann", {}).reason).toBe("accepted by ann");
  const long = adoptingBy("ann", { reason: "a wire ".repeat(50), beside: ["M-1"] }).reason;
  expect(long).toMatch(/^a wire .*characters\) \(other money than that of M-1\)$/);
});

test("whose a row is, is asked where nobody here sent it, and not where the venue says something else of an order of ours", () => {
  const [stranger, ours] = [{ key: "trade:t-1" }, { key: 'contested:order "o-1" as Rejected' }];
  const asks = [[], [ours], [stranger], [ours, stranger]].map((rows) => hasStrangers({ rows }));
  expect(asks).toEqual([false, false, true, true]);
});

test("what is next has a new start before the resume where a strategy must begin anew", () => {
  expect(nextOf({ isStopped: true, isAnew: false })).toBe('next: pegbot resume --reason "..."');
  expect(nextOf({ isStopped: false, isAnew: false })).toBeUndefined();
  for (const isStopped of [true, false])
    expect(nextOf({ isStopped, isAnew: true })).toMatch(
      /^next: .*the strategy, start the bot again, then pegbot resume/,
    );
});

test("of the journal that it replaces a file that is gone or unreadable is told as that, and the stop beside it counts all the same", async () => {
  const folder = temporaryFolder();
  const [path, here] = [join(folder, "old.db"), join(folder, "new.db")];
  const config = configSchema.parse({ ...completeConfig(), journal: { path: here } });
  const look = () => lookAtReplaced(config, { path, chainId: "c-1" });
  expect(look()).toMatchObject({ isRead: false, standing: { state: "ACTIVE" } });
  unwrap(openKillFile(path).write("Anna has to look", "root"));
  expect(replacedLines(look())).toEqual([
    `replaces ${path}, chain c-1, the journal of this key so far, which is gone or cannot be read`,
    expect.stringMatching(/^ {2}HALTED since .*, by root: Anna has to look; it goes with the key$/),
    expect.stringContaining("counts no more"),
  ]);
  const unread = { isRead: false, standing: { reason: "Anna has to look" } };
  writeFileSync(path, "SQLite format 3\0".padEnd(8192, "?"));
  expect(look()).toMatchObject(unread);
  rmSync(path);
  const journal = journalAt(path);
  for (let written = 0; written < 5; written++) unwrap(await journal.append(everyKind));
  journal.close();
  expect(look()).toMatchObject({ isRead: true, standing: { state: "HALTED" } });
  // Its pages after the first ones.
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0x3f, 3 * 4096));
  expect(look()).toMatchObject(unread);
  expect(lookAtReplaced(config, { path: here, chainId: "c-1" })).toMatchObject({ isRead: false });
});

test("rows that the journal does not have are shown, at most twenty of them", () => {
  expect(rowLines([])).toEqual(["every row of the venue's histories is known"]);
  const rows = Array.from({ length: 22 }, (_, i) => ({ text: `trade t-${i}` }));
  expect(rowLines(rows.slice(0, 1))).toEqual([
    "1 rows of the venue's histories are not in the journal:",
    "  trade t-0",
  ]);
  expect(rowLines(rows).slice(-2)).toEqual(["  trade t-19", "  and 2 more"]);
});

type Meanwhile = {
  readonly yes?: boolean;
  /** What others write meanwhile: whoever takes something next is handed it, once. */
  readonly news?: readonly JournalRecord[];
  readonly replaced?: ReplacedJournal;
  readonly books?: RiskState;
  /** Why a stop cannot be written. */
  readonly unwritten?: string;
};

/** What follows where the venue has so much more, with these rows. */
async function takenOver(
  { amounts = [], rows = [] }: { amounts?: readonly Money[]; rows?: readonly object[] },
  { yes = true, news = [], replaced, books = "ACTIVE", unwritten }: Meanwhile = {},
): Promise<readonly string[]> {
  const done: string[] = [];
  const entries = news.map((record) => ({ record }) as Entry);
  const quote = {
    symbol: "VCHF/CHF",
    bid: 0.999,
    ask: 1,
    bidSize: undefined,
    askSize: undefined,
    receivedAt: millis(0),
  };
  const engineBooks = { pricing: { currency: "CHF" }, counters: { tradingState: { ...FRESH, state: books } } };
  const tool = {
    tradingCore: { executor: { isOpened: true }, engine: { books: engineBooks } },
    config: { journal: { path: JOURNAL } },
    clock: { now: () => millis(0), heard: () => undefined },
    exchange: {
      async quotes() {
        done.push("quotes");
        return { kind: "read", at: millis(0), value: [{ ...quote, source: "venue", at: undefined }] };
      },
    },
    killFile: { standing: () => FRESH },
    now: () => ({ at: millis(0) }),
    bind: async () => void done.push("bound"),
    async take(input: Input, unless?: (entries: readonly Entry[]) => string | undefined) {
      const { kind } = input;
      if (kind === "event" && input.event.kind === "control") {
        if (unwritten !== undefined) throw new Error(unwritten);
        done.push(input.event.control.kind);
        return { warnings: [], steps: [] };
      }
      const why = unless?.(entries);
      if (why !== undefined) throw new Error(why);
      entries.length = 0;
      if (kind !== "event") done.push(kind);
      return { warnings: [], steps: [] };
    },
  } as unknown as MoneyCommand;
  const plan = ok({ record: { amounts } } as unknown as AdoptionPlan);
  const shell = recordedShell();
  const references = { newest: () => [], close: () => undefined } as never;
  const accepting = { plan, yes, replaced };
  await takeOver(
    tool,
    { shell, prompts: scriptedPrompts(), references },
    { rows } as unknown as Comparison,
    accepting,
  ).catch(({ message }: Error) => done.push(message));
  return shell.stdout().includes("next: pegbot resume") ? [...done, "resume"] : done;
}

test("is taken over where amounts or rows are news, and only when a person confirms it", async () => {
  const CHF = "CHF" as Asset;
  const amounts = [Money.of("5", CHF)];
  for (const one of [{ amounts }, { rows: [{ key: "trade:t-1" }] }]) {
    expect(await takenOver(one)).toEqual(["adoption", "bound"]);
    expect(await takenOver(one, { yes: false })).toEqual([expect.stringContaining("needs a confirmation")]);
  }
  expect(await takenOver({})).toEqual(["bound"]);
});

test("is not taken over where the account moved while a person was asked", async () => {
  const amounts = [Money.of("5", "CHF" as Asset)];
  const news = everyKind.filter(({ kind }) => kind === "outcome").slice(0, 1);
  expect(news).toHaveLength(1);
  expect(await takenOver({ amounts }, { news })).toEqual([expect.stringContaining("the account moved while it was")]);
});

test("is valued by prices that are read once a person has confirmed it, where something has to be valued", async () => {
  const amounts = [Money.of("5", "VCHF" as Asset)];
  expect(await takenOver({ amounts })).toEqual(["quotes", "adoption", "bound"]);
  expect(await takenOver({ amounts }, { yes: false })).toEqual([expect.stringContaining("needs a confirmation")]);
  // What others wrote is handed out with the first of the prices.
  const news = everyKind.filter(({ kind }) => kind === "outcome").slice(0, 1);
  const moved = expect.stringContaining("the account moved while it was");
  expect(await takenOver({ amounts }, { news })).toEqual(["quotes", moved]);
});

test("in the place of another journal it takes that one's stop with it, before the key, and only when a person confirms it", async () => {
  const since = millis(0);
  const stop = { state: "HALTED", cause: "person", reason: "dinner", wayOut: "", by: "ann", since, also: [] } as const;
  const replaced: ReplacedJournal = { path: "gone.db", chainId: "c-1", isRead: false, standing: stop };
  expect(await takenOver({}, { replaced })).toEqual(["kill", "bound"]);
  expect(await takenOver({}, { replaced, yes: false })).toEqual([expect.stringContaining("needs a confirmation")]);
  const unwritten = await takenOver({}, { replaced, unwritten: "the disk is full" });
  expect(unwritten).toEqual(["the disk is full"]);
});

test("leads on to a resume where the bot has stopped, also where only its journal says so", async () => {
  const amounts = [Money.of("5", "CHF" as Asset)];
  expect(await takenOver({ amounts }, { books: "HALTED" })).toEqual(["adoption", "bound", "resume"]);
});
