import { expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/domain/random.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis, type Timers } from "../../../src/domain/time.ts";
import type { Budget } from "../../../src/exchange/budget/budget.ts";
import type { SlotEnd } from "../../../src/exchange/budget/pacing.ts";
import { WANT_CLASSES } from "../../../src/exchange/port.ts";
import { seed } from "../processes/length.ts";
import { budgetOn, temporaryFolder } from "./ledger-folder.ts";
import { createVirtualMachine, type VirtualMachine } from "./virtual-machine.ts";

const minutes = 4;

type Sent = {
  readonly at: number;
  readonly nonce: number;
  endedAt: number | undefined;
  end: SlotEnd["kind"] | undefined;
};

/** Timers that stand still while the process does: what came due meanwhile runs when it wakes. */
function freezable(timers: Timers) {
  let frozen = false;
  let missed: (() => void)[] = [];
  const process: Timers = {
    after(delayMs, run) {
      let cancelled = false;
      const due = () => {
        if (cancelled) return;
        if (frozen) missed.push(due);
        else run();
      };
      const cancel = timers.after(delayMs, due);
      return () => {
        cancelled = true;
        cancel();
      };
    },
  };
  const freeze = () => {
    frozen = true;
  };
  const thaw = () => {
    frozen = false;
    const due = missed;
    missed = [];
    for (const run of due) run();
  };
  return { timers: process, freeze, thaw };
}

/** One process: asks, prepares, checks, sends, waits for the answer, and again. */
async function live(budget: Budget, timers: Timers, machine: VirtualMachine, random: Random, sent: Sent[]) {
  const sleep = (ms: number) => new Promise<void>((resolve) => timers.after(ms, resolve));
  for (;;) {
    await sleep(random.integer(0, 3_000));
    const slot = await budget.take({ class: WANT_CLASSES[random.integer(0, WANT_CLASSES.length - 1)] ?? "other" });
    if (!slot.ok) return;
    const nonce = slot.value.nonce();
    await sleep(random.integer(0, 500));
    if (!nonce.ok || !slot.value.held()) {
      slot.value.end({ kind: "unspent" });
      continue;
    }
    const request: Sent = { at: machine.clock.monotonic(), nonce: nonce.value, endedAt: undefined, end: undefined };
    sent.push(request);
    await sleep(random.next() < 0.05 ? 20_000 : random.integer(5, 400));
    const abandoned = machine.clock.monotonic() - request.at >= 20_000;
    const rateLimited = random.next() < 0.005;
    const end: SlotEnd = abandoned ? { kind: "abandoned" } : { kind: "answered", rateLimited };
    request.endedAt = machine.clock.monotonic();
    request.end = end.kind;
    slot.value.end(end);
  }
}

test(`${minutes} virtual minutes of four processes that freeze at any moment: one at a time, in order, a second apart`, async () => {
  process.stdout.write(`freezing processes: seed ${seed}\n`);
  const random = createRandom(seed);
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const sent: Sent[] = [];
  const processes: ReturnType<typeof freezable>[] = [];
  for (let i = 0; i < 4; i++) {
    const own = freezable(machine.timers);
    processes.push(own);
    const budget = await budgetOn(folder, { ...machine, timers: own.timers });
    if (i === 0) budget.observe(millis(machine.clock.now()), machine.clock.now());
    void live(budget, own.timers, machine, random.fork(`process ${i}`), sent);
  }
  for (const until = minutes * 60_000; machine.clock.monotonic() < until; ) {
    await machine.pass(random.integer(1, 4_000));
    const victim = processes[random.integer(0, 3)];
    victim?.freeze();
    // The clock steps as well, as it may when a machine wakes.
    machine.clock.step(random.integer(-5_000, 5_000));
    machine.timers.after(random.integer(1, 60_000), () => victim?.thaw());
  }
  expect(sent.length).toBeGreaterThan(minutes);
  for (const [i, request] of sent.entries()) {
    const before = sent[i - 1];
    if (before === undefined) continue;
    expect(request.nonce).toBeGreaterThan(before.nonce);
    expect(request.at - before.at).toBeGreaterThanOrEqual(1_000);
    // The one before was over, or its lease of 22 s was.
    const freeAt = Math.min((before.endedAt ?? Number.POSITIVE_INFINITY) + 1_000, before.at + 22_000);
    expect(request.at).toBeGreaterThanOrEqual(freeAt);
  }
});

test("four processes that want the same get it in turn", async () => {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const budgets: Budget[] = [];
  for (let i = 0; i < 4; i++) budgets.push(await budgetOn(folder, machine));
  const order: Budget[] = [];
  const loop = async (budget: Budget) => {
    for (let n = 0; n < 5; n++) {
      const slot = unwrap(await budget.take({ class: "other" }));
      order.push(budget);
      slot.held();
      await new Promise<void>((resolve) => machine.timers.after(10, resolve));
      slot.end({ kind: "answered", rateLimited: false });
    }
  };
  for (const budget of budgets) void loop(budget);
  await machine.pass(25_000);
  expect(order.length).toBe(20);
  for (let round = 0; round < 5; round++) expect(new Set(order.slice(4 * round, 4 * round + 4)).size).toBe(4);
});
