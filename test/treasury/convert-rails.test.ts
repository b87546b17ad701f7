// Conversions that leave a step to a person: coins are paid into an off-ramp and their fiat is followed home, an on-ramp is awaited.
// What comes is matched to the conversion that asked for it, once.

import { expect, test } from "vitest";
import { Quantity } from "../../src/domain/money/money.ts";
import { millis } from "../../src/domain/time.ts";
import { depositAddressOf } from "../../src/simulator/core/venue-core.ts";
import { linesOf } from "../../src/treasury/approval/plan-content.ts";
import { treasuryOf } from "../../src/watch/status/submission-list.ts";
import { CALM, lived } from "./lives.ts";
import { carrier, configOf, MINUTE, opened, progress, TWO, thePlan } from "./rebalance-world.ts";
import { CONFIG, close, expectSameBooks, HOME, KEY, recordsOf, type TreasuryWorld, VCHF, whitelist } from "./world.ts";

const { destinations, rails } = CONFIG.treasury;
const ROUTES = { "vchf-out": { minimum: "1000" }, "vchf-home": { minimum: "1000", toVenue: true } };
const configured = (seed = 1) => {
  const home = { ...destinations.home, address: depositAddressOf(seed, KEY, VCHF, "ETH") };
  const planning = { orders: { slippageBps: 10 }, rails: ROUTES };
  return configOf({
    targets: { VCHF: { high: "900000000" } },
    destinations: { ...destinations, home },
    rails,
    planning,
  });
};
const CONFIGURED = configured();
const OUT = { amount: "50000", from: "VCHF", to: "CHF@BANK" };

const BOT = { ...carrier(CONFIGURED), settings: CALM };
const converting = (world: TreasuryWorld, input: object = OUT, config = CONFIGURED) =>
  world.asks("convert", input, { config });
const steered = (world: TreasuryWorld, end: string) =>
  world.end(world.asks("conversion", { id: thePlan(world).id, end, reason: "seen" }, { config: CONFIGURED }));
const awaited = (world: TreasuryWorld) => {
  if (world.tradingCore === undefined) throw new Error("a bot must run");
  return treasuryOf(world.tradingCore, millis(world.time.clock.now())).awaited.filter(({ pays }) => pays !== undefined);
};

function pay(world: TreasuryWorld, amount: string): void {
  const state = world.reader().executor.treasury.requests("rail")[0]?.state;
  if (state === undefined || !("receipt" in state)) throw new Error("there must be a rail");
  const paid = world.venue.venue.pay(state.receipt.railId, Quantity.of(amount), world.moment());
  expect(paid.ok, JSON.stringify(paid)).toBe(true);
}

function moves(world: TreasuryWorld): readonly string[] {
  return recordsOf(world, "plan-progress").flatMap(({ state, move }) =>
    state === "step" && move !== undefined ? [`${move.takes} for ${move.brings}, lost ${move.lost}`] : [],
  );
}

test("coins are paid into an off-ramp by a person, told with amount, reference and time, and their fiat is followed home", async () => {
  const world = await opened(carrier(CONFIGURED));
  const command = converting(world);
  await world.pass(MINUTE);
  const { id } = thePlan(world);
  expect(linesOf(thePlan(world))[0]).toContain(`may use off-ramp vchf-out to ${destinations.house.account}`);
  const [payment] = awaited(world);
  expect(payment).toMatchObject({ pays: "50000 VCHF", conversion: id, until: expect.any(Number) });
  expect(payment?.over).toContain(`rail ${payment?.reference} at the venue`);
  expect(command.finished).toBeUndefined();
  pay(world, "50000");
  const { code, stdout } = await world.end(command, 30 * MINUTE);
  expect([code, stdout, moves(world)]).toEqual([
    0,
    expect.stringMatching(/^done/),
    ["50000 VCHF for 50000 CHF@BANK, lost 0"],
  ]);
  expect([awaited(world), world.calls("addPaymentRail").length, world.calls("addOrder")]).toEqual([[], 1, []]);
  expectSameBooks(world);
});

test("an on-ramp is awaited, and what it brings is what came onto the account", async () => {
  const world = await opened(carrier(CONFIGURED));
  whitelist(world, { address: HOME, label: "Home" });
  await world.end(world.asks("acknowledge", { reason: "ours" }));
  const command = converting(world, { amount: "20000", from: "CHF@BANK", to: "VCHF" });
  await world.pass(2 * MINUTE);
  expect(awaited(world)).toMatchObject([{ pays: "20000 CHF" }]);
  pay(world, "20000");
  const { code } = await world.end(command, 30 * MINUTE);
  expect([code, moves(world)]).toEqual([0, ["20000 CHF@BANK for 20000 VCHF, lost 0"]]);
  expect(String(world.reader().books.accounts.settled(VCHF))).toBe("520000");
  expectSameBooks(world);
});

