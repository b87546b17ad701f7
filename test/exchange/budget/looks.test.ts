// How a process that waits for a slot looks for it: when, what it shows the others, what it does about a holder that died or a file
// that stays busy, and what it leaves behind when it closes.

import { expect, test, vi } from "vitest";
import { InvariantViolation } from "../../../src/domain/invariant.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { mono } from "../../../src/domain/time.ts";
import type { KeyBudget, Slot } from "../../../src/exchange/budget/budget.ts";
import type { Machine } from "../../../src/exchange/budget/host-clock.ts";
import { pacingDefaults } from "../../../src/exchange/budget/pacing.ts";
import type { Want } from "../../../src/exchange/port.ts";
import { budgetOn, temporaryFolder } from "./ledger-folder.ts";
import { createVirtualMachine, noon, type VirtualMachine } from "./virtual-machine.ts";

const answered = { kind: "answered", rateLimited: false } as const;

/** Whose timers that are still to run can be counted. */
function counting(): VirtualMachine & { readonly waiting: () => number } {
  const machine = createVirtualMachine();
  const waiting = new Set<object>();
  const after: Machine["timers"]["after"] = (delayMs, run) => {
    const timer = {};
    waiting.add(timer);
    const cancel = machine.timers.after(delayMs, () => {
      waiting.delete(timer);
      run();
    });
    return () => {
      waiting.delete(timer);
      cancel();
    };
  };
  return { ...machine, timers: { after }, waiting: () => waiting.size };
}

/** When a budget looks at its ledger, from now on. */
function looksOf(budget: KeyBudget, { clock }: Pick<VirtualMachine, "clock">): number[] {
  const { ledger } = budget;
  const claim = ledger.claim.bind(ledger);
  const looks: number[] = [];
  vi.spyOn(ledger, "claim").mockImplementation((bid) => {
    looks.push(clock.monotonic());
    return claim(bid);
  });
  return looks;
}

/** When the slot was granted, from now on. */
function granted(
  budget: KeyBudget,
  want: Want,
  { clock }: Pick<VirtualMachine, "clock">,
): { at?: number; slot?: Slot } {
  const seen: { at?: number; slot?: Slot } = {};
  void budget.take(want).then((slot) => {
    if (!slot.ok) return;
    seen.slot = slot.value;
    seen.at = clock.monotonic();
  });
  return seen;
}

/** Has the slot, and sent its request, at 0. */
async function holding(budget: KeyBudget, end?: "answered"): Promise<Slot> {
  const slot = unwrap(await budget.take({ class: "other" }));
  expect(slot.held()).toBe(true);
  if (end !== undefined) slot.end(answered);
  return slot;
}

test("a closed budget leaves no timer behind, one that has nothing to wait for has none, and a new look replaces the one before", async () => {
  const machine = counting();
  const folder = temporaryFolder();
  const [first, second] = [await budgetOn(folder, machine), await budgetOn(folder, machine)];
  const slot = await holding(first);
  expect(machine.waiting()).toBe(0);
  void second.take({ class: "quote" });
  void second.take({ class: "balance" });
  expect(machine.waiting()).toBe(1);
  second.close();
  expect(machine.waiting()).toBe(0);
  slot.end(answered);
  expect(machine.waiting()).toBe(0);
  // More than may wait to be written: of a budget that has closed nothing does.
  for (let i = 0; i < 100; i++) second.observe(noon, noon);
});

test("while another has the slot it is looked for every 50 ms; before it opens every 200 ms, and at the moment itself", async () => {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const [first, second] = [await budgetOn(folder, machine), await budgetOn(folder, machine)];
  const slot = await holding(first);
  const looks = looksOf(second, machine);
  const seen = granted(second, { class: "quote" }, machine);
  await machine.pass(180);
  expect(looks).toEqual([0, 50, 100, 150]);
  looks.splice(0);
  slot.end(answered);
  await machine.pass(2_000);
  // Answered at 180: the next slot opens at 1,180.
  expect(looks).toEqual([200, 400, 600, 800, 1_000, 1_180]);
  expect(seen.at).toBe(1_180);
});

