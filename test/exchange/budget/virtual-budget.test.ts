import { expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { type Mono, millis, mono, type Timers } from "../../../src/domain/time.ts";
import type { Budget, Slot } from "../../../src/exchange/budget/budget.ts";
import type { SlotEnd } from "../../../src/exchange/budget/pacing.ts";
import { WANT_CLASSES, type Want } from "../../../src/exchange/port.ts";
import { VirtualBudget } from "../../support/virtual-budget.ts";
import { budgetOn, temporaryFolder } from "./key-folder.ts";
import { createVirtualMachine, noon, type VirtualMachine } from "./virtual-machine.ts";

const wants = 400;

/** Callers of one seed on a budget; what they lived through, line by line. */
async function live(seed: number, machine: VirtualMachine, budget: Budget): Promise<readonly string[]> {
  const root = createRandom(seed);
  const lines: string[] = [];
  const say = (text: string) => lines.push(`${machine.clock.monotonic().toFixed(4)} ${text}`);
  budget.observe(noon, noon);
  for (let i = 0; i < wants; i++) {
    const random = root.fork(`want ${i}`);
    const at = fractionOf(random.next() * wants * 700);
    machine.timers.after(at, () => void ask(i, random));
  }
  async function ask(i: number, random: Random): Promise<void> {
    const want = wantOf(random, machine.clock.monotonic());
    if (want.key === undefined) {
      const slot = await budget.take(want);
      say(slot.ok ? `${i} ${want.class} granted` : `${i} ${slot.error}`);
      if (slot.ok) await spend(slot.value, i, random);
      return;
    }
    const shared = await budget.share(want, async (slot) => {
      say(`${i} ${want.class} granted for ${want.key}`);
      await spend(slot, i, random);
      return i;
    });
    say(shared.ok ? `${i} shares the request of ${shared.value}` : `${i} ${shared.error}`);
  }
  async function spend(slot: Slot, i: number, random: Random): Promise<void> {
    const nonce = slot.nonce();
    say(`${i} nonce ${nonce.ok ? nonce.value : nonce.error}`);
    const end = endOf(random);
    if (end.kind === "unspent") return slot.end(end);
    say(`${i} held ${slot.held()}`);
    await new Promise<void>((resolve) => machine.timers.after(fractionOf(random.next() * 900), resolve));
    if (random.next() < 0.5) budget.observe(millis(Math.floor(machine.clock.now() / 1_000) * 1_000), noon);
    slot.end(end);
    say(`${i} ${end.kind}`);
  }
  await machine.pass(wants * 4_000);
  return lines;
}

function wantOf(random: Random, now: Mono): Want {
  const ofClass = WANT_CLASSES[random.integer(0, WANT_CLASSES.length - 1)] ?? "other";
  return {
    class: ofClass,
    ...(random.next() < 0.3 ? { deadline: mono(now + fractionOf(random.next() * 9_000)) } : {}),
    ...(random.next() < 0.4 ? { key: `read ${random.integer(1, 3)}` } : {}),
  };
}

function endOf(random: Random): SlotEnd {
  const draw = random.next();
  if (draw < 0.08) return { kind: "unspent" };
  if (draw < 0.14) return { kind: "abandoned" };
  const retryAfter = random.next() < 0.02 ? { ms: 7_000, status: 503, call: "quotes" } : undefined;
  return { kind: "answered", rateLimited: random.next() < 0.04, retryAfter };
}

/** Thousandths of a millisecond that a double counts exactly, so that two sums of the same parts are the same. */
function fractionOf(ms: number): number {
  return Math.round(ms * 1_024) / 1_024;
}

test.each([1, 2, 3])("grants, drops and numbers as the ledger's budget does, seed %i", async (seed) => {
  const ours = createVirtualMachine();
  const virtual = await live(seed, ours, new VirtualBudget(ours.clock, ours.timers));
  const theirs = createVirtualMachine();
  const real = await live(seed, theirs, await budgetOn(temporaryFolder(), theirs));
  expect(virtual.length).toBeGreaterThan(wants);
  expect(virtual.some((line) => line.includes("past-deadline"))).toBe(true);
  expect(virtual.some((line) => line.includes("shares"))).toBe(true);
  expect(virtual).toEqual(real);
});

const CLOSED = { ok: false, error: "closed: the budget was closed" };
const answered: SlotEnd = { kind: "answered", rateLimited: false };

test("a closed budget refuses what waits and what comes; a request that is out may still end, and nothing follows", async () => {
  const { clock, timers, pass } = createVirtualMachine();
  let due = 0;
  const counted: Timers = {
    after(delayMs, run) {
      due++;
      let isOver = false;
      const end = (): void => {
        if (!isOver) due--;
        isOver = true;
      };
      const cancel = timers.after(delayMs, () => {
        end();
        run();
      });
      return () => {
        end();
        cancel();
      };
    },
  };
  const budget = new VirtualBudget(clock, counted);
  const slot = unwrap(await budget.take({ class: "order" }));
  const waiting = budget.take({ class: "quote", deadline: mono(clock.monotonic() + 500) });
  expect(due).toBe(1);
  budget.close();
  budget.close();
  expect(await waiting).toEqual(CLOSED);
  expect(await budget.take({ class: "quote" })).toEqual(CLOSED);
  expect(slot.nonce()).toEqual({ ok: false, error: "slot-ended: a nonce belongs to an open slot" });
  expect(slot.held()).toBe(false);
  slot.end(answered);
  budget.observe(noon);
  await pass(10_000);
  expect(due).toBe(0);
});

test("a slot ends exactly once, also while somebody else has the next", async () => {
  const { clock, timers, pass } = createVirtualMachine();
  const budget = new VirtualBudget(clock, timers);
  const slot = unwrap(await budget.take({ class: "quote" }));
  slot.end(answered);
  const next = budget.take({ class: "quote" });
  await pass(3_000);
  expect(() => slot.end(answered)).toThrow("a slot ends exactly once");
  expect(slot.held()).toBe(false);
  expect(slot.nonce().ok).toBe(false);
  expect(unwrap(await next).held()).toBe(true);
});

test("a sender that fails gives its slot back as a request that may be out", async () => {
  const { clock, timers, pass } = createVirtualMachine();
  const budget = new VirtualBudget(clock, timers);
  const boom = budget.share({ class: "quote", key: "read" }, async (slot) => {
    slot.held();
    throw new Error("boom");
  });
  await expect(boom).rejects.toThrow("boom");
  let at: number | undefined;
  void budget.take({ class: "quote" }).then(() => {
    at = clock.monotonic();
  });
  await pass(3_000);
  expect(at).toBe(2_000);
});

test("the first slot opens when it is told to, and the venue's time is wanted until it was heard", async () => {
  const { clock, timers, pass } = createVirtualMachine();
  const budget = new VirtualBudget(clock, timers, { openAt: mono(5_000) });
  const slot = budget.take({ class: "quote" });
  let at: number | undefined;
  void slot.then(() => {
    at = clock.monotonic();
  });
  expect(budget.needsVenueTime()).toBe(true);
  budget.observe(noon);
  expect(budget.needsVenueTime()).toBe(false);
  await pass(6_000);
  expect(at).toBe(5_000);
});
