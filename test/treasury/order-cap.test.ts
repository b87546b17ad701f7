// A person's order that the limits would make smaller: the size is shown and asked for, and never sent unasked.

import { expect, test } from "vitest";
import { Quantity } from "../../src/domain/money/money.ts";
import { PAIR } from "../support/bot-core.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";
import { opened } from "./rebalance-world.ts";
import { type Command, SLOW_BOT, type TreasuryWorld } from "./world.ts";

const LIMITS = { orderValueMax: Quantity.of("5000") };
const LARGE = { side: "sell", symbol: PAIR, quantity: "60000", price: "1" } as const;

const order = (world: TreasuryWorld, flags: readonly string[] = []): Command => world.order(LARGE, { flags });

/** Of the orders of people, as they were sent. */
function sizes(world: TreasuryWorld): readonly string[] {
  return world
    .records()
    .flatMap((record) =>
      record.kind === "step"
        ? record.step.decisions.flatMap(({ verdict }) =>
            verdict.kind === "approved" && verdict.intent.side === "sell" ? String(verdict.intent.quantity) : [],
          )
        : [],
    );
}

test("with --yes it is refused with the size that the limits leave, and --cap sends that", async () => {
  const world = await opened({ ...SLOW_BOT, limits: LIMITS });
  const refused = await world.end(order(world));
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain(
    "the limits leave 5000 of 60000: RC01: order is worth 60,000 CHF, limit is 5,000 CHF",
  );
  expect(refused.stderr).toContain("; nothing was sent");
  expect(refused.stderr).toContain("--cap confirms it");
  expect(world.calls("addOrder")).toEqual([]);
  const sent = await world.end(order(world, ["--cap"]));
  expect(sent.stderr).toMatch(/the limits leave 5000 of 60000: RC01/);
  expect(sizes(world)).toEqual(["5000"]);
  expect(world.calls("addOrder")).toHaveLength(1);
});

test("at a terminal the size is shown and asked for once more, and what is not confirmed is not sent", async () => {
  const world = await opened({ ...SLOW_BOT, limits: LIMITS });
  const asked = (...answers: string[]) => {
    const prompts = scriptedPrompts("sell", ...answers);
    const shell = recordedShell({ interactive: true });
    const command = world.order(LARGE, { shell, prompts, yes: false });
    return { command, prompts, shell };
  };
  const no = asked("no");
  expect((await world.end(no.command)).code).toBe(2);
  expect(no.shell.stderr()).toContain("the limits leave 5000 of 60000");
  expect(no.prompts.asked[1]).toMatch(/^Type sell 5000 to go on$/);
  expect(world.calls("addOrder")).toEqual([]);
  const yes = asked("sell 5000");
  await world.end(yes.command);
  expect(sizes(world)).toEqual(["5000"]);
  expect(world.calls("addOrder")).toHaveLength(1);
});
