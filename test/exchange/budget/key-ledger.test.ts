// The ledger of a key in the hands of several processes: who has the slot, who has lost it, and who only wanted it.

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { unwrap } from "../../../src/domain/result.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import type { Machine } from "../../../src/exchange/budget/host-clock.ts";
import type { KeyLedger, Lease } from "../../../src/exchange/budget/ledger.ts";
import { openBudget } from "../../../src/exchange/budget/open.ts";
import type { WantClass } from "../../../src/exchange/port.ts";
import { budgetOn, fingerprint, optionsOf, temporaryFolder } from "./ledger-folder.ts";
import { createVirtualMachine } from "./virtual-machine.ts";

const answered = { kind: "answered", rateLimited: false } as const;
const unspent = { kind: "unspent" } as const;

const claim = (ledger: KeyLedger, ofClass: WantClass = "other", since = 0) =>
  ledger.claim(() => ({ isOverdue: false, since: mono(since), class: ofClass, what: "a read" }));

function granted(ledger: KeyLedger, ofClass?: WantClass): Lease {
  const got = claim(ledger, ofClass);
  return got.kind === "granted" ? got.lease : expect.unreachable(got.kind);
}

async function ledgersOn(folder: string, ...machines: readonly Machine[]): Promise<KeyLedger[]> {
  const ledgers: KeyLedger[] = [];
  for (const machine of machines) ledgers.push((await budgetOn(folder, machine)).ledger);
  return ledgers;
}

const lockOf = (folder: string, instance: string): string =>
  join(folder, "keys", fingerprint, "live", `${instance}.lock`);

/** As a process that is no more: nobody has its lock. */
function dies(folder: string, instance: string): void {
  rmSync(lockOf(folder, instance));
}

function holderOf(ledger: KeyLedger) {
  return ledger.read().holder ?? expect.unreachable("nobody has the slot");
}

test("a slot that another process takes between a look at it and the transaction is his", async () => {
  const machine = createVirtualMachine();
  let meanwhile = (): void => undefined;
  const monotonic = () => {
    const first = meanwhile;
    meanwhile = () => undefined;
    first();
    return machine.host.monotonic();
  };
  const slow: Machine = { ...machine, host: { ...machine.host, monotonic } };
  const [quick, late] = (await ledgersOn(temporaryFolder(), machine, slow)) as [KeyLedger, KeyLedger];
  let lease: Lease | undefined;
  meanwhile = () => {
    lease = granted(quick);
  };
  const lost = claim(late, "order");
  expect(lost).toEqual({ kind: "held", by: holderOf(quick) });
  expect(quick.beginSending(lease as Lease)).toBe(true);
});

test("who was taken for dead sends nothing any more and ends nobody's slot, but a rate limit that he met counts", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const [dead, other] = (await ledgersOn(folder, machine, machine)) as [KeyLedger, KeyLedger];
  dead.observe({ venueTime: machine.clock.now(), receivedAt: machine.clock.now(), at: mono(0) });
  const lease = granted(dead);
  const holder = holderOf(dead);
  expect(other.releaseIfDead(holder), "he lives").toBe(false);
  dies(folder, holder.instance);
  expect(claim(other).kind).toBe("held");
  expect(other.releaseIfDead(holder)).toBe(true);
  // He had sent nothing: the slot is open at once.
  expect(dead.nonce(lease).ok).toBe(false);
  const next = granted(other);
  expect([dead.nonce(lease).ok, dead.beginSending(lease)]).toEqual([false, false]);
  const before = other.read();
  dead.finish(lease, answered, machine.host.monotonic());
  dead.finish(lease, { kind: "abandoned" }, machine.host.monotonic());
  expect(other.read()).toEqual(before);
  dead.finish(lease, { ...answered, rateLimited: true }, machine.host.monotonic());
  expect(other.read().pacing.limitedAt).toHaveLength(1);
  expect([other.nonce(next).ok, other.beginSending(next)]).toEqual([true, true]);
});

