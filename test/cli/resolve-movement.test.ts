// What a person reads who closes a mint of which the venue's list has a word.

import { expect, test } from "vitest";
import { resolveMovement } from "../../src/cli/action/resolve/movement.ts";
import { explain } from "../../src/cli/shell.ts";
import type { Tool } from "../../src/cli/tool/tool.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { Nonce, SupplyChange } from "../../src/exchange/port.ts";
import type { Answer } from "../../src/execution/executor.ts";
import type { Submission } from "../../src/execution/submission.ts";
import type { Approval } from "../../src/risk/movement-gate.ts";
import { Keeping } from "../execution/keeping.ts";
import { aMint, CHF, VCHF } from "../execution/life.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";

const { id, request } = aMint;
const LISTED: SupplyChange = {
  requestId: "r1",
  transactionId: "x1",
  asset: VCHF,
  blockchain: "ETH",
  quantity: request.quantity,
  status: "settled",
  reason: undefined,
  at: undefined,
};

function listOf(bot: Keeping, rows: readonly SupplyChange[]): Answer {
  const asked = { askedAt: bot.now.mono, receivedAt: bot.now.at, nonce: ++bot.nonce as Nonce };
  return { witness: "supply-changes", asset: VCHF, rows, ...asked };
}

function sent(): Keeping {
  const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
  bot.take((out) =>
    bot.executor.intend({ kind: "mint", mint: request, id } as unknown as Approval, undefined, bot.now, out),
  );
  bot.send(id);
  return bot;
}

/** The list is what it is now. */
async function denied(bot: Keeping, rows: readonly SupplyChange[]): Promise<string> {
  const tool = {
    desk: { executor: bot.executor },
    ask: () => listOf(bot, rows),
    take: ({ answer }: { readonly answer: Answer }) => bot.answer(answer),
  } as unknown as Tool;
  const submission = bot.executor.get(id);
  if (submission === undefined) throw new Error("the mint must be there");
  const given = { notLanded: true, reason: "reversed", yes: true };
  return resolveMovement(tool, { shell: recordedShell(), prompts: scriptedPrompts() }, submission, given).then(
    (code) => `${code}`,
    (error: unknown) => `${explain(error).code} ${explain(error).lines.join("; ")}`,
  );
}

test("a rail moves no money: a word of the venue about it is refused, and nothing is looked at", async () => {
  const submission = { id: "T-1", kind: "rail", state: { kind: "doubt" } } as unknown as Submission;
  const given = { notLanded: true, venueConfirms: true, reason: "not there", yes: true };
  const people = { shell: recordedShell(), prompts: scriptedPrompts() };
  const error: unknown = await resolveMovement({} as Tool, people, submission, given).catch((thrown) => thrown);
  expect([explain(error).code, explain(error).lines.join("; ")]).toEqual([
    2,
    expect.stringContaining("T-1 is a rail: --venue-confirms is of money that left"),
  ]);
});

test("that the list calls a mint that had settled otherwise is its own word, and what differs is taken over", async () => {
  const bot = sent();
  const value = { requestId: "r1", transactionId: "x1", fee: Money.zero(CHF), spent: request.quantity.of(CHF) };
  const answer = { kind: "accepted", value, nonce: bot.nonce as Nonce, receivedAt: bot.now.at } as const;
  bot.take((out) => bot.executor.outcome(id, answer, bot.now, out));
  bot.answer(listOf(bot, [LISTED])).balances({ CHF: "1000", VCHF: "120000.37" });
  expect(bot.state(id)).toBe("settled");
  expect(await denied(bot, [LISTED])).toContain(
    `3 pegbot: ${id} is in the venue's list as "settled", and is adopted: settled`,
  );
  const reversed = await denied(bot, [{ ...LISTED, status: "rejected" }]);
  expect(reversed).toContain(`3 pegbot: ${id} is in the venue's list as "rejected", and had settled`);
  expect(reversed).toContain("what the balances differ by is taken over by pegbot adopt");
});
