// Beginning at a snapshot comes to the same as beginning at the first record: tried at places all over journals with doubts,
// kills and resumptions, and with a mint among the orders. What is not whole, or of others, is not used.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { snapshotIn, snapshotsOf } from "../../src/app/owner/snapshots.ts";
import { Engine } from "../../src/bot/engine.ts";
import {
  engineAt,
  fromSnapshot,
  KeptRecords,
  type MakeEngine,
  readSnapshot,
  restoreFrom,
  type Snapshot,
  snapshotText,
} from "../../src/bot/snapshot.ts";
import { IDLE } from "../../src/bot/strategy-host/strategy-state.ts";
import type { Config } from "../../src/config/schema.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money } from "../../src/domain/money/money.ts";
import { createRandom } from "../../src/domain/random.ts";
import { ok, unwrap } from "../../src/domain/result.ts";
import { DAY_MS, millis, mono } from "../../src/domain/time.ts";
import { snapshotOf } from "../../src/journal/file/files.ts";
import { readSnapshotFile, writeSnapshotFile } from "../../src/journal/file/snapshot-file.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { Entry } from "../../src/journal/record.ts";
import { journalAt, temporaryFolder } from "../journal/place.ts";
import { runCampaign } from "../simulation/campaign.ts";
import { makeCore } from "../support/bot-core.ts";
import { makeLargeJournal } from "../support/large-journal.ts";
import { TreasuryWorld } from "../treasury/world.ts";

/** So few orders that have ended are kept whole here. */
const ENDED_MAX = 12;
const BELONGS = { code: "this code", terms: "these terms", chainId: "this chain" };
const SEED = Number(process.env.PEGBOT_SEED ?? 1);
const CUTS = 16;

/** Killed and restarted again and again, with answers that were lost. */
const campaign = runCampaign({ seed: SEED, stormMs: 300_000 });

const make: MakeEngine = (saved) =>
  new Engine(makeCore({ writer: "checkpnt", endedMax: ENDED_MAX }, IDLE, saved), {
    safePointMs: Number.POSITIVE_INFINITY,
  });

function readerOf(entries: readonly Entry[]): Pick<Journal, "read"> {
  return { read: (after, most) => ok(entries.slice(after, after + most)) };
}

function folded(entries: readonly Entry[], tradingCore = make()): Engine {
  for (const entry of entries) tradingCore.fold(entry);
  return tradingCore;
}

function snapshotAt(entries: readonly Entry[], base: number): Snapshot {
  const core = make();
  const records = new KeptRecords();
  for (const entry of entries.slice(0, base)) {
    core.fold(entry);
    records.take(entry);
  }
  const last = entries[base - 1] as Entry;
  records.prune(core, last.record.at);
  return { base: last, at: last.record.at, engine: core.save(), equity: undefined, kept: records.list() };
}

/** Everything that decisions depend on. */
function summaryOf({ folded, lifecycle, executor, ...engine }: Engine): string {
  const { anchors, ...orders } = executor.orders.save();
  const sorted = anchors.toSorted(([one], [other]) => (one < other ? -1 : 1));
  const { rails, payments } = executor.treasury;
  const states = ["one", "two", "three"].map((strategy) =>
    lifecycle.states.continued({ ...IDLE, name: strategy, params: { strategy }, state: { n: -1 } }),
  );
  return JSON.stringify([
    ...[folded, engine.books.save(), orders, sorted, sorted.map(([id]) => executor.get(id)), executor.open()],
    ...[executor.isOpened, rails.reason, rails.since, payments.expectations(), payments.all()],
    ...[executor.treasury.requests("mint"), executor.treasury.requests("rail"), states, lifecycle.freshStart],
  ]);
}

