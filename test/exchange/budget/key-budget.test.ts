import { describe, expect, test } from "vitest";
import { unwrap } from "../../../src/domain/result.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import type { Budget, Slot } from "../../../src/exchange/budget/budget.ts";
import { Bidding } from "../../../src/exchange/budget/ledger.ts";
import type { Bid, LedgerStore } from "../../../src/exchange/budget/ledger-store.ts";
import type { Want } from "../../../src/exchange/port.ts";
import { budgetOn, temporaryFolder } from "./ledger-folder.ts";
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

async function setUp(processes = 1) {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const budgets: Budget[] = [];
  for (let i = 0; i < processes; i++) budgets.push(await budgetOn(folder, machine));
  const sent: string[] = [];
  const [first, second] = budgets;
  if (first === undefined) throw new Error("no budget");
  const ask = (budget: Budget | undefined, want: Want & { name: string }) =>
    call(budget ?? first, want, { machine, sent });
  return { machine, folder, first, second, sent, ask };
}

describe("in one process", () => {
  test("requests leave one at a time, each 1,000 ms after the answer before it", async () => {
    const { machine, first, sent, ask } = await setUp();
    const all = Promise.all(["a", "b", "c"].map((name) => ask(first, { class: "quote", name })));
    await machine.pass(3_100);
    expect(await all).toEqual(["answered", "answered", "answered"]);
    expect(sent).toEqual(["a at 0", "b at 1010", "c at 2020"]);
  });

  test("a better want registered 1 ms before the slot wins it", async () => {
    const { machine, first, sent, ask } = await setUp();
    void ask(first, { class: "quote", name: "first" });
    await machine.pass(100);
    void ask(first, { class: "quote", name: "quote" });
    await machine.pass(909);
    void ask(first, { class: "order", name: "order" });
    await machine.pass(1_100);
    expect(sent).toEqual(["first at 0", "order at 1010", "quote at 2020"]);
  });

  test("an order past its lifetime is dropped, not sent", async () => {
    const { machine, first, sent, ask } = await setUp();
    void ask(first, { class: "quote", name: "first" });
    await machine.pass(20);
    const order = ask(first, { class: "order", name: "order", deadline: mono(1_000) });
    await machine.pass(2_000);
    expect(await order).toMatch(/^past-deadline: order waited \d+ ms beyond its deadline$/);
    expect(sent).toEqual(["first at 0"]);
  });

  test("identical reads that wait share one request and its answer", async () => {
    const { machine, first, ask } = await setUp();
    void ask(first, { class: "quote", name: "first" });
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

describe("across processes", () => {
  test("one request is in flight, and the spacing counts from the answer whoever got it", async () => {
    const { machine, first, second, sent, ask } = await setUp(2);
    void ask(first, { class: "quote", name: "first" });
    void ask(second, { class: "quote", name: "second" });
    await machine.pass(1_100);
    expect(sent).toEqual(["first at 0", "second at 1010"]);
  });

  test("the best want of all processes gets the slot", async () => {
    const { machine, first, second, sent, ask } = await setUp(2);
    void ask(first, { class: "quote", name: "first" });
    await machine.pass(100);
    void ask(first, { class: "balance", name: "balance" });
    void ask(second, { class: "confirmation", name: "confirmation" });
    void ask(second, { class: "other", name: "other" });
    void ask(first, { class: "order", name: "order" });
    await machine.pass(4_200);
    expect(sent.map((line) => line.split(" ")[0])).toEqual(["first", "order", "confirmation", "balance", "other"]);
  });

  test("a better want registered 1 ms before the slot in another process wins it", async () => {
    const { machine, first, second, sent, ask } = await setUp(2);
    void ask(first, { class: "quote", name: "first" });
    await machine.pass(100);
    void ask(first, { class: "quote", name: "quote" });
    await machine.pass(909);
    void ask(second, { class: "order", name: "order" });
    await machine.pass(1_200);
    expect(sent.map((line) => line.split(" ")[0])).toEqual(["first", "order", "quote"]);
  });

  test("a loop of balances in one process delays a doubt of another by at most one slot", async () => {
    const { machine, first, second, sent, ask } = await setUp(2);
    const loop = async () => {
      for (let i = 0; i < 10; i++) await ask(first, { class: "balance", name: "balance" });
    };
    void loop();
    await machine.pass(3_035);
    void ask(second, { class: "doubt", name: "doubt" });
    await machine.pass(7_000);
    expect(sent.findIndex((line) => line.startsWith("doubt"))).toBe(4);
    expect(sent[4]).toBe("doubt at 4040");
  });

  test("a process that does not take the slot it bid most for is passed over", async () => {
    const { machine, folder, first, sent, ask } = await setUp();
    const sleeper = { ...machine, timers: { after: () => () => {} } };
    const second = await budgetOn(folder, sleeper);
    void ask(first, { class: "quote", name: "first" });
    await machine.pass(20);
    void second.take({ class: "doubt" });
    void ask(first, { class: "quote", name: "quote" });
    await machine.pass(1_300);
    // The slot opens at 1,010; the sleeper's bid counts for 150 ms.
    expect(sent[1]).toMatch(/^quote at 116\d$/);
  });

  test("59 slots of doubts elsewhere are the longest wait of a want", async () => {
    const { machine, first, second, sent, ask } = await setUp(2);
    const doubts = async () => {
      for (let i = 0; i < 70; i++) await ask(first, { class: "doubt", name: "doubt" });
    };
    void doubts();
    await machine.pass(5);
    void ask(second, { class: "other", name: "other" });
    await machine.pass(70_000);
    // Registered after one slot was granted, so slots 2 to 60 go by and it takes the 61st.
    expect(sent.findIndex((line) => line.startsWith("other"))).toBe(60);
  });
});

test("after a pause of the venue a doubt has the first slot, before what another process has waited for too long", async () => {
  const { machine, first, second, sent, ask } = await setUp(2);
  const doubts = async () => {
    for (let i = 0; i < 60; i++) await ask(first, { class: "doubt", name: "early doubt" });
    const slot = unwrap(await first.take({ class: "doubt" }));
    expect(slot.held()).toBe(true);
    slot.end({ kind: "answered", rateLimited: false, retryAfter: { ms: 3_600_000, status: 503, call: "quotes" } });
    await ask(first, { class: "doubt", name: "doubt" });
  };
  void doubts();
  await machine.pass(1_100);
  void ask(second, { class: "other", name: "other" });
  await machine.pass(62_000 + 60_000);
  expect(sent.slice(60)).toEqual([
    expect.stringMatching(/^doubt at 120\d{3}$/),
    expect.stringMatching(/^other at 121\d{3}$/),
  ]);
});

describe("of two bids", () => {
  const bid = { isOverdue: false, since: mono(10), class: "quote" } as const;
  const isOutbid = (me: string, mine: Bid, instance: string, rival: Bid): boolean => {
    const store = { bids: () => [{ ...rival, instance, publishedAt: mono(20) }] } as unknown as LedgerStore;
    return new Bidding(store, me, () => mono(20)).isOutbid(mine, mono(20), 150);
  };
  const both = (one: Bid, other: Bid): readonly boolean[] => [
    isOutbid("a", one, "b", other),
    isOutbid("b", other, "a", one),
  ];

  test("the class decides, then age; before all an overdue one", () => {
    const younger = { ...bid, since: mono(11) };
    expect(both(bid, younger)).toEqual([false, true]);
    expect(both(bid, { ...younger, class: "order" })).toEqual([true, false]);
    expect(both({ ...bid, isOverdue: true }, { ...younger, class: "doubt" })).toEqual([false, true]);
  });

  test("that are alike one wins and the other does not, whoever looks", () => {
    expect(both(bid, bid)).toEqual([false, true]);
  });
});

describe("a holder that falls silent", () => {
  async function silent(sends: boolean) {
    const { machine, first, second, ask, sent } = await setUp(2);
    first.observe(millis(noon), millis(noon));
    const slot: Slot = unwrap(await first.take({ class: "order" }));
    const nonce = unwrap(slot.nonce());
    if (sends) expect(slot.held()).toBe(true);
    void ask(second, { class: "quote", name: "second" });
    return { machine, slot, sent, nonce };
  }

  test("before its last check loses the slot after 8 s, and cannot send any more", async () => {
    const { machine, slot, sent } = await silent(false);
    await machine.pass(8_100);
    expect(sent[0]).toMatch(/^second at 80[0-9]{2}$/);
    expect(slot.held()).toBe(false);
    expect(slot.nonce()).toMatchObject({ ok: false, error: expect.stringMatching(/^slot-lost/) });
    slot.end({ kind: "unspent" });
  });

  test("after its last check keeps the slot as long as an answer may take, then 2 s more pass", async () => {
    const { machine, slot, sent } = await silent(true);
    await machine.pass(23_900);
    expect(sent).toEqual([]);
    await machine.pass(300);
    expect(sent[0]).toMatch(/^second at 24[01][0-9]{2}$/);
    expect(slot.held()).toBe(false);
    slot.end(answered);
  });

  test("gets no second slot before its first request is over", async () => {
    const { machine, first } = await setUp();
    const stuck = unwrap(await first.take({ class: "quote" }));
    let next: Slot | undefined;
    void first.take({ class: "doubt" }).then((slot) => {
      next = unwrap(slot);
    });
    await machine.pass(20_000);
    expect(next).toBeUndefined();
    stuck.end({ kind: "unspent" });
    await machine.pass(10);
    expect(next?.held()).toBe(true);
  });

  test("that ends late does not move the slot of the one after it, but its rate-limit answer counts", async () => {
    const { machine, first, second } = await setUp(2);
    const late = unwrap(await first.take({ class: "quote" }));
    const taken = second?.take({ class: "quote" });
    await machine.pass(8_100);
    const slot = unwrap((await taken) ?? { ok: false, error: "none" });
    late.end({ kind: "answered", rateLimited: true });
    expect(slot.held()).toBe(true);
    slot.end(answered);
    let openAt = 0;
    void first.take({ class: "quote" }).then(() => {
      openAt = machine.clock.monotonic();
    });
    await machine.pass(6_000);
    expect(openAt).toBeGreaterThanOrEqual(13_000);
  });
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
    first.observe(millis(noon), machine.clock.now());
    const drawn: number[] = [];
    const draw = async (budget: Budget) => {
      const slot = budget.take({ class: "other" });
      await machine.pass(2_000);
      drawn.push(unwrap(unwrap(await slot).nonce()));
      unwrap(await slot).end({ kind: "unspent" });
    };
    await draw(first);
    machine.clock.step(-3_600_000);
    const second = await budgetOn(folder, machine);
    await draw(second);
    machine.clock.step(25 * 3_600_000);
    await draw(first);
    first.close();
    await draw(await budgetOn(folder, machine));
    expect(drawn).toEqual([...drawn].sort((a, b) => a - b));
    expect(new Set(drawn).size).toBe(4);
    // 8 s have passed at the venue, whatever the wall clock showed.
    expect(drawn.at(-1)).toBeLessThanOrEqual(noon + 8_000 + 2_000);
  });
});
