// Rails in use: planned and registered by the running bot, paid on, booked, and frozen when something is not as it was known.
// Real commands and a real bot on virtual time.

import { describe, expect, test } from "vitest";
import type { Accounts } from "../../src/books/accounts/accounts.ts";
import type { Engine } from "../../src/bot/engine.ts";
import { pipelineDefaults } from "../../src/bot/pipeline-settings.ts";
import { Quantity } from "../../src/domain/money/money.ts";
import type { Rail } from "../../src/domain/rail.ts";
import { millis } from "../../src/domain/time.ts";
import type { Expectation } from "../../src/execution/payments.ts";
import { treasuryOf } from "../../src/watch/status/submission-list.ts";
import { CORE_FUNDS } from "../support/bot-core.ts";
import { approving, carrier, configOf, MINUTE, opened, progress, rebalancing, thePlan } from "./rebalance-world.ts";
import {
  CHF,
  CONFIG,
  type Command,
  close,
  expectSameBooks,
  HOME,
  recordsOf,
  SLOW_BOT,
  TreasuryWorld,
  VCHF,
  whitelist,
} from "./world.ts";

const { destinations, rails } = CONFIG.treasury;
const QUICK = { settlement: { medianMs: MINUTE, sigma: 0, minMs: MINUTE, maxMs: MINUTE } };

/** 500,000 VCHF are there, ten thousand too many: a rail to the bank is cheaper than a sale. */
const OUT = {
  targets: { VCHF: { high: "490000" } },
  destinations,
  rails,
  planning: { orders: { slippageBps: 10 }, rails: { "vchf-out": { minimum: "1000" } } },
};
const AUTOMATIC = { automatic: true, lookMs: 10_000, railValueMax: "20000", dayValueMax: "20000" };
const out = (approvals: object = AUTOMATIC) => configOf({ ...OUT, approvals });

const expectations = (world: TreasuryWorld): readonly Expectation[] => [
  ...world.reader().executor.treasury.payments.expectations(),
];

function railOf(world: TreasuryWorld): { readonly id: string; readonly railId: string } {
  const [intent] = recordsOf(world, "intent").filter(({ request }) => request.kind === "rail");
  const state = world.reader().executor.get(intent?.id ?? "")?.state as { readonly receipt: Rail } | undefined;
  if (intent === undefined || state === undefined) throw new Error("there must be a rail");
  return { id: intent.id, railId: state.receipt.railId };
}

function pay(world: TreasuryWorld, amount: string): void {
  const paid = world.venue.venue.pay(railOf(world).railId, Quantity.of(amount), world.moment());
  expect(paid.ok, JSON.stringify(paid)).toBe(true);
}

const acknowledge = (world: TreasuryWorld): Command => world.asks("acknowledge", { reason: "looked" });