test("a payment of another amount counts as what it is, and a person says whether the rest is asked for", async () => {
  const world = await opened(carrier(CONFIGURED));
  const command = converting(world);
  await world.pass(MINUTE);
  pay(world, "30000");
  await world.pass(10 * MINUTE);
  expect(moves(world)).toEqual(["30000 VCHF for 30000 CHF@BANK, lost 0"]);
  expect(progress(world).at(-1)).toMatch(/^paused: payment:.* was of 30000 VCHF, asked for were 50000 VCHF$/);
  expect(awaited(world)).toEqual([]);
  expect((await steered(world, "resume")).code).toBe(0);
  await world.pass(2 * MINUTE);
  expect(awaited(world)).toMatchObject([{ pays: "20000 VCHF" }]);
  pay(world, "20000");
  expect((await world.end(command, 30 * MINUTE)).code).toBe(0);
  expect(moves(world)).toEqual(["30000", "20000"].map((one) => `${one} VCHF for ${one} CHF@BANK, lost 0`));
  expectSameBooks(world);
});

test("a payment that is given up or comes back moves nothing, and nothing is asked for again before a person has looked", async () => {
  const world = await opened(carrier(CONFIGURED));
  converting(world);
  await world.pass(MINUTE);
  expect((await world.end(close(world, awaited(world)[0]?.id ?? "", { notLanded: true }))).code).toBe(0);
  await world.pass(10 * MINUTE);
  expect([moves(world), awaited(world)]).toEqual([["0 VCHF for 0 CHF@BANK, lost 0"], []]);
  expect(progress(world).at(-1)).toMatch(/^paused: a payment of 50000 VCHF was given up/);
  expect((await steered(world, "finish")).code).toBe(0);
  await world.pass(MINUTE);
  expect(progress(world).at(-1)).toMatch(/^stopped: 50000 VCHF are left when a person finished it/);
});

test("where its approvals do not count any more nothing more is asked for, and what is on its way is followed to its end", async () => {
  const world = await opened(carrier(CONFIGURED));
  converting(world);
  await world.pass(MINUTE);
  world.killBot();
  world.bot(
    carrier({
      ...CONFIGURED,
      treasury: { ...CONFIGURED.treasury, approvals: { ...CONFIGURED.treasury.approvals, ...TWO } },
    }),
  );
  await world.pass(3 * MINUTE);
  expect(awaited(world)).toMatchObject([{ pays: "50000 VCHF", conversion: thePlan(world).id }]);
  pay(world, "30000");
  await world.pass(10 * MINUTE);
  expect([moves(world), awaited(world)]).toEqual([["30000 VCHF for 30000 CHF@BANK, lost 0"], []]);
  expect(progress(world).at(-1)).toMatch(/^stopped: 20000 VCHF are left as its approvals do not count any more/);
});

test("where the template leads elsewhere than what was approved, nothing is asked for", async () => {
  const world = await opened(carrier(CONFIGURED));
  world.journal.hook = (life, when, records) => {
    if (when === "after" && records.some(({ kind }) => kind === "plan")) life.kill();
  };
  converting(world);
  await world.pass(MINUTE);
  world.journal.hook = undefined;
  const other = { ...destinations, house: { kind: "bank", account: "CH5604835012345678009" } };
  const treasury = {
    targets: { VCHF: { high: "900000000" } },
    destinations: other,
    rails,
    planning: { rails: ROUTES },
  };
  world.bot(carrier(configOf(treasury)));
  await world.pass(10 * MINUTE);
  expect([awaited(world), world.calls("addPaymentRail"), moves(world)]).toEqual([[], [], []]);
});

test("coins of another currency are sold first, and what that brought is paid into the off-ramp", async () => {
  const world = await opened(carrier(CONFIGURED));
  const command = converting(world, { amount: "20000", from: "CHF", to: "CHF@BANK", maxCostBps: "60" });
  for (let minute = 0; minute < 30 && command.finished === undefined; minute += 1) {
    await world.pass(MINUTE);
    const [payment] = awaited(world);
    if (payment?.pays !== undefined) pay(world, payment.pays.split(" ")[0] ?? "");
  }
  expect(world.calls("addOrder").length).toBeGreaterThan(0);
  expect(moves(world).some((move) => / VCHF for .* CHF@BANK/.test(move))).toBe(true);
  expectSameBooks(world);
});

/** PEGBOT_LIVES makes more of them. */
const LIVES = Number(process.env.PEGBOT_LIVES ?? 3);
const DEATHS = 6;
const WISHES = [
  { amount: "40000", from: "VCHF", to: "CHF@BANK" },
  { amount: "30000", from: "CHF@BANK", to: "VCHF" },
];

test.each(Array.from({ length: LIVES }, (_, i) => 5_211 + i))(
  `killed at ${DEATHS} drawn writes, a payment is asked for once and counted once, and it ends as the venue has it, seed %i`,
  async (seed) => {
    const wish = WISHES[seed % 2] as object;
    const world = await lived({
      seed,
      deaths: DEATHS,
      least: 3,
      apart: 3,
      bot: { ...BOT, config: configured(seed) },
      begin: (one) => converting(one, wish, configured(seed)),
    });
    const asked = recordsOf(world, "step").filter(
      ({ step: { event } }) =>
        event.kind === "movement" && event.id.startsWith("expected:") && event.report.kind === "reserved",
    );
    expect([asked.length, world.calls("addPaymentRail").length, progress(world).at(-1)]).toEqual([
      1,
      1,
      "done: all of it",
    ]);
  },
);
