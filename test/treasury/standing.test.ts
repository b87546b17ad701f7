// Standing instructions: each time is used once, whatever restarts; holidays move it; what is beyond the bounds is asked for.

import { expect, test } from "vitest";
import type { Engine } from "../../src/bot/engine.ts";
import { brokenRules } from "../../src/config/rule.ts";
import { configSchema } from "../../src/config/schema.ts";
import { targetsOf } from "../../src/config/targets-of.ts";
import { millis } from "../../src/domain/time.ts";
import { schedulesOf } from "../../src/operation/terms/treasury-terms.ts";
import { contentOf } from "../../src/treasury/approval/plan-content.ts";
import { dueSlot, nextSlot, type Schedule } from "../../src/treasury/conversion/schedule.ts";
import { treasuryOf } from "../../src/watch/status/submission-list.ts";
import { CALM, expectTrue, lived } from "./lives.ts";
import { approving, carrier, configOf, MINUTE, opened, progress } from "./rebalance-world.ts";
import { type BotOptions, recordsOf, type TreasuryWorld } from "./world.ts";

const HOUR = 60 * MINUTE;
const at = (text: string) => millis(Date.parse(text));

/** Virtual time begins on Monday, 2026-06-01 at 12:00. */
function configured(change: object = {}, approvals: object = {}) {
  const base = configOf({ targets: {}, planning: { orders: { slippageBps: 10 } } }, {
    ...{ automatic: true, lookMs: 10_000, costBpsMax: 60 },
    ...approvals,
  } as never);
  const instruction = {
    from: "VCHF",
    to: "CHF",
    amount: "20000",
    every: "day",
    at: "12:10",
    maxCostBps: 60,
    ...change,
  };
  const { conversions } = configSchema.parse({ conversions: { daily: instruction } });
  return { ...base, conversions };
}

const UNASKED = { orderValueMax: "60000", dayValueMax: "100000" };
const unasked = (change: object = {}) => {
  const { treasury } = configSchema.parse({ treasury: { approvals: UNASKED } });
  const { orderValueMax, dayValueMax } = treasury.approvals;
  return configured(change, { orderValueMax, dayValueMax });
};
const botOf = (config: ReturnType<typeof configured>): BotOptions => ({ ...carrier(config), settings: CALM });
const slots = (world: TreasuryWorld) =>
  recordsOf(world, "plan").map(({ content }) => contentOf({ content }).conversion?.slot);

test("a time is used once over restarts, and the next is shown", async () => {
  const bot = botOf(unasked());
  const world = await opened(bot);
  const shown = () =>
    treasuryOf(world.tradingCore as Engine, millis(world.time.clock.now())).instructions?.[0]?.next ?? 0;
  expect(new Date(shown()).toISOString()).toBe("2026-06-01T12:10:00.000Z");
  await world.pass(9 * MINUTE);
  expect([slots(world), new Date(shown()).toISOString()]).toEqual([
    ["VCHF to CHF at 2026-06-01T12:10:00.000Z"],
    "2026-06-02T12:10:00.000Z",
  ]);
  for (let life = 0; life < 2; life += 1) {
    world.killBot();
    world.bot(bot);
    await world.pass(30 * MINUTE);
  }
  expect([slots(world).length, progress(world).at(-1)]).toEqual([1, "done: all of it"]);
  expectTrue(world);
});

test("beyond the bounds people are asked, until the time is over, and a no is for that time", async () => {
  const config = configured();
  const world = await opened(botOf(config));
  await world.pass(30 * MINUTE);
  const [plan] = recordsOf(world, "plan");
  expect([plan?.persons, plan?.by, plan?.expiresAt, world.calls("addOrder")]).toEqual([
    1,
    "bot",
    at("2026-06-01T16:10:00Z"),
    [],
  ]);
  expect(plan?.why).toMatch(
    /^conversions.daily: 20,000 VCHF to CHF every day 12:10 UTC; people are asked because .*orderValueMax/,
  );
  expect(Number(contentOf(plan as NonNullable<typeof plan>).value)).toBeGreaterThan(19_000);
  expect((await world.end(approving(world, config, plan?.id ?? ""))).code).toBe(0);
  await world.pass(4 * HOUR);
  expect([slots(world).length, progress(world).at(-1)]).toEqual([1, "done: all of it"]);
});

test("all is what its own band can spare; a time that passes without it is named", async () => {
  const kept = (low: string) => {
    const config = unasked({ amount: "all", withinHours: 1 });
    const { conversions } = configSchema.parse({ conversions: { coins: { keep: "VCHF", low } } });
    return { ...config, conversions: { ...config.conversions, ...conversions } };
  };
  const world = await opened(botOf(kept("480000")));
  await world.pass(10 * MINUTE);
  const [plan] = recordsOf(world, "plan");
  expect(plan && contentOf(plan).conversion).toMatchObject({ slot: slots(world)[0], amount: "20000" });
  const other = await opened(botOf(kept("500000")));
  await other.pass(70 * MINUTE);
  const shown = treasuryOf(other.tradingCore as Engine, millis(other.time.clock.now()));
  expect([slots(other), shown.instructions?.[0]?.waitsFor]).toEqual([
    [],
    "its next time, as its last one passed: VCHF: nothing is available",
  ]);
});

