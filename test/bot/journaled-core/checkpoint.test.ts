// Beginning at a checkpoint comes to the same as beginning at the first record: tried at places all over journals with doubts,
// kills and resumptions, and with a mint among the orders. What is not whole, or of others, is not used.

import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { checkpointKeeper } from "../../../src/app/bot/checkpoints.ts";
import { jsonTerminal } from "../../../src/app/terminal/terminal.ts";
import {
  CheckpointMaker,
  checkpointText,
  type MakeTradingCore,
  readCheckpoint,
  tradingCoreAt,
} from "../../../src/bot/journaled-core/checkpoint.ts";
import { type Checkpoints, restoreFrom } from "../../../src/bot/journaled-core/restore.ts";
import { IDLE } from "../../../src/bot/strategy-host/strategy-state.ts";
import { createTradingCore } from "../../../src/bot/trading-core/create-trading-core.ts";
import type { TradingCore } from "../../../src/bot/trading-core/trading-core.ts";
import { checkpointJournal } from "../../../src/cli/command/journal-checkpoint.ts";
import type { Config } from "../../../src/config/schema.ts";
import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { err, ok, unwrap } from "../../../src/domain/result.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import { readCheckpointFile, writeCheckpointFile } from "../../../src/journal/file/checkpoint-file.ts";
import { checkpointOf } from "../../../src/journal/file/files.ts";
import type { Journal } from "../../../src/journal/journal.ts";
import type { Entry, Opening } from "../../../src/journal/record.ts";
import { journalAt, temporaryFolder } from "../../journal/place.ts";
import { runCampaign } from "../../simulation/campaign.ts";
import { makeCore } from "../../support/bot-core.ts";
import { recordedShell } from "../../support/recorded-shell.ts";
import { TreasuryWorld } from "../../treasury/world.ts";

/** So few orders that have ended are kept whole here: after as many it must not matter where one began. */
const ENDED_MAX = 12;
const BELONGS = { code: "this code", terms: "these terms", chainId: "this chain" };
const SEED = Number(process.env.PEGBOT_SEED ?? 1);
const CUTS = 16;

/** Killed and restarted again and again, with answers that were lost. */
const campaign = runCampaign({ seed: SEED, stormMs: 300_000 });

const make: MakeTradingCore = (saved) =>
  createTradingCore(makeCore({ writer: "checkpnt", endedMax: ENDED_MAX }, IDLE, saved), {
    safePointMs: Number.POSITIVE_INFINITY,
  });

function readerOf(entries: readonly Entry[]): Pick<Journal, "read"> {
  return { read: (after, most) => ok(entries.slice(after, after + most)) };
}

function hashIn(entries: readonly Entry[]): (sequence: number) => string | undefined {
  return (sequence) => entries[sequence - 1]?.hash;
}

function folded(entries: readonly Entry[], tradingCore = make()): TradingCore {
  for (const entry of entries) tradingCore.fold(entry);
  return tradingCore;
}

/** At that record, or at the first one after it where one can be taken. */
function madeAt(entries: readonly Entry[], from: number, maker: MakeTradingCore = make) {
  const tradingCore = make();
  const following = new CheckpointMaker(tradingCore, from);
  for (const entry of entries) {
    tradingCore.fold(entry);
    following.take(entry);
  }
  return following.finish(maker, readerOf(entries));
}

/** What the next process does first: it takes over all that is open. */
function takenOver(tradingCore: TradingCore): string {
  const at = millis(tradingCore.engine.books.now + 1_000);
  const turn = tradingCore.turn([], { kind: "time", isGone: () => true }, { at, mono: mono(5) });
  return JSON.stringify([turn.records, turn.asks, turn.notes]);
}

/** The same journal with states of three strategies near its beginning, and one order in seven that the balances never explain. */
function withLoiterers(entries: readonly Entry[]): readonly Entry[] {
  const [first] = entries;
  if (first === undefined) throw new Error("a journal must have an opening");
  const { at } = first.record;
  const states = ["one", "two", "one", "three"].map((strategy, n): Entry => {
    const state = { params: { strategy }, version: n, state: { n } };
    return { ...first, record: { kind: "state", at, strategy, state } };
  });
  let settled = 0;
  const left = entries.filter(({ record }) => record.kind !== "settled" || settled++ % 7 !== 3);
  return [...left.slice(0, 20), ...states, ...left.slice(20)].map((entry, n) => ({ ...entry, sequence: n + 1 }));
}

