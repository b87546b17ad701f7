// What one person wants where two must approve: a mint or a rail that waits as a plan of one step, and that the running bot sends
// once a second person has agreed, as it was approved, or not at all.

import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/schema.ts";
import type { MintInput } from "../../src/operation/mint.ts";
import { personHere } from "../../src/operation/person.ts";
import type { RailInput } from "../../src/operation/rail.ts";
import { contentOf, stepText } from "../../src/treasury/approval/plan-content.ts";
import { PlanLog } from "../../src/treasury/approval/plan-log.ts";
import {
  approving,
  carrier,
  configOf,
  MINUTE,
  opened,
  progress,
  TWO as TWO_PEOPLE,
  thePlan,
} from "./rebalance-world.ts";
import { CONFIG, type Command, recordsOf, SLOW_BOT, type TreasuryWorld, WALLET, whitelist } from "./world.ts";

const PEOPLE = TWO_PEOPLE;
/** Nothing is to be reached: what is moved is what people want. */
const PLACES = { targets: {}, destinations: CONFIG.treasury.destinations, rails: CONFIG.treasury.rails };
const TWO = configOf(PLACES, PEOPLE);

type Given = Partial<MintInput & RailInput> & { readonly yes?: boolean };
const PROPOSED = { propose: true, reason: "month end" };

const WISHES: Readonly<Record<"mint" | "rail", (world: TreasuryWorld, options?: Given, config?: Config) => Command>> = {
  mint: (world, { yes, ...given } = {}, config = TWO) =>
    world.mint({ ...PROPOSED, ...given }, { config, ...(yes !== undefined && { yes }) }),
  rail: (world, { yes, ...given } = {}, config = TWO) =>
    world.rail("off", "vchf-out", { ...PROPOSED, ...given }, { config, ...(yes !== undefined && { yes }) }),
};

const CALLS = { mint: "mintTokens", rail: "addPaymentRail" } as const;
const KINDS = ["mint", "rail"] as const;

async function proposed(
  kind: "mint" | "rail",
  options: Given = {},
  bot: Config | undefined = TWO,
): Promise<{ world: TreasuryWorld; id: string }> {
  const world = await opened(bot === undefined ? SLOW_BOT : carrier(bot));
  whitelist(world);
  const { code, stdout, stderr } = await world.end(WISHES[kind](world, options));
  expect(code, stderr).toBe(0);
  const { id } = thePlan(world);
  expect(stdout).toContain(`waiting  ${id}  approved by ${personHere()}; 1 more must approve it`);
  return { world, id };
}

const calls = (world: TreasuryWorld, kind: "mint" | "rail"): number => world.calls(CALLS[kind]).length;
const states = (world: TreasuryWorld): readonly string[] => progress(world).map((text) => text.replace(/:.*/s, ""));
const approved = async (world: TreasuryWorld, id: string): Promise<string> => {
  const { code, stderr } = await world.end(approving(world, TWO, id, { by: "ben" }));
  expect(code, stderr).toBe(0);
  return stderr;
};

