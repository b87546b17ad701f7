// A bot that a person lets go on before the books are right again: what it knows of the account is from before. Real commands
// and a real bot on virtual time.

import { expect, test } from "vitest";
import { stateText } from "../../src/execution/request.ts";
import { CORE_FUNDS } from "../support/bot-core.ts";
import { close, TreasuryWorld } from "../treasury/world.ts";

const MINUTE = 60_000;

/** Stopped over an order that has filled, that nobody answered, and that no history shows; its balances were just read. */
async function stopped(): Promise<{ readonly world: TreasuryWorld; readonly id: string }> {
  const world = await TreasuryWorld.open(1, {}, CORE_FUNDS);
  world.bot();
  await world.pass(MINUTE + 6_000);
  const on = { on: "addOrder", times: 1 } as const;
  world.setFaults({
    rules: [
      { fault: "lost-answer", ...on },
      { fault: "publication-delay", delayMs: 86_400_000, ...on },
    ],
  });
  await world.pass(20 * MINUTE);
  const [order] = world.reader().executor.open();
  expect([order && stateText(order.state), world.reader().books.counters.state]).toEqual(["escalated", "HALTED"]);
  const last = (): string => world.venue.requests().at(-1)?.path ?? "";
  for (let tries = 0; tries < 60 && !last().endsWith("/accountBalance"); tries++) await world.pass(500);
  return { world, id: order?.id ?? "" };
}

test("after a person's word on an order, and resume, nothing leaves before the account was read once more", async () => {
  const { world, id } = await stopped();
  const sent = world.calls("addOrder").length;
  const said = await world.end(close(world, id, { notFilled: true, venueConfirms: true }));
  expect(said.code, said.stderr).toBe(0);
  world.resume();
  await world.pass(10);
  expect(world.reader().books.counters.state).toBe("ACTIVE");
  await world.pass(5 * MINUTE);
  expect(world.calls("addOrder").length).toBe(sent);
  expect(world.halts().at(-1)).toContain("a difference of ");
});
