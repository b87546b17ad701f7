// A coin that is off its peg: a person sells it by a stated confirmation, by order and by rebalance, and while HALTED not at all.

import { expect, test } from "vitest";
import { Price } from "../../src/domain/money/money.ts";
import { ok } from "../../src/domain/result.ts";
import { PAIR } from "../support/bot-core.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";
import { carrier, configOf, opened, rebalancing } from "./rebalance-world.ts";
import { type BotOptions, type Command, recordsOf, type TreasuryWorld } from "./world.ts";

/** The venue shows these prices from now on; it still trades at its own. */
async function offPeg(bot?: BotOptions): Promise<TreasuryWorld> {
  const world = await opened(bot, { priceBandBps: 2_000 });
  const { venue } = world.venue;
  const { quotes } = venue;
  venue.quotes = (moment) => {
    const shown = quotes(moment);
    if (!shown.ok) return shown;
    const broken = { bid: 0.9, ask: 0.901 };
    return ok(shown.value.map((one) => (one.symbol === PAIR ? { ...one, ...broken } : one)));
  };
  return world;
}

function order(world: TreasuryWorld, side: "buy" | "sell", price: string, flags: readonly string[] = []): Command {
  return world.order({ side, symbol: PAIR, quantity: "100", price }, { flags });
}

test("with --yes alone a sale is refused, --off-peg sends it inside the collar, and buying stays refused", async () => {
  const world = await offPeg();
  const refused = await world.end(order(world, "sell", "0.895"));
  expect([refused.code, refused.stderr]).toEqual([
    3,
    expect.stringContaining(`${PAIR} is off its peg and has no fair value: it would be sold at 0.895 or better`),
  ]);
  expect(refused.stderr).toContain("--off-peg confirms it");
  const given = ["--off-peg"];
  expect((await world.end(order(world, "buy", "0.905", given))).stderr).toContain("refused: RC08: ");
  // 0.9 less 100 bp is 0.891.
  expect((await world.end(order(world, "sell", "0.89", given))).stderr).toContain("refused: RC35: limit 0.89 is below");
  expect(world.calls("addOrder")).toEqual([]);
  const sent = await world.end(order(world, "sell", "0.895", given));
  expect(sent.code, sent.stdout).toBe(0);
  expect(world.calls("addOrder")).toHaveLength(1);
});

test("at a terminal the sale is confirmed by its own words", async () => {
  const world = await offPeg();
  const asked = (...answers: string[]) => {
    const prompts = scriptedPrompts("sell", ...answers);
    const shell = recordedShell({ interactive: true });
    const command = world.order({ side: "sell", price: "0.895" }, { shell, prompts, yes: false });
    return { command, prompts, shell };
  };
  const no = asked("yes");
  expect((await world.end(no.command)).code).toBe(2);
  expect(no.prompts.asked).toEqual(["Type sell to go on", "Type sell off peg to go on"]);
  expect(no.shell.stderr()).toContain("is off its peg and has no fair value");
  expect(world.calls("addOrder")).toEqual([]);
  const yes = asked("sell off peg");
  expect((await world.end(yes.command)).code, yes.shell.stderr()).toBe(0);
  expect(world.calls("addOrder")).toHaveLength(1);
});

test("rebalance plans and sends the sale with --off-peg alone, and brings no more of the coin", async () => {
  // 500,000 are there.
  const config = configOf({ targets: { VCHF: { high: "490000" } } });
  const world = await offPeg(carrier(config));
  const without = await world.end(rebalancing(world, config, { execute: true }));
  expect([without.code, world.calls("addOrder")]).toEqual([1, []]);
  expect(without.stderr).toContain("there is no rate of VCHF in CHF");
  const sold = await world.end(rebalancing(world, config, { execute: true, offPeg: true }));
  expect(sold.code, sold.stderr).toBe(0);
  const intents = recordsOf(world, "intent").map(({ request }) => request);
  expect(intents).toMatchObject([{ order: { symbol: PAIR, side: "sell", limit: Price.of("0.8991") } }]);
  const wanting = configOf({ targets: { VCHF: { low: "700000" } } });
  const more = await world.end(rebalancing(world, wanting, { execute: true, offPeg: true }));
  expect([more.code, recordsOf(world, "intent")]).toEqual([0, expect.objectContaining({ length: 1 })]);
});

test("HALTED lets no order of a person out either, and names the command that leads out", async () => {
  const world = await offPeg();
  world.control({ kind: "halt", cause: "loss", reason: "RC05: a loss", wayOut: 'pegbot resume --reason "..."' });
  await world.pass(5_000);
  const { code, stderr } = await world.end(order(world, "sell", "0.895", ["--off-peg"]));
  expect([code, stderr]).toEqual([5, expect.stringContaining('way out: pegbot resume --reason "..."')]);
  expect(world.calls("addOrder")).toEqual([]);
});