describe("what one person proposes", () => {
  test.each(KINDS)("is sent once a second person has approved it, and once: %s", async (kind) => {
    const { world, id } = await proposed(kind);
    await world.pass(2 * MINUTE);
    expect([states(world), calls(world, kind)]).toEqual([[], 0]);
    const shown = await approved(world, id);
    expect(shown).toContain(`plan      ${id} by ${personHere()}`);
    expect(shown).toContain(`why       wanted by ${personHere()}: month end`);
    expect(shown).not.toMatch(/needed|cost/);
    // A rail moves nothing.
    expect(shown.includes("\nholding ")).toBe(kind === "mint");
    await world.pass(3 * MINUTE);
    expect([states(world), calls(world, kind)]).toEqual([["begun", "step", "done"], 1]);
    const [intent] = recordsOf(world, "intent").filter(({ request }) => request.kind === kind);
    expect(intent?.why).toBe(`wanted by ${personHere()}: month end, plan ${id}`);
    const again = await world.end(approving(world, TWO, id, { by: "ben" }));
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining("no plan waits")]);
    await world.pass(5 * MINUTE);
    expect([calls(world, kind), world.halts()]).toEqual([1, []]);
    expect([...world.reader().executor.treasury.payments.expectations()]).toEqual([]);
  });

  test("and asks for again waits once; a mint goes to the wallet that was approved, as it stands", async () => {
    const { world, id } = await proposed("mint", { to: "safe", exact: true });
    const again = await world.end(WISHES.mint(world, { to: "safe", exact: true }));
    const same = `${id} of ${personHere()} proposes the same and waits`;
    expect([again.code, again.stderr, recordsOf(world, "plan").length]).toEqual([3, expect.stringContaining(same), 1]);
    await approved(world, id);
    await world.pass(3 * MINUTE);
    const [intent] = recordsOf(world, "intent").filter(({ request }) => request.kind === "mint");
    expect(intent?.request).toMatchObject({ mint: { destination: WALLET } });
    expect([states(world), calls(world, "mint")]).toEqual([["begun", "step", "done"], 1]);
  });

  test("says to whoever approves what it costs and where money ends up", async () => {
    const { world } = await proposed("mint", { to: "safe", exact: true });
    const rail = await proposed("rail");
    const texts = [world, rail.world].map((one) => contentOf(thePlan(one)).steps.map(stepText));
    expect(texts).toEqual([
      [`mint VCHF on ETH to ${WALLET}, exactly, 120,000 CHF for 120,000 VCHF@ETH, its fee at most 120 CHF`],
      ["rail off vchf-out to CH9300762011623852957, VCHF in, CHF out, on ETH, sender Zürich Handels AG, CH, company"],
    ]);
  });

  test.each(KINDS)("and the same person approves again, or nobody does, is not sent: %s", async (kind) => {
    const { world, id } = await proposed(kind);
    const again = await world.end(approving(world, TWO, id));
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining(`${personHere()} has approved it already`)]);
    await world.pass(12 * MINUTE);
    expect([states(world), calls(world, kind)]).toEqual([["expired"], 0]);
    // For the words of its message: no target asks for it again.
    expect(world.tradingCore?.rebalancer?.isWish(id)).toBe(true);
    expect(progress(world)[0]).toMatch(/: 1 of 2 people have approved it; propose it anew if it is still wanted$/);
    const late = await world.end(approving(world, TWO, id, { by: "ben" }));
    expect(late.code).toBe(2);
  });
});

describe("a proposal", () => {
  const config = (rules: object) => configOf(PLACES, { ...PEOPLE, ...rules });

  test.each([
    ["one person is enough", "mint", {}, configOf(PLACES, {}), 3, "treasury.approvals.persons is 1"],
    ["byHand is false and one person is enough", "mint", {}, configOf(PLACES, { byHand: false }), 3, "persons is 1"],
    ["the gate would refuse it now", "mint", { quantity: "999000" }, TWO, 3, "RM06: mint may spend"],
    ["the wallet is not of our own list", "mint", { to: "nobody" }, TWO, 3, "must stand in treasury.destinations"],
    ["a flag beats the template", "rail", { memo: "7" }, TWO, 2, "--propose needs a template"],
  ] as const)("is refused where %s", async (_, kind, options, rules, expected, why) => {
    const world = await opened();
    const { code, stderr } = await world.end(WISHES[kind](world, options, rules));
    expect([code, stderr]).toEqual([expected, expect.stringContaining(why)]);
    expect(recordsOf(world, "plan")).toEqual([]);
  });

  test("of somebody who may not approve waits for two others", async () => {
    const world = await opened();
    const others = config({ people: [{ name: "anna" }, { name: "ben" }] });
    const { code, stdout } = await world.end(WISHES.mint(world, {}, others));
    expect([code, stdout]).toEqual([0, expect.stringContaining("does not name them; 2 more must approve it")]);
    expect(recordsOf(world, "approval")).toEqual([]);
  });
});

