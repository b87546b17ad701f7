// A payment that was to come and that a person gives up: what the venue's list says goes before, and nothing is given up that is
// waited for no longer.

import { expect, test } from "vitest";
import type { MoneyCommand } from "../../src/app/money-command/money-command.ts";
import { explain } from "../../src/app/shell.ts";
import { type ResolveOptions, resolveExpectation } from "../../src/cli/command/resolve.ts";
import { CommandFailure } from "../../src/domain/command-failure.ts";
import { exitCode } from "../../src/domain/exit-code.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { Expectation } from "../../src/execution/payments.ts";
import { FRESH } from "../../src/risk/trading-state.ts";
import { VCHF } from "../execution/life.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";

const AWAITED = { id: "expected:L-1:1", rail: "L-1", pays: Money.of("10000", VCHF) } as unknown as Expectation;
const GIVEN = { notLanded: true, reason: "the bank is closed", yes: true };

/** `ends`: when it is waited for no longer. */
async function givenUp(options: ResolveOptions, ends?: "by the list" | "while a person is asked") {
  const awaited = [AWAITED];
  const asked: string[] = [];
  const taken: unknown[] = [];
  const tool = {
    tradingCore: {
      executor: { treasury: { payments: { expectations: () => awaited } } },
      engine: { books: { counters: { tradingState: FRESH } } },
    },
    killFile: { standing: () => FRESH },
    async ask({ witness }: { readonly witness: string }) {
      asked.push(witness);
      return { witness, rows: [] };
    },
    async take(input: { readonly kind: string }, whyNot?: () => string | undefined) {
      if (ends === (input.kind === "answer" ? "by the list" : "while a person is asked")) awaited.pop();
      const why = whyNot?.();
      if (why !== undefined) throw new CommandFailure(exitCode.refused, why);
      if (input.kind !== "answer") taken.push(input);
    },
  } as unknown as MoneyCommand;
  const shell = recordedShell();
  const said = await resolveExpectation(tool, { shell, prompts: scriptedPrompts() }, AWAITED, options).then(
    (code) => `${code}`,
    (error: unknown) => `${explain(error).code} ${explain(error).lines.join("; ")}`,
  );
  return { said, asked, taken };
}

test("is given up with the reason, once the venue's payments were read", async () => {
  const { said, asked, taken } = await givenUp(GIVEN);
  expect([said, asked]).toEqual(["0", ["payments"]]);
  const reason = expect.stringMatching(/^given up by .+: the bank is closed$/);
  expect(taken).toEqual([{ kind: "give-up", expectation: AWAITED.id, reason, by: expect.any(String) }]);
});

test.each([
  ["that the list shows has come", GIVEN, "by the list", /^3 .*has come: the venue lists a payment on L-1/],
  ["that ended while a person was asked", GIVEN, "while a person is asked", /^3 .*is no longer expected/],
  [
    "cannot be closed as landed",
    { ...GIVEN, notLanded: false, landed: true },
    undefined,
    /^2 .*--not-landed says that/,
  ],
  ["without a confirmation", { ...GIVEN, yes: false }, undefined, /^2 .*needs a confirmation/],
  ["without a reason", { ...GIVEN, reason: " " }, undefined, /^2 .*a reason is needed/],
] as const)("%s: nothing is given up", async (_, options, ends, why) => {
  const { said, taken } = await givenUp(options, ends);
  expect(said).toMatch(why);
  expect(taken).toEqual([]);
});