test("the death of who had the slot before takes it from nobody", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const [first, second, third] = (await ledgersOn(folder, machine, machine, machine)) as [
    KeyLedger,
    KeyLedger,
    KeyLedger,
  ];
  const earlier = granted(first);
  const seen = holderOf(first);
  first.finish(earlier, unspent, machine.host.monotonic());
  const lease = granted(second);
  dies(folder, seen.instance);
  expect(third.releaseIfDead(seen)).toBe(true);
  expect(second.beginSending(lease)).toBe(true);
});

test("a slot whose holder died after its bytes may be out opens later", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const [first, other] = (await ledgersOn(folder, machine, machine)) as [KeyLedger, KeyLedger];
  expect(first.beginSending(granted(first))).toBe(true);
  const holder = holderOf(first);
  dies(folder, holder.instance);
  other.releaseIfDead(holder);
  expect(claim(other).kind).toBe("early");
});

test("what nobody wants any more holds up nobody", async () => {
  const machine = createVirtualMachine();
  const [first, second, third] = (await ledgersOn(temporaryFolder(), machine, machine, machine)) as [
    KeyLedger,
    KeyLedger,
    KeyLedger,
  ];
  const end = (ledger: KeyLedger, lease: Lease): void => ledger.finish(lease, unspent, machine.host.monotonic());
  // While one has the slot another bids for the next, and gives it up.
  const one = granted(third);
  expect(claim(first, "order").kind).toBe("held");
  first.withdraw();
  end(third, one);
  const two = granted(second);
  // Or has nothing to bid when it opens.
  expect(claim(first, "order").kind).toBe("held");
  end(second, two);
  expect(first.claim(() => undefined).kind).toBe("nothing-to-bid");
  const three = granted(second);
  // Or wants less by then: what it bid before does not stand against it, and is gone once it has the slot.
  expect(claim(first, "order").kind).toBe("held");
  end(second, three);
  end(first, granted(first));
  const four = granted(second);
  // But who is outbid is remembered with what it bids now.
  expect(claim(first, "order").kind).toBe("held");
  end(second, four);
  expect(claim(third, "balance").kind).toBe("outbid");
  end(first, granted(first, "order"));
  expect(claim(second).kind).toBe("outbid");
});

test("of two that bid the same, who has waited longer has the slot", async () => {
  const machine = createVirtualMachine();
  const [holder, early, late] = (await ledgersOn(temporaryFolder(), machine, machine, machine)) as [
    KeyLedger,
    KeyLedger,
    KeyLedger,
  ];
  const lease = granted(holder);
  // By their names it would be the other way round.
  for (const [ledger, since] of [
    [early, 5],
    [late, 3],
  ] as const)
    claim(ledger, "other", since);
  holder.finish(lease, unspent, machine.host.monotonic());
  expect([claim(early, "other", 5).kind, claim(late, "other", 3).kind]).toEqual(["outbid", "granted"]);
});

test("who slept through a slot that it bid most for holds up no later one either", async () => {
  const machine = createVirtualMachine();
  const [asleep, awake] = (await ledgersOn(temporaryFolder(), machine, machine)) as [KeyLedger, KeyLedger];
  const first = granted(awake);
  expect(claim(asleep, "order").kind).toBe("held");
  awake.finish(first, unspent, machine.host.monotonic());
  expect(claim(awake).kind).toBe("outbid");
  await machine.pass(151);
  const second = granted(awake);
  expect(awake.beginSending(second)).toBe(true);
  awake.finish(second, answered, machine.host.monotonic());
  await machine.pass(1_000);
  granted(awake);
});

test("who joins finds neither processes nor locks of the dead", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const options = optionsOf(folder, machine);
  const left = unwrap(await openBudget(options));
  const closed = await budgetOn(folder, machine);
  const { instance } = options.identity;
  dies(folder, instance);
  writeFileSync(lockOf(folder, "stray"), "", { mode: 0o600 });
  closed.close();
  await budgetOn(folder, machine);
  expect(existsSync(lockOf(folder, "stray"))).toBe(false);
  const file = new DatabaseSync(join(folder, "keys", fingerprint, "ledger.db"));
  const members = file.prepare("SELECT instance FROM member").all();
  file.close();
  expect(members).toHaveLength(1);
  expect(members).not.toContainEqual({ instance });
  left.close();
});