describe("the running bot", () => {
  test("registers a rail below its threshold, keeps the coins for the payment, and books it when it comes", async () => {
    const world = await opened(carrier(out()));
    expect(world.calls("addPaymentRail")).toHaveLength(1);
    expect(progress(world)).toEqual([
      "begun: a conversion",
      expect.stringMatching(/^sent: off-ramp vchf-out as expected:/),
    ]);
    expect(expectations(world)).toMatchObject([{ rail: railOf(world).id }]);
    const { accounts } = (world.tradingCore as Engine).books;
    expect(String(accounts.spendable(VCHF))).toBe("490000");
    // What is to be paid is as good as gone: it is not asked for twice.
    await world.pass(5 * MINUTE);
    expect([recordsOf(world, "plan").length, world.calls("addPaymentRail").length]).toEqual([1, 1]);
    pay(world, "10000");
    await world.pass(8 * MINUTE);
    expect([expectations(world), world.halts()]).toEqual([[], []]);
    expect(String(world.reader().books.accounts.settled(VCHF))).toBe("490000");
    expectSameBooks(world);
    expect(recordsOf(world, "plan")).toHaveLength(1);
  });

  test("uses a rail of the same content that stands, and registers no second one", async () => {
    const config = out({});
    const world = await opened(carrier(config));
    const first = await world.end(world.rail("off", "vchf-out"));
    expect(first.code, first.stderr).toBe(0);
    const command = rebalancing(world, config, { execute: true });
    await world.pass(MINUTE);
    expect(command.finished).toBeUndefined();
    expect(world.calls("addPaymentRail")).toHaveLength(1);
    expect(expectations(world)).toMatchObject([{ rail: railOf(world).id }]);
  });

  test("asks above its threshold, shows what waits, and carries it out once it is approved", async () => {
    const config = out({ automatic: true, lookMs: 10_000 });
    const world = await opened(carrier(config));
    expect(world.calls("addPaymentRail")).toEqual([]);
    const tradingCore = world.tradingCore as Engine;
    const { id } = thePlan(world);
    const shown = treasuryOf(tradingCore, millis(world.time.clock.now()));
    expect(shown.plans).toMatchObject([
      { id, persons: 1, approvedBy: [], steps: [expect.any(String), expect.stringMatching(/^off-ramp/)] },
    ]);
    const approved = await world.end(approving(world, config, id));
    expect([approved.code, approved.stderr]).toEqual([0, expect.stringContaining(` to ${destinations.house.account}`)]);
    await world.pass(MINUTE);
    expect([world.calls("addPaymentRail").length, expectations(world).length]).toEqual([1, 1]);
    expect(tradingCore.rebalancer?.waiting(millis(world.time.clock.now()))).toEqual([]);
  });

  test("does not ask again for a rail that the venue has refused, nor for one that is in doubt", async () => {
    const abroad = { ...rails, "vchf-out": { ...rails["vchf-out"], sender: { name: "Acme", country: "US" } } };
    const refused = await opened(carrier(configOf({ ...OUT, rails: abroad, approvals: AUTOMATIC })));
    await refused.pass(5 * MINUTE);
    const shown = treasuryOf(refused.tradingCore as Engine, millis(refused.time.clock.now()));
    expect(shown.conversions?.[0]?.waitsFor).toContain("country US is not served");
    expect(refused.calls("addPaymentRail")).toHaveLength(1);
    const doubt = await TreasuryWorld.open(1, QUICK, CORE_FUNDS);
    doubt.setFaults({ rules: [{ fault: "lost-request", on: "addPaymentRail", times: 1 }] });
    doubt.bot(carrier(out()));
    await doubt.pass(8 * MINUTE);
    const byRail = recordsOf(doubt, "plan").filter(({ content }) => content.includes("off-ramp"));
    expect([byRail.length, doubt.calls("addPaymentRail").length]).toEqual([1, 1]);
    expect([...refused.halts(), ...doubt.halts()]).toEqual([]);
  });

  test("asks for no payment on a rail that stands after a halt, wherever that came from", async () => {
    const config = out({});
    const world = await opened(carrier(config));
    expect((await world.end(world.rail("off", "vchf-out"))).code).toBe(0);
    const control = { kind: "halt", cause: "other", reason: "a person wants it", wayOut: "" } as const;
    world.journal.hook = (_, when, records) => {
      if (when !== "after" || !records.some((record) => record.kind === "plan")) return;
      world.journal.hook = undefined;
      world.control(control);
    };
    rebalancing(world, config, { execute: true });
    await world.pass(3 * MINUTE);
    expect([expectations(world), progress(world)]).toEqual([[], ["begun: a conversion"]]);
  });
});

