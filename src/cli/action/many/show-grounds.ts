// What is to be known of the prices before anything that rests on them: what they leave open, and references that were hardly
// believed.

import type { Belief } from "../../../../backtest/record/run-record.ts";
import { beliefText, isLittleBelieved } from "../../../../backtest/report/run-text.ts";
import { printable } from "../../../domain/outside-text.ts";
import type { Shell } from "../../shell.ts";

const CAUTION_MAX = 5_000;

export function showGrounds(
  { terminal }: Pick<Shell, "terminal">,
  cautions: readonly string[],
  references: readonly Belief[],
): void {
  for (const caution of cautions) terminal.print(printable(caution, CAUTION_MAX));
  for (const one of references.filter(isLittleBelieved))
    terminal.print(`reference ${printable(one.name)}: ${beliefText(one)}`);
}
