import { describe, expect, test } from "vitest";
import { createIds } from "../../../src/domain/ids.ts";
import type { ClientOrderId } from "../../../src/domain/order.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { millis } from "../../../src/domain/time.ts";
import { ById } from "../../../src/execution/kept/by-id.ts";
import { Held } from "../../../src/execution/kept/held.ts";
import { ORDER } from "../life.ts";

const held = (id: string): Held =>
  new Held(
    {
      at: millis(0),
      id,
      request: { kind: "order", order: { ...ORDER, clientOrderId: id as ClientOrderId } },
      value: undefined,
    },
    "bot00001",
    { kind: "none" },
  );

describe("submissions by id", () => {
  test("are found under the very text of their id and no other that reads like it", () => {
    const ids = ["T-bot00001-7", "T-bot00001-07", "T-bot00002-7", "T-bot00001-7 ", "7", "-7", "T-bot00001-", "x", ""];
    const all = new ById();
    const given = ids.map(held);
    for (const one of given) expect(all.add(one)).toBe(true);
    for (const one of given) expect(all.find(one.id)).toBe(one);
    for (const id of ["T-bot00001-70", "T-bot0000-17", "T-bot00001-+7", "T-bot00003-7"])
      expect(all.find(id)).toBe(undefined);
  });

  test("are not taken for those of a series whose name theirs begins with", () => {
    const all = new ById();
    const one = held("T-bot00001-5");
    all.add(one);
    expect([all.find("T-bot00001-1-5"), all.find(one.id)]).toEqual([undefined, one]);
    expect(all.add(held("T-bot00001-1-5"))).toBe(true);
  });

  test("are found and let go after all that were kept beside them are gone", () => {
    const all = new ById();
    const [first, late, far] = ["T-bot00001-1", "T-bot00001-2", "T-bot00001-9000"].map(held) as [Held, Held, Held];
    all.add(first);
    all.forget(first, "filled");
    expect(all.add(late)).toBe(true);
    all.add(far);
    expect([all.find(late.id), all.find(far.id)]).toEqual([late, far]);
    expect(all.forget(late, "filled")).toBe(true);
    expect([all.find(late.id), all.pastOf(late.id)]).toEqual([undefined, "filled"]);
  });

  test("are found beside one that was let go, down to the last", () => {
    const all = new ById();
    const given = [1, 2, 3].map((count) => held(`T-bot00001-${count}`));
    for (const one of given) all.add(one);
    for (const [index, one] of given.entries()) {
      all.forget(one, "filled");
      expect(given.map(({ id }) => all.find(id))).toEqual(
        given.map((kept, place) => (place > index ? kept : undefined)),
      );
    }
  });

  test("have an id once, also when only what became of them is kept", () => {
    const all = new ById();
    for (const id of ["T-bot00001-1", "portal order"]) {
      const one = held(id);
      expect(all.add(one)).toBe(true);
      expect(all.add(held(id))).toBe(false);
      expect(all.pastOf(id)).toBe("unknown");
      expect(all.forget(one, "given-up")).toBe(true);
      expect(all.forget(one, "filled")).toBe(false);
      expect(all.find(id)).toBe(undefined);
      expect(all.pastOf(id)).toBe("given-up");
      expect(all.add(held(id))).toBe(false);
    }
    expect(all.forget(held("T-bot00001-2"), "filled")).toBe(false);
    expect(all.pastOf("T-bot00001-2")).toBe("unknown");
  });

  test("are what a plain map of them would be, over many series, jumps in the count and ids of other forms", () => {
    const seed = 20_261_115;
    const random = createRandom(seed);
    const all = new ById();
    const kept = new Map<string, Held>();
    const gone = new Map<string, Held>();
    const past = new Map<string, "filled" | "given-up">();
    const idOf = (): string => {
      const count = Math.floor(random.next() ** 4 * 40_000_000);
      return random.next() < 0.1 ? `odd-${count}x` : `T-bot0000${Math.floor(random.next() * 4)}-${count % 3_000}`;
    };
    for (let turn = 0; turn < 20_000; turn++) {
      const id = random.next() < 0.1 ? `T-bot00009-${Math.floor(random.next() * 2 ** 26)}` : idOf();
      if (random.next() < 0.6) {
        const one = held(id);
        const isNew = !kept.has(id) && !past.has(id);
        expect(all.add(one), `${id}, seed ${seed}`).toBe(isNew);
        if (isNew) kept.set(id, one);
      } else {
        const end = random.next() < 0.5 ? "filled" : "given-up";
        expect(all.forget(kept.get(id) ?? gone.get(id) ?? held(id), end), `${id}, seed ${seed}`).toBe(kept.has(id));
        const one = kept.get(id);
        if (one !== undefined) gone.set(id, one);
        if (kept.delete(id)) past.set(id, end);
      }
      expect(all.find(id)).toBe(kept.get(id));
      expect(all.pastOf(id)).toBe(past.get(id) ?? "unknown");
    }
    expect(new Set(all.all())).toEqual(new Set(kept.values()));
  });

  test("are found the same whether their ids were made here, read from a text, or made by another process", () => {
    const seed = 20_261_116;
    const random = createRandom(seed);
    const all = new ById();
    const kept = new Map<string, Held>();
    const ids = ["bot00001", "bot00002"].map((instance) => createIds("T", instance, 250));
    const put = (id: string): void => {
      const one = held(id);
      expect(all.add(one), `${id}, seed ${seed}`).toBe(!kept.has(id));
      if (!kept.has(id)) kept.set(id, one);
    };
    let last = "";
    for (let turn = 0; turn < 1_200; turn++) {
      const next = ids[random.next() < 0.1 ? 1 : 0]?.next() as string;
      // Some that were made are never used, some come a second time, or as another text of the same letters.
      if (random.next() < 0.8) put(random.next() < 0.5 ? next : Buffer.from(next).toString());
      if (random.next() < 0.1) put(last);
      if (random.next() < 0.1) put(`T-bot00003-${turn}`);
      // Another maker, whose count goes on where this one's is.
      const count = Number(next.split("-")[2]);
      if (random.next() < 0.1) put(createIds("T", `other${1_000 + turn}`, count).next());
      if (random.next() < 0.1) put(`${next}x`);
      for (const id of [last, next, `T-bot00001-${turn}`, `T-bot00002-${turn}`])
        expect(all.find(id)).toBe(kept.get(id));
      last = next;
    }
    const isFound = ([id, one]: [string, Held]) => all.find(Buffer.from(id).toString()) === one && all.find(id) === one;
    expect([...kept].filter((one) => !isFound(one))).toEqual([]);
  });

  test("are found where counts become too large for a place of their own, also when their ids were made here", () => {
    const all = new ById();
    const ids = createIds("T", "bot00001", 2 ** 24 - 3);
    const given = Array.from({ length: 5 }, () => held(ids.next()));
    for (const one of given) expect(all.add(one)).toBe(true);
    for (const one of given) expect(all.find(one.id)).toBe(one);
    for (const { id } of given) expect(all.add(held(id))).toBe(false);
  });

  test("are over as they were after all was saved and loaded, those that are kept by what is known of them", () => {
    const all = new ById();
    const over = { 1: "filled", 2: "given-up", 15: "given-up", 16: "filled", 9000: "given-up" } as const;
    const ends = new Map<string, "filled" | "given-up">();
    const put = (id: string, kept?: "filled" | "given-up"): Held => {
      const one = held(id);
      all.add(one);
      if (kept !== undefined) ends.set(id, kept);
      return one;
    };
    for (const [count, end] of Object.entries(over)) all.forget(put(`T-bot00001-${count}`), end);
    all.forget(put("portal"), "given-up");
    put("T-bot00001-300", "given-up");
    put("T-bot00002-7", "filled");
    put("another", "filled");
    for (const id of ["T-bot00001-301", "open"]) put(id);
    const saved = all.save((kept) => ends.get((kept as Held).id));
    const again = new ById();
    again.load(JSON.parse(JSON.stringify(saved)));
    const ids = [...Object.keys(over).map((count) => `T-bot00001-${count}`), "portal", ...ends.keys()];
    expect(ids.map((id) => again.pastOf(id))).toEqual([...Object.values(over), "given-up", ...ends.values()]);
    expect(ids.filter((id) => again.add(held(id)))).toEqual([]);
    for (const id of ["T-bot00001-301", "open", "T-bot00001-3"]) expect(again.add(held(id))).toBe(true);
    // To save is not to let go.
    expect([...ends.keys()].map((id) => all.pastOf(id))).toEqual(["unknown", "unknown", "unknown"]);
    expect(again.save(() => undefined)).toEqual(saved);
  });
});