describe("a payment that was to come", () => {
  test("and is given up by a person frees its coins; one that the venue lists cannot be given up", async () => {
    const world = await opened(carrier(out()));
    const [expected] = expectations(world);
    const giveUp = (): Command => close(world, expected?.id ?? "", { notLanded: true });
    const closed = await world.end(giveUp());
    expect([closed.code, closed.stdout], closed.stderr).toEqual([0, expect.stringContaining("its money is free")]);
    expect(expectations(world)).toEqual([]);
    const { accounts } = world.reader().books;
    expect(String(accounts.heldAtLeast(VCHF))).toBe(String(accounts.held(VCHF)));
    // A person's no holds: the same is not asked for again for an hour.
    await world.pass(55 * MINUTE);
    expect(expectations(world)).toEqual([]);
    await world.pass(10 * MINUTE);
    expect(expectations(world)).toHaveLength(1);
  });

  test("and is of another amount is booked as it is, and ends the expectation", async () => {
    const world = await opened(carrier(out()));
    pay(world, "9999");
    await world.pass(4 * MINUTE);
    expect([expectations(world), world.halts()]).toEqual([[], []]);
    expect(String(world.reader().books.accounts.settled(VCHF))).toBe("490001");
    const ended = recordsOf(world, "step").flatMap(({ step: { event } }) =>
      event.kind === "movement" && event.id.startsWith("expected:") && event.report.kind === "released"
        ? [event.report.reason]
        : [],
    );
    expect(ended).toEqual([expect.stringMatching(/of 9999 VCHF has come; expected were 10000 VCHF$/)]);
    expectSameBooks(world);
  });
});

test("a whitelist that has changed freezes rails and mints to wallets until a person has looked", async () => {
  const world = await TreasuryWorld.open();
  whitelist(world);
  world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  const first = await world.end(world.rail("on", "vchf-in"));
  expect(first.code, first.stderr).toBe(0);
  whitelist(world, { address: "0x00000000000000000000000000000000deadbeef", label: "Mallory" });
  for (const command of [
    () => world.rail("on", "vchf-in", { another: true }),
    () => world.mint({ to: "safe" }),
    () => world.rail("off", "vchf-out"),
  ]) {
    const refused = await world.end(command());
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringMatching(/new is VCHF ETH 0x0+deadbeef Mallory/)]);
  }
  const here = await world.end(world.mint());
  expect(here.code, here.stderr).toBe(0);
  expect([world.calls("addPaymentRail").length, world.calls("mintTokens").length]).toEqual([1, 1]);
  // The next start knows of it as well.
  expect(world.reader().executor.treasury.rails.reason).toContain("whitelist has changed");
  expect((await world.end(acknowledge(world))).code).toBe(0);
  const again = await world.end(world.rail("on", "vchf-in", { another: true }));
  expect(again.code, again.stderr).toBe(0);
  expect(recordsOf(world, "rails").map(({ state }) => state)).toEqual(["seen", "frozen", "released"]);
});

test("what is paid on a rail to our own deposit address comes onto the account and into the books, and is no profit", async () => {
  const world = await TreasuryWorld.open(1, QUICK, CORE_FUNDS);
  whitelist(world, { address: HOME, label: "Home" });
  const bot = world.bot({ ...SLOW_BOT, settings: pipelineDefaults });
  await world.pass(3 * MINUTE);
  const rail = await world.end(world.rail("on", "vchf-home"));
  expect(rail.code, rail.stderr).toBe(0);
  const opening = (): number => (world.tradingCore as Engine).books.counters.day.opening?.toNumber() ?? Number.NaN;
  const before = opening();
  pay(world, "2000");
  await world.pass(4 * MINUTE);
  const accounts = (world.tradingCore as Engine).books.accounts as Accounts;
  expect([world.halts(), String(accounts.settled(VCHF)), String(accounts.inFlight(VCHF))]).toEqual([[], "502000", "0"]);
  expect(String(accounts.ledger.total("outside", VCHF))).toBe("-2000");
  // The day's losses are measured from what is there now.
  expect(Math.abs(opening() - before - 2_000)).toBeLessThan(20);
  expectSameBooks(world);
  // Also where it comes while nobody looks.
  bot.kill();
  pay(world, "3000");
  await world.pass(60 * MINUTE);
  world.bot({ ...SLOW_BOT, settings: pipelineDefaults });
  await world.pass(5 * MINUTE);
  expect([world.halts(), String(world.reader().books.accounts.settled(VCHF))]).toEqual([[], "505000"]);
  expect(String(world.reader().books.accounts.settled(CHF))).toBe("1000000");
  expectSameBooks(world);
});
