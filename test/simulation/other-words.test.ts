import { describe, expect, test } from "vitest";
import type { FaultsSetting } from "../../src/simulator/fault.ts";
import { seriousHalts, tally } from "./audit.ts";
import { World } from "./world.ts";

const MINUTE = 60_000;

const words = (Filled: string, Rejected = "rejected"): FaultsSetting => ({
  rules: [{ fault: "other-words", words: { Filled, Rejected } }],
});

const SPEAKING: readonly (readonly [string, FaultsSetting])[] = [
  ["lists trades as Settled", words("Settled")],
  ["lists refused orders as rejected", words("Filled", "rejected")],
  ["states no pending in its balances", { rules: [{ fault: "pending-missing", on: "accountBalance" }] }],
];

describe("the bot keeps trading at a venue that", () => {
  test.each(SPEAKING)("%s", async (_name, faults) => {
    const world = await World.open({ seed: 5 });
    world.venue.setFaults(faults);
    world.begin();
    await world.pass(3 * MINUTE);
    const { entries } = world.journal;
    expect(world.bugs).toEqual([]);
    expect(seriousHalts(entries)).toEqual([]);
    const before = tally(entries).fills;
    await world.pass(2 * MINUTE);
    expect(before).toBeGreaterThan(3);
    // History confirms the fills and the balances settle them.
    expect(tally(entries).fills).toBeGreaterThan(before);
    expect(entries.filter(({ record }) => record.kind === "settled").length).toBeGreaterThan(3);
    world.kill();
  });
});