/** The same journal with coins on their way to a bank since its beginning. */
function withPayment(entries: readonly Entry[]): readonly Entry[] {
  const [first] = entries;
  if (first === undefined) throw new Error("a journal must have an opening");
  const { at } = first.record;
  const [spent, comes] = [Money.of("1", "VCHF" as Asset), Money.of("1", "CHF" as Asset)];
  const report = { kind: "departed", door: "payment", spent, fee: Money.zero(spent.asset), comes } as const;
  const event = { kind: "movement", id: "payment:p1", report, receivedAt: at } as const;
  const step = { sequence: 0, at, event, decisions: [], commands: [], mark: undefined };
  const paid: Entry = { ...first, record: { kind: "step", at, step } };
  return [...entries.slice(0, 20), paid, ...entries.slice(20)].map((entry, n) => ({ ...entry, sequence: n + 1 }));
}

/** From its text, at `CUTS` places of the journal that have enough orders after them, for a journal that ends there or later. */
function expectSameFromEverywhere(entries: readonly Entry[], seed: number): void {
  const random = createRandom(seed).fork("cuts");
  let tried = 0;
  for (let cut = 0; cut < CUTS; cut++) {
    const made = madeAt(entries, random.integer(1, entries.length));
    if (!made.ok) {
      expect(made.error).toMatch(/^at least 12 orders must have ended/);
      continue;
    }
    tried++;
    const text = checkpointText(made.value, BELONGS);
    const checkpoint = unwrap(readCheckpoint(text, BELONGS, hashIn(entries)));
    const { base } = checkpoint;
    const whole = folded(entries);
    const short = folded(entries, tradingCoreAt(checkpoint, make));
    const where = `seed ${seed}, from record ${base.sequence} of ${entries.length}`;
    expect(short.summary(), where).toBe(whole.summary());
    expect(takenOver(short), where).toBe(takenOver(whole));
    expect(short.summary(), where).toBe(whole.summary());
  }
  expect(tried).toBeGreaterThan(CUTS / 3);
}

describe("a trading core that begins at a checkpoint", () => {
  test("is the one that read everything, wherever it begins", async () => {
    const { entries, kills } = await campaign;
    expect(kills).toBeGreaterThan(0);
    // The summary that is compared has what outcomes taught.
    expect(unwrap(folded(entries).engine.save()).hiddenPrices.pairs).toHaveLength(1);
    expectSameFromEverywhere(entries, SEED);
  });

  test("knows the orders that stay open, and which states strategies had", async () => {
    const entries = withLoiterers((await campaign).entries);
    const open = [...folded(entries).executor.open()];
    expect(open.length).toBeGreaterThan(3);
    expectSameFromEverywhere(entries, SEED);
  });

  test("knows the mints of before", async () => {
    const world = await TreasuryWorld.open(SEED, {
      settlement: { medianMs: 60_000, sigma: 0, minMs: 60_000, maxMs: 60_000 },
    });
    world.bot();
    await world.pass(15_000);
    const minting = world.mint();
    await world.pass(180_000);
    expect(minting.finished?.code).toBe(0);
    const { entries } = world.journal;
    expect(entries.filter(({ record }) => record.kind === "intent" && record.request.kind === "mint")).toHaveLength(1);
    expectSameFromEverywhere(entries, SEED);
    // Also where all that was heard of the mint lies before it.
    const last = entries.findLast(({ record }) => record.kind === "step" && record.step.event.kind === "movement");
    const made = unwrap(madeAt(entries, (last as Entry).sequence + 1));
    expect(folded(entries, tradingCoreAt(made, make)).summary()).toBe(folded(entries).summary());
  });

  test("knows the payments of before: one that is in flight is not booked again", async () => {
    const entries = withPayment((await campaign).entries);
    const short = tradingCoreAt(unwrap(madeAt(entries, 60)), make);
    for (const tradingCore of [folded(entries), folded(entries, short)])
      expect(tradingCore.executor.treasury.payments.get("payment:p1")).toMatchObject({ id: "payment:p1" });
  });
});

