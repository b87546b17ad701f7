// A rail of a person in every way its answer can be lost: registered once, adopted when it landed, otherwise left to a person.
// No money moves with it, so the bot goes on trading meanwhile.

import { describe, expect, test } from "vitest";
import { Quantity } from "../../src/domain/money/money.ts";
import type { Rail } from "../../src/domain/rail.ts";
import { type MoneyRequest, stateText } from "../../src/execution/request.ts";
import type { RailInput } from "../../src/operation/rail.ts";
import type { Life } from "../support/crash-journal.ts";
import { deaths, faultOn, landed, lost } from "./loss.ts";
import {
  CHF,
  type Command,
  close,
  DAYS_BOT,
  expectSameBooks,
  KEY,
  SLOW_BOT,
  TreasuryWorld,
  VCHF,
  WALLET,
  whitelist,
} from "./world.ts";

const MINUTE = 60_000;

async function beside(): Promise<TreasuryWorld> {
  const world = await TreasuryWorld.open();
  whitelist(world);
  world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  return world;
}

describe("a rail beside a running bot", () => {
  test("is registered from a template with a name that is not ASCII, works, and is not registered twice by mistake", async () => {
    const world = await beside();
    const first = await world.end(world.rail("on", "vchf-in", { wait: true, memo: "7" }));
    expect([first.code, first.stdout], first.stderr).toEqual([0, expect.stringMatching(/^working/)]);
    const rows = world.venue.venue.rails(KEY, world.moment());
    expect(rows.ok && rows.value).toMatchObject([
      { type: "FiatToStablecoin", sender: { name: "Zürich Handels AG" }, destination: WALLET, memo: "7" },
    ]);
    const again = await world.end(world.rail("on", "vchf-in", { memo: "7" }));
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining("a rail of the same content is there")]);
    expect(world.calls("addPaymentRail")).toHaveLength(1);
    const another = await world.end(world.rail("on", "vchf-in", { memo: "7", another: true }));
    expect(another.code, another.stderr).toBe(0);
    const other = await world.end(world.rail("off", "vchf-out"));
    expect([other.code, other.stdout], other.stderr).toEqual([0, expect.stringContaining("is pending")]);
    expect(world.calls("addPaymentRail")).toHaveLength(3);
    await world.pass(30 * MINUTE);
    expect(world.halts()).toEqual([]);
  });

  test.each(landed("addPaymentRail"))(
    "that gets %s is adopted from the list and registered once",
    async (_, faults) => {
      const world = await beside();
      world.setFaults(faults);
      const unknown = await world.end(world.rail("on", "vchf-in"));
      expect(unknown.code, unknown.stderr).toBe(4);
      await world.pass(10 * MINUTE);
      expect(theRail(world).state).toMatchObject({ kind: "confirmed", receipt: { status: "pending" } });
      expect(world.calls("addPaymentRail")).toHaveLength(1);
      expect(world.halts()).toEqual([]);
    },
  );

  test.each(lost("addPaymentRail"))(
    "that gets %s is left to a person, who closes it; nothing is frozen meanwhile",
    async (_, faults) => {
      const world = await beside();
      world.setFaults(faults);
      const unknown = await world.end(world.rail("on", "vchf-in"));
      expect(unknown.code, unknown.stderr).toBe(4);
      await world.pass(40 * MINUTE);
      const { id, state } = theRail(world);
      expect(stateText(state)).toBe("escalated");
      const now = { at: world.time.clock.now(), mono: world.time.clock.monotonic() };
      expect(world.reader().executor.freeze(now)).toEqual({ kind: "none" });
      const second = await world.end(world.rail("on", "vchf-in"));
      expect(second.code, second.stderr).toBe(3);
      const closed = await world.end(close(world, id, { notLanded: true }));
      expect([closed.code, closed.stdout], closed.stderr).toEqual([0, expect.stringContaining("closed as not landed")]);
      // Trades, orders and balances are read again first.
      await world.pass(60_000);
      const third = await world.end(world.rail("on", "vchf-in", { wait: true }));
      expect(third.code, third.stderr).toBe(0);
      expect(world.calls("addPaymentRail").length).toBe(2);
      expect(world.halts()).toEqual([]);
    },
  );

  test("that nobody has heard of stands by the id that a person has from the venue", async () => {
    const world = await beside();
    world.setFaults(faultOn("addPaymentRail", { fault: "lost-request" }));
    expect((await world.end(world.rail("on", "vchf-in"))).code).toBe(4);
    await world.pass(40 * MINUTE);
    const { id } = theRail(world);
    const closed = await world.end(close(world, id, { landed: true, venueId: "RR-9" }));
    const content = `rail     ${id}: FiatToStablecoin of VCHF to ${WALLET}\n`;
    expect([closed.code, closed.stderr]).toEqual([0, expect.stringContaining(content)]);
    expect(closed.stderr).toContain("closing  as landed: rail RR-9\n");
    expect(theRail(world).state).toMatchObject({ kind: "confirmed", receipt: { railId: "RR-9" } });
  });

  test("that the venue refuses shows its reason, is over, and is no stranger in the list", async () => {
    const world = await beside();
    const refused = await world.end(world.rail("on", "vchf-in", { senderCountry: "US", wait: true }));
    expect([refused.code, refused.stdout], refused.stderr).toEqual([3, expect.stringContaining("US is not served")]);
    const good = await world.end(world.rail("on", "vchf-in"));
    expect(good.code, good.stderr).toBe(0);
    await world.pass(20 * MINUTE);
    expect(world.halts()).toEqual([]);
  });
});