/** What the next process does first: it takes over all that is open. */
function takenOver(tradingCore: Engine): string {
  const at = millis(tradingCore.books.now + 1_000);
  const turn = tradingCore.process({ kind: "time", recovers: true }, { at, mono: mono(5) });
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

/** The same journal of a venue that shows no quotes. */
function withoutQuotes(entries: readonly Entry[]): readonly Entry[] {
  return entries.map((entry) => {
    const { record } = entry;
    if (record.kind !== "step") return entry;
    const decisions = record.step.decisions.map((one) => ({
      ...one,
      basis: { ...one.basis, bid: undefined, ask: undefined },
    }));
    return { ...entry, record: { ...record, step: { ...record.step, decisions } } };
  });
}

/** From its text, at `CUTS` places, for a journal that ends there or later. */
function expectSameFromEverywhere(entries: readonly Entry[], seed: number): void {
  const random = createRandom(seed).fork("cuts");
  const whole = folded(entries);
  const after = takenOver(folded(entries));
  for (let cut = 0; cut < CUTS; cut++) {
    const base = random.integer(1, entries.length);
    const text = snapshotText(snapshotAt(entries, base), BELONGS);
    const snapshot = unwrap(readSnapshot(text, BELONGS, readerOf(entries)));
    const where = `seed ${seed}, from record ${base} of ${entries.length}`;
    expect(summaryOf(engineAt(snapshot, make)), where).toBe(summaryOf(folded(entries.slice(0, base))));
    const short = folded(entries, engineAt(snapshot, make));
    expect(summaryOf(short), where).toBe(summaryOf(whole));
    expect(takenOver(short), where).toBe(after);
  }
}

describe("a trading core that begins at a snapshot", () => {
  test("is the one that read everything, wherever it begins", async () => {
    const { entries, kills } = await campaign;
    expect(kills).toBeGreaterThan(0);
    expectSameFromEverywhere(entries, SEED);
    // The summary that is compared has what outcomes taught, which they do where no quotes are shown.
    expect(folded(entries).save().books.hiddenPrices.pairs).toHaveLength(0);
    const unquoted = withoutQuotes(entries);
    expect(folded(unquoted).save().books.hiddenPrices.pairs).toHaveLength(1);
    expectSameFromEverywhere(unquoted, SEED);
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
    const made = snapshotAt(entries, (last as Entry).sequence + 1);
    expect(summaryOf(folded(entries, engineAt(made, make)))).toBe(summaryOf(folded(entries)));
  });

  test("knows the payments of before: one that is in flight is not booked again", async () => {
    const entries = withPayment((await campaign).entries);
    const short = engineAt(snapshotAt(entries, 60), make);
    for (const tradingCore of [folded(entries), folded(entries, short)])
      expect(tradingCore.executor.treasury.payments.get("payment:p1")).toMatchObject({ id: "payment:p1" });
  });
});

/** A journal on disk with the records of the campaign, and a paper configuration of it. */
async function onDisk() {
  const path = join(temporaryFolder(), "pegbot.db");
  const journal = journalAt(path);
  const records = (await campaign).entries.slice(1).map(({ record }) => record);
  await journal.append(records);
  const config = { mode: "paper" } as Config;
  const said: string[] = [];
  let ms = 0;
  const snapshots = snapshotsOf({ journal, path, config }, { monotonic: () => mono(ms++) }, (text) => said.push(text));
  return { path, journal, config, records, said, snapshots };
}

describe("a snapshot", () => {
  test("of another code, other terms, another journal or changed records is refused", async () => {
    const { entries } = await campaign;
    const text = snapshotText(snapshotAt(entries, 60), BELONGS);
    const refusal = (belongs: Partial<typeof BELONGS>, journal = readerOf(entries)) => {
      const read = readSnapshot(text, { ...BELONGS, ...belongs }, journal);
      return read.ok ? undefined : read.error;
    };
    expect(refusal({})).toBeUndefined();
    expect(refusal({ code: "another" })).toBe("another version of pegbot made it");
    expect(refusal({ terms: "others" })).toContain("another currency or fee");
    expect(refusal({ chainId: "another" })).toBe("it was made of another journal");
    expect(refusal({}, readerOf(entries.slice(0, 59)))).toContain("record 60 of the journal is not the one");
  });

  test("is written a day after the last one and at a stop, and the next start begins there", async () => {
    const { path, journal, config, records, said, snapshots } = await onDisk();
    const core = unwrap(restoreFrom(make, journal, snapshots));
    const at = millis(Date.UTC(2026, 5, 2));
    expect(readSnapshotFile(path)).toBeUndefined();
    snapshots.follow(core, at);
    const place = { path, config, opening: journal.opening, say: () => undefined };
    const base = () => fromSnapshot(snapshotIn(place, journal), (found) => found.base.sequence);
    const { sequence } = unwrap(journal.head());
    expect(base()).toBe(sequence);
    const more = Array.from({ length: 1_000 }, () => records.find(({ kind }) => kind === "control") ?? records[0]);
    await journal.append(more.flatMap((record) => record ?? []));
    snapshots.follow(core, millis(at + DAY_MS - 1));
    expect(base()).toBe(sequence);
    snapshots.follow(core, millis(at + DAY_MS - 1), true);
    expect(base()).toBe(sequence + 1_000);
    const again = snapshots.begin(make);
    expect([again.folded, said]).toEqual([sequence + 1_000, []]);
    journal.close();
  });

  test("of a large journal begins where it was written, and comes to what all of it says (short form of bench start)", async () => {
    const { path, config } = await onDisk();
    const journal = journalAt(`${path}-large`);
    await makeLargeJournal(journal, 4_000, () => undefined);
    const place = { journal, path: `${path}-large`, config };
    const said: string[] = [];
    const snapshots = snapshotsOf(place, { monotonic: () => mono(0) }, (text) => said.push(text));
    const core = unwrap(restoreFrom(make, journal, snapshots));
    snapshots.follow(core, core.books.now, true);
    await makeLargeJournal(journal, 2_000, () => undefined, 4_000);
    const { sequence } = unwrap(journal.head());
    const begun = snapshots.begin(make);
    expect([begun.folded, said]).toEqual([core.folded, []]);
    expect(begun.folded).toBeLessThan(sequence - 1_900);
    const short = unwrap(restoreFrom(make, journal, snapshots));
    const whole = summaryOf(unwrap(restoreFrom(make, journal)));
    expect(summaryOf(short)).toBe(whole);
    // Also that of an engine which was made anew in between, as after a failed write.
    snapshots.follow(short, millis(short.books.now + DAY_MS), true);
    expect([snapshots.begin(make).folded, summaryOf(unwrap(restoreFrom(make, journal, snapshots)))]).toEqual([
      sequence,
      whole,
    ]);
    journal.close();
  });

  test("that is damaged is refused: everything is read, and a person reads why", async () => {
    const { path, journal, said, snapshots } = await onDisk();
    const whole = summaryOf(unwrap(restoreFrom(make, journal, snapshots)));
    writeSnapshotFile(path, "{}");
    expect(summaryOf(unwrap(restoreFrom(make, journal, snapshots)))).toBe(whole);
    writeFileSync(snapshotOf(path), "{");
    expect(summaryOf(unwrap(restoreFrom(make, journal, snapshots)))).toBe(whole);
    expect(said).toEqual([
      expect.stringMatching(/^the snapshot is refused, and the whole journal is read: /),
      expect.stringContaining("it is not as it was written"),
    ]);
    journal.close();
  });
});
