// A person's command beside a trading bot: it gets its slots soon, and takes none from what moves or confirms money.

import { expect, test } from "vitest";
import { awaitedBudget, type Budget } from "../../../src/exchange/budget/budget.ts";
import type { WantClass } from "../../../src/exchange/port.ts";
import { budgetOn, optionsOf, temporaryFolder } from "./ledger-folder.ts";
import { createVirtualMachine } from "./virtual-machine.ts";

const answered = { kind: "answered", rateLimited: false } as const;

/** A bot that always has its next want ready, and commands beside it, on one key; who got which slot. */
async function slotsOf(
  ofBot: WantClass,
  ofCommand: WantClass,
  requests: number,
  most: number,
  names = "C",
): Promise<string> {
  const machine = createVirtualMachine();
  const folder = temporaryFolder();
  const bot = await budgetOn(folder, machine, optionsOf(folder, machine, "bot"));
  const slots: string[] = [];
  let isOver = false;
  const ask = async (budget: Budget, name: string, ofClass: WantClass): Promise<void> => {
    const slot = await budget.take({ class: ofClass });
    if (!slot.ok) return;
    slots.push(name);
    slot.value.held();
    await new Promise<void>((resolve) => machine.timers.after(10, resolve));
    slot.value.end(answered);
  };
  void (async () => {
    while (!isOver) await ask(bot, "b", ofBot);
  })();
  await machine.pass(1_500);
  slots.length = 0;
  const commands = new Map<string, Budget>();
  for (const name of names) {
    // The same name twice is one command that asks two things at once.
    const command = commands.get(name) ?? awaitedBudget(await budgetOn(folder, machine));
    commands.set(name, command);
    void (async () => {
      for (let i = 0; i < requests && !isOver; i++) await ask(command, name, ofCommand);
      isOver = true;
    })();
    await machine.pass(333);
  }
  await machine.pass(most * 1_010);
  isOver = true;
  return slots.join("");
}

test("a command has every second slot beside a bot that polls quotes all the time", async () => {
  expect(await slotsOf("quote", "other", 4, 9)).toMatch(/^b?(b?bC){4}/);
  expect(await slotsOf("quote", "balance", 4, 9)).toMatch(/^b?(b?bC){4}/);
});

test("several commands and the bot take turns: the bot is not blind beside them", async () => {
  expect(await slotsOf("quote", "other", 20, 16, "CD")).toMatch(/(bCD|bDC){4}/);
  expect(await slotsOf("quote", "treasury", 20, 20, "CDE")).toMatch(/(b[CDE]{3}){4}/);
});

test("orders, confirmations and balances of the bot go before whatever a command reads", async () => {
  for (const ofBot of ["order", "confirmation", "balance"] as const)
    expect(await slotsOf(ofBot, "balance", 1, 10)).toMatch(/^b{9,}$/);
});

test("what a command asks about money is as urgent as it was", async () => {
  expect(await slotsOf("quote", "order", 3, 5)).toMatch(/^CCC/);
});