test("an open slot that somebody bids more for is looked at every 4 ms, until that one has let it pass", async () => {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const asleep = await budgetOn(folder, { ...machine, timers: { after: () => () => {} } });
  const budget = await budgetOn(folder, machine);
  await holding(budget, "answered");
  void asleep.take({ class: "doubt" });
  const seen = granted(budget, { class: "quote" }, machine);
  await machine.pass(990);
  const looks = looksOf(budget, machine);
  await machine.pass(300);
  expect(looks.slice(0, 4)).toEqual([1_000, 1_004, 1_008, 1_012]);
  // 150 ms it may take, from when the slot opens.
  expect(seen.at).toBe(1_152);
});

test("what is gone is no bid any more: nobody waits for it", async () => {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const [first, second] = [await budgetOn(folder, machine), await budgetOn(folder, machine)];
  await holding(first, "answered");
  const gone = second.take({ class: "order", deadline: mono(500) });
  const seen = granted(first, { class: "quote" }, machine);
  await machine.pass(400);
  expect(first.ledger.status().waiting).toHaveLength(2);
  await machine.pass(300);
  expect(first.ledger.status().waiting).toHaveLength(1);
  await machine.pass(1_000);
  expect([(await gone).ok, seen.at]).toEqual([false, 1_000]);
});

test("after a storm of rate limits the slot is a doubt's, until it is calm", async () => {
  const machine = createVirtualMachine();
  const budget = await budgetOn(temporaryFolder(), machine);
  const { stormCount, stormPauseMs, calmMs } = pacingDefaults;
  for (let i = 0; i < stormCount; i++) {
    const limited = granted(budget, { class: "doubt" }, machine);
    await machine.pass(10_000);
    limited.slot?.held();
    limited.slot?.end({ ...answered, rateLimited: true });
  }
  const storm = machine.clock.monotonic();
  const order = granted(budget, { class: "order" }, machine);
  await machine.pass(stormPauseMs);
  const looks = looksOf(budget, machine);
  await machine.pass(1_000);
  // The slot is open, and nothing that waits may have it.
  expect([order.at, looks.map((at) => at - storm - stormPauseMs)]).toEqual([undefined, [200, 400, 600, 800, 1_000]]);
  const doubt = granted(budget, { class: "doubt" }, machine);
  await machine.pass(1_000);
  expect(doubt.at).toBe(storm + stormPauseMs + 1_000);
  doubt.slot?.held();
  doubt.slot?.end(answered);
  await machine.pass(calmMs);
  expect(order.at).toBeGreaterThanOrEqual(storm + stormPauseMs + calmMs);
});

test("a holder that died is found within 100 ms, and its slot taken in the same look; it is not asked about more often", async () => {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const [first, second] = [await budgetOn(folder, machine), await budgetOn(folder, machine)];
  // Nothing of it is out yet.
  unwrap(await first.take({ class: "other" }));
  await machine.pass(1_000);
  const probes: number[] = [];
  let isDead = false;
  const release = second.ledger.releaseIfDead.bind(second.ledger);
  vi.spyOn(second.ledger, "releaseIfDead").mockImplementation((holder) => {
    probes.push(machine.clock.monotonic());
    return isDead && release(holder);
  });
  const seen = granted(second, { class: "quote" }, machine);
  await machine.pass(430);
  expect(probes).toEqual([1_000, 1_100, 1_200, 1_300, 1_400]);
  // Its locks are free.
  first.ledger.close();
  vi.spyOn(first.ledger, "close").mockImplementation(() => {});
  isDead = true;
  await machine.pass(300);
  expect(seen.at).toBe(1_500);
});

test("a file that stays busy is asked ever more seldom, at most every 100 ms, and for 5 s; afterwards from the beginning", async () => {
  const machine = createVirtualMachine();
  const budget = await budgetOn(temporaryFolder(), machine);
  const looks = looksOf(budget, machine);
  const busy = Object.assign(new Error("database is locked"), { errcode: 5 });
  const claim = vi.mocked(budget.ledger.claim);
  const free = claim.getMockImplementation();
  const block = (): void => {
    claim.mockImplementation(() => {
      looks.push(machine.clock.monotonic());
      throw busy;
    });
  };
  block();
  const waiting = budget.take({ class: "quote" });
  await machine.pass(5_000);
  expect(looks.slice(0, 7)).toEqual([0, 8, 24, 56, 120, 220, 320]);
  let refused: string | undefined;
  void waiting.then((slot) => {
    refused = slot.ok ? "" : slot.error;
  });
  await machine.pass(0);
  expect(refused).toBeUndefined();
  await machine.pass(100);
  expect(refused).toMatch(/^ledger-locked: /);
  const spend = async (): Promise<void> => {
    claim.mockImplementation(free as never);
    const next = granted(budget, { class: "quote" }, machine);
    await machine.pass(100);
    expect(next.slot).toBeDefined();
    next.slot?.end({ kind: "unspent" });
  };
  // Each time that it was free in between both begin anew.
  for (let i = 0; i < 2; i++) {
    await spend();
    block();
    looks.splice(0);
    const from = machine.clock.monotonic();
    const next = granted(budget, { class: "quote" }, machine);
    await machine.pass(4_000);
    expect(looks.slice(0, 3)).toEqual([from, from + 8, from + 24]);
    claim.mockImplementation(free as never);
    await machine.pass(100);
    expect(next.slot).toBeDefined();
    next.slot?.end({ kind: "unspent" });
  }
});

