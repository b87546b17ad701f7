// Recorded references that were hardly believed, before anything that rests on them.

import type { Belief } from "../../../../backtest/record/run-record.ts";
import { beliefText, isLittleBelieved } from "../../../../backtest/report/belief-text.ts";
import { printable } from "../../../domain/outside-text.ts";
import type { Shell } from "../../shell.ts";

export function showBeliefs({ terminal }: Pick<Shell, "terminal">, references: readonly Belief[]): void {
  for (const one of references.filter(isLittleBelieved))
    terminal.print(`reference ${printable(one.name)}: ${beliefText(one)}`);
}