const FRIDAY: Schedule = {
  ...({ name: "friday", from: "GBP", to: "CHF", amount: undefined, every: "friday" } as unknown as Schedule),
  ...{ atMs: 14 * HOUR, withinMs: 4 * HOUR, costBpsMax: 20, holidays: new Set<string>() },
};

test("every Friday at two is the Friday, and on a holiday the next working day", () => {
  const next = (after: string, change: Partial<Schedule> = {}) =>
    new Date(nextSlot({ ...FRIDAY, ...change }, at(after))).toISOString().slice(0, 16);
  expect([next("2026-06-01T00:00:00Z"), next("2026-06-05T13:59:59Z"), next("2026-06-05T14:00:00Z")]).toEqual([
    ...["2026-06-05T14:00", "2026-06-05T14:00", "2026-06-12T14:00"],
  ]);
  // Christmas 2026 is a Friday: Monday.
  expect([next("2026-12-21T00:00:00Z"), next("2026-12-21T00:00:00Z", { holidays: new Set(["2026-12-28"]) })]).toEqual([
    ...["2026-12-28T14:00", "2026-12-29T14:00"],
  ]);
  expect(next("2026-06-06T00:00:00Z", { every: "weekday" })).toBe("2026-06-08T14:00");
  const due = (now: string) => dueSlot(FRIDAY, at(now));
  expect([
    due("2026-06-05T13:59:59Z"),
    due("2026-06-05T14:00:00Z"),
    due("2026-06-05T17:59:59Z"),
    due("2026-06-05T18:00:00Z"),
  ]).toEqual([...[undefined, at("2026-06-05T14:00:00Z"), at("2026-06-05T14:00:00Z"), undefined]]);
});

test("what is kept is a band like those of treasury.targets, and each instruction is one or the other, and its own", () => {
  const parsed = (conversions: object, targets: object = {}) =>
    configSchema.parse({ conversions, treasury: { targets } });
  const good = parsed({ gbp: { keep: "GBP", high: "100000", maxCostBps: 8 } }, { VCHF: { low: "5" } });
  expect(Object.keys(targetsOf(good))).toEqual(["VCHF", "GBP"]);
  expect([targetsOf(good).GBP?.maxCostBps, schedulesOf(good)]).toEqual([8, []]);
  const timed = { from: "GBP", to: "CHF", amount: "all", every: "friday", at: "14:00" };
  const wrong = (conversions: object, targets: object = {}): readonly string[] =>
    brokenRules(parsed(conversions, targets)).map(({ text }) => text);
  expect(wrong({ a: timed, b: { keep: "VCHF", low: "1", high: "2" } })).toEqual([]);
  const days = (...every: readonly string[]) =>
    wrong(Object.fromEntries(every.map((one) => [one, { ...timed, every: one }])));
  expect([days("friday", "monday"), days("weekday", "saturday")]).toEqual([[], []]);
  for (const every of [
    ["day", "friday"],
    ["friday", "weekday"],
    ["saturday", "day"],
  ])
    expect(days(...every)).toEqual([expect.stringContaining("must be its own")]);
  for (const [conversions, text] of [
    [{ a: { ...timed, keep: "GBP", high: "1" } }, "either keep"],
    [{ a: { from: "GBP", to: "CHF" } }, "either keep"],
    [{ a: { ...timed, high: "1" } }, "either keep"],
    [{ a: { keep: "GBP" } }, "at least one of low"],
    [{ a: { keep: "GBP", low: "3", high: "2" } }, "must not be above"],
    [{ a: timed, b: timed }, "must be its own"],
    [{ a: { ...timed, to: "GBP" } }, "from one holding to another"],
    [{ a: { ...timed, from: "GBP@BANK" } }, "must name an amount"],
    [{ a: { ...timed, to: "VCHF@ETH" } }, "names VCHF@ETH"],
    [{ a: { keep: "CHF@BANK", high: "2" } }, "outside the venue"],
  ] as const)
    expect(wrong(conversions)).toContainEqual(expect.stringContaining(text));
  expect(wrong({ a: { keep: "GBP", high: "2" } }, { GBP: { low: "1" } })).toContainEqual(
    expect.stringContaining("treasury.targets has"),
  );
});

const LIVES = Number(process.env.PEGBOT_LIVES ?? 2);
const DEATHS = 12;

test.each(Array.from({ length: LIVES }, (_, i) => 5_311 + i))(
  `killed at ${DEATHS} drawn writes, an instruction is begun once, and it ends as the venue has it, seed %i`,
  async (seed) => {
    const world = await lived({
      seed,
      deaths: DEATHS,
      least: 4,
      apart: 6,
      bot: botOf(unasked({ amount: "90000" })),
      begin: () => undefined,
    });
    expect(new Set(slots(world)).size).toBe(slots(world).length);
  },
);
