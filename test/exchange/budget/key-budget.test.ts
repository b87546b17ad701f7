import { describe, expect, test } from "vitest";
import { unwrap } from "../../../src/domain/result.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import type { Budget } from "../../../src/exchange/budget/budget.ts";
import type { Want } from "../../../src/exchange/port.ts";
import { budgetOn, temporaryFolder } from "./key-folder.ts";
import { createVirtualMachine, noon, type VirtualMachine } from "./virtual-machine.ts";

const answered = { kind: "answered", rateLimited: false } as const;

/** Takes a slot, passes the last check, gets its answer after `takesMs`; writes down who sent when. */
async function call(
  budget: Budget,
  want: Want & { name: string },
  { machine, sent, takesMs = 10 }: { machine: VirtualMachine; sent: string[]; takesMs?: number },
): Promise<string> {
  const { name, ...rest } = want;
  const slot = await budget.take(rest);
  if (!slot.ok) return slot.error;
  expect(slot.value.held()).toBe(true);
  sent.push(`${name} at ${Math.round(machine.clock.monotonic())}`);
  await new Promise<void>((resolve) => machine.timers.after(takesMs, resolve));
  slot.value.end(answered);
  return "answered";
}

async function setUp() {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const first: Budget = await budgetOn(folder, machine);
  const sent: string[] = [];
  const ask = (want: Want & { name: string }) => call(first, want, { machine, sent });
  return { machine, folder, first, sent, ask };
}

describe("a budget", () => {
  test("requests leave one at a time, each 1,000 ms after the answer before it", async () => {
    const { machine, sent, ask } = await setUp();
    const all = Promise.all(["a", "b", "c"].map((name) => ask({ class: "quote", name })));
    await machine.pass(3_100);
    expect(await all).toEqual(["answered", "answered", "answered"]);
    expect(sent).toEqual(["a at 0", "b at 1010", "c at 2020"]);
  });

  test("a better want registered 1 ms before the slot wins it", async () => {
    const { machine, sent, ask } = await setUp();
    void ask({ class: "quote", name: "first" });
    await machine.pass(100);
    void ask({ class: "quote", name: "quote" });
    await machine.pass(909);
    void ask({ class: "order", name: "order" });
    await machine.pass(1_100);
    expect(sent).toEqual(["first at 0", "order at 1010", "quote at 2020"]);
  });

  test("an order past its lifetime is dropped, not sent", async () => {
    const { machine, sent, ask } = await setUp();
    void ask({ class: "quote", name: "first" });
    await machine.pass(20);
    const order = ask({ class: "order", name: "order", deadline: mono(1_000) });
    await machine.pass(2_000);
    expect(await order).toMatch(/^past-deadline: order waited \d+ ms beyond its deadline$/);
    expect(sent).toEqual(["first at 0"]);
  });

  test("identical reads that wait share one request and its answer", async () => {
    const { machine, first, ask } = await setUp();
    void ask({ class: "quote", name: "first" });
    await machine.pass(20);
    let requests = 0;
    const read = () =>
      first.share({ class: "balance", key: "accountBalance" }, async (slot) => {
        slot.end(answered);
        requests += 1;
        return `answer ${requests}`;
      });
    const both = Promise.all([read(), read()]);
    await machine.pass(1_000);
    const later = read();
    await machine.pass(1_100);
    expect((await both).map(unwrap)).toEqual(["answer 1", "answer 1"]);
    expect(unwrap(await later)).toBe("answer 2");
  });

  test("a sharer that fails fails for all who shared, and its slot is given up", async () => {
    const { machine, first } = await setUp();
    const boom = () =>
      first.share({ class: "balance", key: "k" }, async (slot) => {
        slot.held();
        throw new Error("boom");
      });
    const failed = expect(boom()).rejects.toThrow("boom");
    await machine.pass(10);
    await failed;
    const next = first.take({ class: "quote" });
    let at: number | undefined;
    void next.then(() => {
      at = machine.clock.monotonic();
    });
    await machine.pass(3_000);
    expect(at).toBe(2_000);
  });

  test("a closed budget refuses what waits and what comes", async () => {
    const { machine, first } = await setUp();
    unwrap(await first.take({ class: "quote" }));
    const waiting = first.take({ class: "quote" });
    await machine.pass(5);
    first.close();
    expect(await waiting).toEqual({ ok: false, error: "closed: the budget was closed" });
    expect(await first.take({ class: "quote" })).toEqual({ ok: false, error: "closed: the budget was closed" });
    // Whoever hears the venue's Date later, or a timer of before, finds nothing to write to.
    first.observe(noon, noon);
    first.close();
    await machine.pass(10_000);
  });

  test("a request that is out when the budget closes may still end, and the next process waits for it", async () => {
    const { folder, machine, first } = await setUp();
    const slot = unwrap(await first.take({ class: "order" }));
    expect(slot.held()).toBe(true);
    first.close();
    expect(slot.held()).toBe(false);
    slot.end(answered);
    const second = await budgetOn(folder, machine);
    let openAt: number | undefined;
    void second.take({ class: "quote" }).then(() => {
      openAt = machine.clock.monotonic();
    });
    await machine.pass(3_000);
    expect(openAt).toBe(2_000);
  });

  test("a slot ends exactly once", async () => {
    const { first } = await setUp();
    const slot = unwrap(await first.take({ class: "quote" }));
    slot.end(answered);
    expect(() => slot.end(answered)).toThrow("a slot ends exactly once");
    expect(slot.held()).toBe(false);
    expect(slot.nonce().ok).toBe(false);
  });
});

test("a process that was suspended before its last check does not send any more", async () => {
  const { machine, first } = await setUp();
  const slot = unwrap(await first.take({ class: "order" }));
  await machine.pass(8_001);
  expect(slot.held()).toBe(false);
  slot.end({ kind: "unspent" });
});

describe("nonces", () => {
  test("need a Date of the venue first, which an unsigned call brings", async () => {
    const { first, machine } = await setUp();
    expect(first.needsVenueTime()).toBe(true);
    const slot = unwrap(await first.take({ class: "other" }));
    expect(slot.nonce()).toMatchObject({ ok: false, error: expect.stringMatching(/^venue-time-unknown/) });
    first.observe(millis(noon), machine.clock.now());
    expect(first.needsVenueTime()).toBe(false);
    expect(unwrap(slot.nonce())).toBe(noon);
  });

  test("rise strictly over processes, restarts and a wall clock that steps back an hour and forward a day", async () => {
    const { folder, machine, first } = await setUp();
    const budgets: Budget[] = [first];
    first.observe(millis(noon), machine.clock.now());
    const drawn: number[] = [];
    const draw = async (budget: Budget) => {
      const slot = budget.take({ class: "other" });
      await machine.pass(2_000);
      drawn.push(unwrap(unwrap(await slot).nonce()));
      unwrap(await slot).end({ kind: "unspent" });
    };
    await draw(first);
    for (const step of [-3_600_000, 25 * 3_600_000, 0]) {
      machine.clock.step(step);
      budgets.at(-1)?.close();
      budgets.push(await budgetOn(folder, machine));
      await draw(budgets.at(-1) as Budget);
    }
    expect(drawn).toEqual([...drawn].sort((a, b) => a - b));
    expect(new Set(drawn).size).toBe(4);
    // 8 s have passed at the venue, whatever the wall clock showed.
    expect(drawn.at(-1)).toBeLessThanOrEqual(noon + 8_000 + 2_000);
  });
});