test("a file that is busy is waited for up to the last moment, and again by whoever comes next; one that is broken by nobody", async () => {
  const machine = createVirtualMachine();
  const budget = await budgetOn(temporaryFolder(), machine, { budget: { lockedMsMax: 120 } });
  const claim = vi.spyOn(budget.ledger, "claim");
  const fail = (errcode: number) => () => {
    throw Object.assign(new Error("it fails"), { errcode });
  };
  const refusal = async (): Promise<{ at?: number; error?: string }> => {
    const from = machine.clock.monotonic();
    const seen: { at?: number; error?: string } = {};
    void budget.take({ class: "quote" }).then((slot) => {
      if (slot.ok) return;
      seen.error = slot.error;
      seen.at = machine.clock.monotonic() - from;
    });
    await machine.pass(400);
    return seen;
  };
  claim.mockImplementation(fail(5));
  // Looked at after 0, 8, 24, 56 and 120 ms.
  expect(await refusal()).toEqual({ at: 220, error: expect.stringMatching(/^ledger-locked: /) });
  // The pauses have not begun anew: nobody has seen it free.
  expect(await refusal()).toEqual({ at: 200, error: expect.stringMatching(/^ledger-locked: /) });
  claim.mockImplementation(fail(11));
  expect(await refusal()).toMatchObject({ at: 0 });
  // Our own bug is no trouble of the file's.
  claim.mockImplementation(() => {
    throw new InvariantViolation("a bug");
  });
  await expect(budget.take({ class: "quote" })).rejects.toThrow("a bug");
});

test("64 writes wait for a busy file, and one more is a bug", async () => {
  const machine = createVirtualMachine();
  const budget = await budgetOn(temporaryFolder(), machine);
  const observe = vi.spyOn(budget.ledger, "observe").mockImplementation(() => {
    throw Object.assign(new Error("database is locked"), { errcode: 5 });
  });
  for (let i = 0; i < 64; i++) budget.observe(noon, noon);
  expect(() => budget.observe(noon, noon)).toThrow(InvariantViolation);
  // All of them are written once it is free, without anybody asking for a slot.
  const busy = observe.getMockImplementation() as () => void;
  const written = async (): Promise<number> => {
    observe.mockClear();
    observe.mockImplementation(() => {});
    await machine.pass(200);
    return observe.mock.calls.length;
  };
  expect(await written()).toBe(64);
  // What nobody could write for 5 s others make good: it is let go.
  observe.mockImplementation(busy);
  budget.observe(noon, noon);
  await machine.pass(5_200);
  expect(await written()).toBe(0);
});

test("whether the venue's time is needed is unknown of a ledger that cannot be read: then it is", async () => {
  const budget = await budgetOn(temporaryFolder(), createVirtualMachine());
  budget.observe(noon, noon);
  expect(budget.needsVenueTime()).toBe(false);
  const read = vi.spyOn(budget.ledger, "read").mockImplementation(() => {
    throw new Error("disk I/O error");
  });
  expect(budget.needsVenueTime()).toBe(true);
  read.mockRestore();
});

test("who holds the slot shows what it wants next already, and is listed with what it has", async () => {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const [first, second] = [await budgetOn(folder, machine), await budgetOn(folder, machine)];
  const shared = first.share({ class: "balance", key: "accountBalance" }, async (slot) => {
    slot.held();
    await new Promise<void>((resolve) => machine.timers.after(500, resolve));
    slot.end(answered);
  });
  void first.take({ class: "order" });
  await machine.pass(10);
  const { holder, waiting } = second.ledger.status();
  expect([holder?.what, waiting.map((bid) => bid.class)]).toEqual(["accountBalance", ["order"]]);
  await machine.pass(500);
  await shared;
});