describe("what was approved is looked at again before it is sent", () => {
  test.each([
    ["leads elsewhere", { to: "bank" }, "leads elsewhere than when it was approved"],
    ["has another sender", { sender: { name: "Mallory", country: "CH" } }, "is another one than what was approved"],
  ])("a template that %s is not registered", async (_, change, why) => {
    const places = { ...PLACES.destinations, bank: { kind: "bank", account: "CH5604835012345678009" } };
    const bot = configOf(
      { ...PLACES, destinations: places, rails: { "vchf-out": { ...PLACES.rails["vchf-out"], ...change } } },
      PEOPLE,
    );
    const { world, id } = await proposed("rail", {}, bot);
    await approved(world, id);
    await world.pass(3 * MINUTE);
    expect([states(world), calls(world, "rail")]).toEqual([["begun", "stopped"], 0]);
    expect(progress(world).at(-1)).toContain(why);
  });

  test("a wallet that left our own list gets nothing", async () => {
    const { safe: _, ...others } = PLACES.destinations;
    const bot = configOf({ ...PLACES, destinations: others, rails: {} }, PEOPLE);
    const { world, id } = await proposed("mint", { to: "safe" }, bot);
    await approved(world, id);
    await world.pass(3 * MINUTE);
    expect([states(world), calls(world, "mint")]).toEqual([["begun", "stopped"], 0]);
    expect(progress(world).at(-1)).toContain("must stand in treasury.destinations, and does not");
    // Of what a person wanted otherwise: the bot's own plans go on.
    const log = new PlanLog();
    for (const record of world.records()) log.fold({ record, writer: "bot" });
    expect(log.rest(world.moment().venue)).toBeUndefined();
  });

  test("a mint for which there is no room any more within the day is refused by the gate", async () => {
    const { world, id } = await proposed("mint");
    // Of one person who may, meanwhile.
    const other = await world.end(world.mint({}, { config: configOf(PLACES) }));
    expect(other.code, other.stderr).toBe(0);
    await approved(world, id);
    await world.pass(3 * MINUTE);
    expect([states(world), calls(world, "mint")]).toEqual([["begun", "stopped"], 1]);
    expect(progress(world).at(-1)).toContain("RM07: one mint of VCHF at a time");
  });
});

describe("a bot that is killed", () => {
  test.each(KINDS)("before the second approval leaves it to the next one, which sends it once: %s", async (kind) => {
    const world = await opened(carrier(TWO));
    expect((await world.end(WISHES[kind](world))).code).toBe(0);
    world.killBot();
    await approved(world, thePlan(world).id);
    await world.pass(MINUTE);
    expect(calls(world, kind)).toBe(0);
    world.bot(carrier(TWO));
    await world.pass(4 * MINUTE);
    expect([states(world), calls(world, kind)]).toEqual([["begun", "step", "done"], 1]);
  });

  const DEATHS = [
    { when: "before", record: "plan-progress", sent: 1, ends: ["begun", "step", "done"] },
    { when: "after", record: "plan-progress", sent: 0, ends: ["begun", "stopped"] },
    { when: "before", record: "intent", sent: 0, ends: ["begun", "stopped"] },
    { when: "after", record: "intent", sent: 0, ends: ["begun", "stopped"] },
    { when: "after", record: "sending", sent: 0, ends: ["begun", "stopped"] },
    { when: "before", record: "outcome", sent: 1, ends: ["begun", "stopped"] },
    { when: "after", record: "outcome", sent: 1, ends: ["begun", "stopped"] },
  ] as const;
  const cases = KINDS.flatMap((kind) => DEATHS.map((death) => ({ kind, ...death })));

  test.each(cases)("$when its $record is written sends no second $kind", async ({ kind, when, record, sent, ends }) => {
    const world = await opened(carrier(TWO));
    expect((await world.end(WISHES[kind](world))).code).toBe(0);
    let isDead = false;
    world.journal.hook = (life, moment, records) => {
      const isIt = records.some((one) => one.kind === record && (one.kind !== "intent" || one.request.kind === kind));
      if (isDead || moment !== when || !isIt) return;
      isDead = true;
      life.kill();
    };
    await world.end(approving(world, TWO, thePlan(world).id, { by: "ben" }));
    await world.pass(MINUTE);
    expect(isDead).toBe(true);
    world.bot(carrier(TWO));
    // Of what nobody finds a person is asked first.
    await world.pass((record === "sending" ? 20 : 4) * MINUTE);
    expect([states(world), calls(world, kind)]).toEqual([ends, sent]);
    expect(world.halts()).toEqual([]);
  });
});
