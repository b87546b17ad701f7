// A payment that was to come on a rail and does not: a person says that it is waited for no longer, and what was tied up for it
// is free. The venue's payments are read first: one that is there ends the waiting by itself.

import { printable } from "../../../domain/outside-text.ts";
import { type Expectation, GIVEN_UP_BY } from "../../../execution/payment/expectations.ts";
import { CommandFailure } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { type Person, personHere, requireConfirmation, requireReason } from "../../terminal/confirmation.ts";
import { inquireInto } from "../../tool/hear.ts";
import type { Tool } from "../../tool/tool.ts";
import { refuseWord } from "./given-back.ts";
import { type MovementResolveOptions, sayClosed } from "./movement.ts";

export function expectationOf({ desk }: Pick<Tool, "desk">, id: string): Expectation | undefined {
  return [...desk.executor.movements.expectations()].find((one) => one.id === id);
}

export async function resolveExpectation(
  tool: Tool,
  { shell, prompts }: Pick<Person, "shell" | "prompts">,
  { id, rail, pays }: Expectation,
  options: MovementResolveOptions,
): Promise<ExitCode> {
  if (options.notLanded !== true)
    throw new CommandFailure(
      exitCode.usage,
      `${id} is a payment that is to come: --not-landed says that it does not; one that came is read from the venue's list`,
    );
  refuseWord(id, "payment that is to come", options.venueConfirms);
  await inquireInto(tool, { witness: "payments", asset: undefined, class: "doubt" });
  if (expectationOf(tool, id) === undefined)
    throw new CommandFailure(exitCode.refused, `${id} has come: the venue lists a payment on ${rail}`);
  shell.terminal.print(`payment  ${pays} ${pays.asset} on rail ${rail}, not listed by the venue`);
  const given = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: "not-landed", yes: options.yes });
  const reason = `${GIVEN_UP_BY}${personHere()}: ${printable(given)}`;
  await tool.take({ kind: "give-up", expectation: id, reason }, () =>
    expectationOf(tool, id) === undefined ? `${id} is waited for no longer` : undefined,
  );
  const text = "is waited for no longer; its money is free, and the bot asks for no payment on this rail for an hour";
  sayClosed(shell, tool, { id, as: "not-landed", text, json: options.json });
  return exitCode.done;
}