describe("a checkpoint", () => {
  test("is not made where an order of before would still be kept whole", async () => {
    const { entries } = await campaign;
    expect(madeAt(entries, entries.length - 10)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^at least 12/),
    });
  });

  test("is not made where beginning there comes to something else, or fails", async () => {
    const { entries } = await campaign;
    const other: MakeTradingCore = (saved) => make(saved && { ...saved, sequence: saved.sequence + 10_000 });
    expect(madeAt(entries, 60, other)).toEqual({ ok: false, error: "to begin there did not come to the same" });
    const failing: MakeTradingCore = () => {
      throw new Error("no such books");
    };
    expect(madeAt(entries, 60, failing)).toEqual({ ok: false, error: "to begin there failed: no such books" });
  });

  test("of another code, other terms, another journal or one that was cut or goes on otherwise is not used", async () => {
    const { entries } = await campaign;
    const text = checkpointText(unwrap(madeAt(entries, 60)), BELONGS);
    const hashAt = hashIn(entries);
    const refusal = (belongs: Partial<typeof BELONGS>, hashes = hashAt) => {
      const read = readCheckpoint(text, { ...BELONGS, ...belongs }, hashes);
      return read.ok ? undefined : read.error;
    };
    expect(refusal({})).toBeUndefined();
    expect(refusal({ code: "another" })).toBe("another version of pegbot made it");
    expect(refusal({ terms: "others" })).toContain("another currency or fee");
    expect(refusal({ chainId: "another" })).toBe("it was made of another journal");
    const last = entries.length;
    expect(refusal({}, hashIn(entries.slice(0, -1)))).toContain(`record ${last} of the journal is not the one`);
    expect(refusal({}, (sequence) => (sequence < last ? "0".repeat(64) : hashAt(sequence)))).toContain(
      "is not the one",
    );
  });

  test("that does not fit is left alone: everything is read, and somebody is told", async () => {
    const { entries } = await campaign;
    const made = unwrap(madeAt(entries, 60));
    const anchors = [["T-none-1", { kind: "none" }]] as const;
    const misfit = { ...made, core: { ...made.core, orders: { ...made.core.orders, anchors } } };
    const said: string[] = [];
    let seen = 0;
    const reader = {
      ...readerOf(entries),
      news: (most = entries.length) => {
        const batch = entries.slice(seen, seen + most);
        seen += batch.length;
        return ok(batch);
      },
    };
    const checkpoints: Checkpoints = {
      find: () => misfit,
      begin: ({ sequence }) => {
        seen = sequence;
        return ok(undefined);
      },
      due: () => ok(undefined),
      keep: () => {},
      say: (text) => said.push(text),
    };
    const restored = unwrap(restoreFrom(make, reader, checkpoints));
    expect(said).toEqual([expect.stringMatching(/^the checkpoint is left alone, everything is read: .*T-none-1/)]);
    expect(restored.summary()).toBe(folded(entries).summary());
    const short = unwrap(restoreFrom(make, reader, { ...checkpoints, find: () => made }));
    expect(said).toHaveLength(1);
    expect(short.summary()).toBe(restored.summary());
    const kept: unknown[] = [];
    seen = 0;
    const due: Checkpoints = {
      ...checkpoints,
      find: () => undefined,
      due: () => ok(60),
      keep: (one) => kept.push(one),
    };
    expect(unwrap(restoreFrom(make, reader, due)).summary()).toBe(restored.summary());
    expect(kept).toEqual([made]);
  });

  test("is made by a command beside a bot, of records that follow from each other and of nothing else", async () => {
    const configFile = join(temporaryFolder(), "pegbot.yaml");
    writeFileSync(configFile, "journal: { path: ./data/pegbot.db }\n");
    const path = join(dirname(configFile), "data", "pegbot.db");
    const journal = journalAt(path);
    await journal.append((await campaign).entries.slice(1).map(({ record }) => record));
    const said = (intents = 12_000): string => {
      const shell = recordedShell({ configFile });
      expect(checkpointJournal(shell, { intents })).toBe(0);
      return shell.stdout();
    };
    const asked = recordedShell({ configFile });
    expect(checkpointJournal({ ...asked, terminal: jsonTerminal(asked.terminal) })).toBe(0);
    expect(JSON.parse(asked.stdout())).toEqual({ path, record: null, said: [expect.stringMatching(/^no checkpoint/)] });
    expect(said()).toBe("no checkpoint is made: 12000 orders must have come since the last one\n");
    expect(said(20)).toMatch(
      /^no checkpoint is made: at least 1000 orders must have ended after it, were [12][0-9]\n$/,
    );
    journal.close();
    const raw = new DatabaseSync(path);
    raw.exec("DROP TRIGGER record_never_changes; UPDATE record SET entry = entry || ' ' WHERE sequence = 30");
    raw.close();
    expect(() => said(20)).toThrow(/record 30 does not follow from the one before: run pegbot journal verify/);
  });

  test("that a command cannot write fails it, and says what to look at", async () => {
    const configFile = join(temporaryFolder(), "pegbot.yaml");
    writeFileSync(configFile, "journal: { path: ./data/pegbot.db }\n");
    const path = join(dirname(configFile), "data", "pegbot.db");
    const journal = journalAt(path);
    await journal.append((await campaign).entries.slice(1).map(({ record }) => record));
    journal.close();
    // A folder in its place stands for a disk that is full: both refuse the file.
    mkdirSync(checkpointOf(path));
    const options = { intents: ENDED_MAX + 8, make };
    const shell = recordedShell({ configFile });
    expect(() => checkpointJournal(shell, options)).toThrow(
      expect.objectContaining({
        code: 1,
        message: expect.stringMatching(/^no checkpoint is kept: EISDIR/),
        next: expect.stringContaining("see that its folder has space and takes new files"),
      }),
    );
    expect(shell.stdout()).not.toContain("is kept");
    rmdirSync(checkpointOf(path));
    expect(checkpointJournal(shell, options)).toBe(0);
    expect(shell.stdout()).toMatch(/a checkpoint at record \d+ of \d+ is kept/);
  });

  test("is not kept, and keeps nobody from starting, where what it belongs to cannot be told; half of an earlier one goes", async () => {
    const { entries } = await campaign;
    const made = unwrap(madeAt(entries, 60));
    const path = join(temporaryFolder(), "pegbot.db");
    const { record } = entries[0] as Entry;
    // Of limits that are missing, as of files that are being exchanged.
    const config = { mode: "live" } as Config;
    // Half of one, of a process that was killed; and of others that run, this one and who started it.
    const halves = [999_999_999, process.pid, process.ppid].map((pid) => `${checkpointOf(path)}.${pid}-0.new`);
    for (const half of halves) writeFileSync(half, "");
    const kept = checkpointKeeper({ path, config, opening: record as Opening })(made);
    expect(kept).toEqual(err("no checkpoint is kept: live mode needs the section risk"));
    expect(halves.map((half) => existsSync(half))).toEqual([false, true, true]);
    expect(readCheckpointFile(path)).toBeUndefined();
  });

  test("is read as it was written, or not at all", () => {
    const path = join(temporaryFolder(), "pegbot.db");
    const file = checkpointOf(path);
    expect(readCheckpointFile(path)).toBeUndefined();
    writeCheckpointFile(path, '{"an":"ö"}');
    expect(readCheckpointFile(path)).toEqual(ok('{"an":"ö"}'));
    const whole = readFileSync(file, "utf8");
    const refused = { ok: false, error: "it is not as it was written" };
    for (const torn of [
      whole.replace("an", "on"),
      whole.slice(0, -1),
      whole.slice(1),
      `${whole} `,
      whole.slice(-64),
      "",
    ]) {
      writeFileSync(file, torn);
      expect(readCheckpointFile(path), torn).toEqual(refused);
    }
  });
});