describe("a payment on a rail of ours", () => {
  async function paid(): Promise<{ readonly world: TreasuryWorld; readonly bot: Life }> {
    const world = await TreasuryWorld.open();
    const bot = world.bot();
    await world.pass(20_000);
    const rail = await world.end(world.rail("off", "vchf-out"));
    expect(rail.code, rail.stderr).toBe(0);
    return { world, bot };
  }

  function pay(world: TreasuryWorld): void {
    const { receipt } = theRail(world).state as { receipt: Rail };
    expect(world.venue.venue.pay(receipt.railId, Quantity.of("1000"), world.moment()).ok).toBe(true);
  }

  test("takes coins from the books while the bot trades on: in flight first, outside at the end", async () => {
    const { world } = await paid();
    pay(world);
    await world.pass(30_000);
    expect(world.halts()).toEqual([]);
    expect([...world.reader().books.accounts.flights()]).toMatchObject([{ door: "payment", status: "pending" }]);
    expect(String(world.reader().books.accounts.inFlight(CHF))).toBe("1000");
    expectSameBooks(world);
  });

  test("that came while no bot ran is in the books before they are compared", async () => {
    const { world, bot } = await paid();
    bot.kill();
    pay(world);
    await world.pass(24 * 60 * MINUTE);
    world.bot(SLOW_BOT);
    await world.pass(5 * MINUTE);
    expect(world.halts()).toEqual([]);
    expect([...world.reader().books.accounts.flights()]).toEqual([]);
    expectSameBooks(world);
  });

  test("that the balances are late to show stops nothing: not with others after it, nor at a start in between", async () => {
    const { world, bot } = await paid();
    await world.pass(100_000);
    world.venue.venue.setFaults({ balanceLagMs: 100_000 });
    for (const _ of [1, 2, 3]) {
      pay(world);
      await world.pass(50_000);
    }
    expect(world.halts()).toEqual([]);
    bot.kill();
    pay(world);
    world.bot();
    await world.pass(5 * MINUTE);
    expect(world.halts()).toEqual([]);
    world.venue.venue.setFaults({ balanceLagMs: 0 });
    expectSameBooks(world);
  });
});

test.each(deaths("addPaymentRail", "confirmed"))(
  "a rail whose owner is killed $name is taken over by the next, and registered once at most",
  async ({ kills, calls, ends }) => {
    const world = await beside();
    kills(world, world.rail("on", "vchf-in"));
    await world.pass(MINUTE);
    world.bot(SLOW_BOT);
    await world.pass(40 * MINUTE);
    expect(rails(world)[0]?.state.kind).toBe(ends);
    expect(world.calls("addPaymentRail").length).toBe(calls);
    expect(world.halts()).toEqual([]);
  },
);

test("a held rail is followed for four days across restarts, until the venue lets it go", async () => {
  const world = await TreasuryWorld.open();
  whitelist(world);
  let bot = world.bot(DAYS_BOT);
  await world.pass(3 * MINUTE);
  world.venue.venue.setFaults({ railHoldChance: 1 });
  const held = await world.end(world.rail("on", "vchf-in", { wait: true }));
  expect([held.code, held.stdout], held.stderr).toEqual([
    4,
    expect.stringMatching(/^held .*(AML|sanctions|Travel Rule) review/),
  ]);
  for (let day = 0; day < 4; day++) {
    const before = world.calls("queryPaymentRails").length;
    await world.pass(24 * 60 * MINUTE);
    expect(world.calls("queryPaymentRails").length - before).toBeGreaterThan(24 * 4 - 5);
    bot.kill();
    bot = world.bot(DAYS_BOT);
    await world.pass(20 * MINUTE);
    expect(theRail(world).state).toMatchObject({ kind: "confirmed", receipt: { status: "held" } });
  }
  expect(world.halts()).toEqual([]);
  const { receipt } = theRail(world).state as { receipt: Rail };
  world.venue.venue.hold(receipt.railId, false, world.moment());
  await world.pass(40 * MINUTE);
  expect(theRail(world).state).toMatchObject({ kind: "confirmed", receipt: { status: "pending" } });
});