test("a bot that cannot join leaves the place of the bot free", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const tool = optionsOf(folder, machine);
  const budget = unwrap(await openBudget(tool));
  onTestFinished(() => budget.close());
  const twin = await openBudget({ ...tool, identity: { ...tool.identity, role: "bot" } });
  expect(twin).toMatchObject({ ok: false, error: expect.stringContaining("is already in use") });
  const bot = unwrap(await openBudget(optionsOf(folder, machine, "bot")));
  bot.close();
});

test("a bot's limits are there as soon as it is, until it leaves, and in no row that is written with every slot", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const [other] = (await ledgersOn(folder, machine)) as [KeyLedger];
  const options = optionsOf(folder, machine, "bot");
  const limits = { "risk.orderValueMax": "100" };
  const bot = unwrap(await openBudget({ ...options, identity: { ...options.identity, limits } }));
  const { instance } = options.identity;
  expect(other.status().members.find((member) => member.instance === instance)?.limits).toEqual(limits);
  expect(other.status().bot).toMatchObject({ instance });
  expect(JSON.stringify(other.read())).not.toContain("orderValueMax");
  bot.close();
  expect(other.status().bot).toBeUndefined();
});

test("who works with another journal keeps the key's, until he is no more; who works with ours does not", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const others = optionsOf(folder, machine);
  const budget = unwrap(await openBudget(others));
  onTestFinished(() => budget.close());
  const [ours] = (await ledgersOn(folder, machine)) as [KeyLedger];
  const journal = { path: "/a.db", chainId: "a" };
  const elsewhere = { path: "/b.db", chainId: "b" };
  // A command that has opened none yet is refused when it does.
  expect(ours.keptElsewhere("test", "/b.db")).toBeUndefined();
  expect(budget.ledger.claimJournal("test", journal)).toBeUndefined();
  budget.ledger.showLimits({ ordersPerDayMax: "9" });
  expect(ours.status().members.find(({ instance }) => instance === others.identity.instance)).toMatchObject({
    books: { ...journal, environment: "test" },
    limits: { ordersPerDayMax: "9" },
  });
  expect(ours.moveJournal("test", elsewhere)).toMatchObject({ by: { instance: others.identity.instance }, journal });
  expect([ours.keptElsewhere("test", "/a.db"), ours.moveJournal("test", journal)]).toEqual([undefined, undefined]);
  expect(ours.keptElsewhere("test", "/b.db")).toMatchObject({ journal });
  dies(folder, others.identity.instance);
  expect(ours.keptElsewhere("test", "/b.db")).toBeUndefined();
  // Of the same journal it does not matter who opened it since.
  budget.ledger.claimJournal("test", journal);
  expect(ours.moveJournal("test", journal)).toBeUndefined();
  expect(ours.moveJournal("test", elsewhere)).toEqual({ by: undefined, journal });
});

test("what a busy ledger has to be told is told in the order in which it happened, and once", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const budget = await budgetOn(folder, machine);
  const slot = unwrap(await budget.take({ class: "quote" }));
  slot.held();
  const file = new DatabaseSync(join(folder, "keys", fingerprint, "ledger.db"));
  file.exec("BEGIN IMMEDIATE");
  const now = machine.clock.now();
  budget.observe(millis(now - 3_000), now);
  slot.end({ ...answered, rateLimited: true });
  budget.observe(millis(now - 5_000), now);
  file.close();
  await machine.pass(100);
  const { holder, pacing, skewMs, venueOffsets } = budget.ledger.read();
  expect([holder, pacing.limitedAt.length, skewMs, venueOffsets.length]).toEqual([undefined, 1, 5_000, 2]);
});

test("who waits learns soon that the holder is no more, and has the slot then", async () => {
  const folder = temporaryFolder();
  const machine = createVirtualMachine();
  const [dead, waits] = [await budgetOn(folder, machine), await budgetOn(folder, machine)];
  unwrap(await dead.take({ class: "order" }));
  const taken = waits.take({ class: "quote" });
  let grantedAt: number | undefined;
  void taken.then(() => {
    grantedAt = machine.clock.monotonic();
  });
  await machine.pass(1_000);
  expect(grantedAt).toBeUndefined();
  dies(folder, holderOf(dead.ledger).instance);
  await machine.pass(200);
  expect(grantedAt).toBeLessThanOrEqual(1_200);
});
