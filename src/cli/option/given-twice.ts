// Says that an option which takes one value was given twice: the last counts, as whoever appends to a command wants it, and
// whoever meant both must know.

import type { Command } from "commander";

export function watchGivenTwice(command: Command, tell: (text: string) => void): void {
  for (const option of command.options) {
    const isRepeated = option.variadic || Array.isArray(option.defaultValue);
    if (option.isBoolean() || option.negate || isRepeated) continue;
    let times = 0;
    command.on(`option:${option.name()}`, () => {
      times += 1;
      if (times === 2) tell(`${option.long} is given more than once: the last counts`);
    });
  }
  for (const inner of command.commands) watchGivenTwice(inner, tell);
}
