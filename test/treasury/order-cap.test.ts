// A person's order that the limits would make smaller: the size is shown and asked for, and never sent unasked.

import { expect, test } from "vitest";
import { type OrderOptions, orderWith, wishOf } from "../../src/cli/command/order.ts";
import { PAIR } from "../support/bot-core.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";
import { configOf, opened } from "./rebalance-world.ts";
import type { Command, TreasuryWorld } from "./world.ts";

const CONFIG = configOf();
const LARGE = { side: "buy", symbol: PAIR, quantity: "60000" } as const;

function order(world: TreasuryWorld, options: Pick<OrderOptions, "yes" | "cap">): Command {
  const wish = wishOf(LARGE, { price: "1.002" });
  return world.command((tool, person) => orderWith({ ...tool, config: CONFIG }, person, wish, options));
}

test("with --yes it is refused with the size that the limits leave, and --cap sends that", async () => {
  const world = await opened();
  const refused = await world.end(order(world, { yes: true }));
  expect(refused.code).toBe(3);
  // 50,000 / 1.002 = 49,900.1996...
  expect(refused.stderr).toMatch(
    /the limits leave 49900\.1996 of 60000: RC01: order is worth 60120 CHF, limit is 50000/,
  );
  expect(refused.stderr).toContain("; nothing was sent");
  expect(refused.stderr).toMatch(/--cap sends 49900\.1996/);
  expect(world.calls("addOrder")).toEqual([]);
  const sent = await world.end(order(world, { yes: true, cap: true }));
  // The venue has less at that price, and says so of the size that it was asked for.
  expect(sent.stdout).toContain("orderqty 49900.1996 is more than");
  expect(sent.stderr).toMatch(/capped by RC01: .*size cut from 60000 to 49900\.19/);
  expect(world.calls("addOrder")).toHaveLength(1);
});

test("at a terminal the size is shown and asked for once more, and what is not confirmed is not sent", async () => {
  const world = await opened();
  const asked = (...answers: string[]) => {
    const prompts = scriptedPrompts("buy", ...answers);
    const shell = recordedShell({ interactive: true });
    const wish = wishOf(LARGE, { price: "1.002" });
    const command = world.command((tool, { stop }) =>
      orderWith({ ...tool, config: CONFIG }, { shell, prompts, stop }, wish, {}),
    );
    return { command, prompts, shell };
  };
  const no = asked("no");
  expect((await world.end(no.command)).code).toBe(2);
  expect(no.shell.stderr()).toContain("the limits leave 49900.1");
  expect(no.prompts.asked[1]).toMatch(/^Type buy 49900\.1996 to go on$/);
  expect(world.calls("addOrder")).toEqual([]);
  const yes = asked("buy 49900.1996");
  await world.end(yes.command);
  expect(yes.shell.stdout()).toContain("orderqty 49900.1996 is more than");
  expect(world.calls("addOrder")).toHaveLength(1);
});