describe("before anything is sent", () => {
  type Case = readonly [
    name: string,
    set: (world: TreasuryWorld) => void,
    begin: (world: TreasuryWorld) => Command,
    says: RegExp,
  ];
  const nothing = (): void => {};
  const cases: readonly Case[] = [
    [
      "a mint below the minimum",
      nothing,
      (world) => world.mint({ asset: "VGBP", quantity: "99999.99" }),
      /worth at least 100000 GBP, was 9999/,
    ],
    [
      "a mint that the money does not cover",
      nothing,
      (world) => world.mint({ quantity: "1200000" }),
      /available are 1000000 CHF/,
    ],
    [
      "a mint into a wallet that is not confirmed",
      (world) => whitelist(world, { status: "Unconfirmed" }),
      (world) => world.mint({ to: "safe" }),
      /must be confirmed in the venue's portal, was Unconfirmed/,
    ],
    [
      "a rail to an unlisted wallet",
      nothing,
      (world) => world.rail("on", "vchf-in", { to: "nowhere" }),
      /must stand in treasury.destinations/,
    ],
    [
      "a rail in another currency",
      nothing,
      (world) => world.rail("off", "vchf-out", { currency: "GBP" }),
      /currency of VCHF must be CHF/,
    ],
  ];

  test.each(cases)("%s is refused with exit code 3, and nothing was sent", async (_, set, begin, says) => {
    const world = await TreasuryWorld.open();
    set(world);
    world.bot(SLOW_BOT);
    await world.pass(3 * MINUTE);
    const { code, stderr } = await world.end(begin(world));
    expect([code, stderr]).toEqual([3, expect.stringMatching(says)]);
    expect([...world.calls("mintTokens"), ...world.calls("addPaymentRail")]).toEqual([]);
    expect(world.halts()).toEqual([]);
    expectUntouched(world);
  });

  test("a rail that is not named in full, or unreadably, ends with exit code 2, and nothing was sent", async () => {
    const world = await TreasuryWorld.open();
    const parts = { asset: "VCHF", chain: "ETH", to: "house" };
    const cases: readonly [Partial<RailInput>, RegExp][] = [
      [{}, /the coin is missing: --asset/],
      [parts, /sender's name is missing/],
      [{ ...parts, senderName: "A" }, /sender's country is missing/],
      [{ ...parts, senderName: "A", senderCountry: "ch" }, /must be two capital letters, was ch/],
    ];
    for (const [options, says] of cases) {
      const { code, stderr } = await world.end(world.rail("off", undefined, options));
      expect([code, stderr]).toEqual([2, expect.stringMatching(says)]);
    }
    expect(world.calls("addPaymentRail")).toEqual([]);
  });

  test.each([
    ["KYB that is not cleared", (world: TreasuryWorld) => world.venue.venue.clearKyb(KEY, false), "kyb_required"],
    [
      "an agreement that is not signed",
      (world: TreasuryWorld) => world.venue.venue.signAgreement(KEY, "issuance", false),
      "agreement_missing",
    ],
  ])(
    "%s is named with the venue's code before anything is sent, and neither money nor orders are lost",
    async (_, set, says) => {
      const world = await beside();
      set(world);
      for (const command of [() => world.mint(), () => world.rail("on", "vchf-in")]) {
        const { code, stderr } = await world.end(command());
        expect([code, stderr]).toEqual([1, expect.stringContaining(`nothing was changed: ${says.replace("_", "-")}`)]);
      }
      expect(world.halts()).toEqual([]);
      expectUntouched(world);
    },
  );
});

function expectUntouched(world: TreasuryWorld): void {
  const { accounts } = world.reader().books;
  for (const asset of accounts.assets) {
    expect(String(accounts.heldAtLeast(asset))).toBe(String(accounts.held(asset)));
    expect(String(accounts.inFlight(asset))).toBe("0");
  }
  expect(String(accounts.held(VCHF))).toBe(String(Quantity.of("500000")));
}

type Known = { readonly id: string; readonly state: MoneyRequest["state"] };

/** As the journal has them. */
function rails(world: TreasuryWorld): readonly Known[] {
  const tradingCore = world.reader();
  return world.records().flatMap((record) => {
    if (record.kind !== "intent" || record.request.kind !== "rail") return [];
    const submission = tradingCore.executor.get(record.id);
    return submission === undefined ? [] : [{ id: record.id, state: submission.state }];
  });
}

function theRail(world: TreasuryWorld): Known {
  const [rail] = rails(world);
  if (rail === undefined) throw new Error("there must be a rail");
  return rail;
}
