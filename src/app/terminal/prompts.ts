// Prompts to a person at a terminal. They go to stderr, so that stdout holds only the result; the caller has checked
// `terminal.interactive`.

import { plainFailure } from "../../domain/command-failure.ts";

type Choice<T extends string> = { readonly value: T; readonly label: string; readonly hint?: string };

export interface Prompts {
  /** The answer is not echoed. */
  password(message: string): Promise<string>;
  choice<T extends string>(message: string, choices: readonly Choice<T>[]): Promise<T>;
  text(message: string): Promise<string>;
}

const output = process.stderr;

export const terminalPrompts: Prompts = {
  async password(message) {
    const { password } = await import("@clack/prompts");
    return answered(await password({ message, output }));
  },
  async choice<T extends string>(message: string, choices: readonly Choice<T>[]): Promise<T> {
    const { select } = await import("@clack/prompts");
    const options = choices.map(({ value, label, hint }) => ({ value: value as string, label, hint: hint ?? "" }));
    return answered(await select({ message, options, output })) as T;
  },
  async text(message) {
    const { text } = await import("@clack/prompts");
    return answered((await text({ message, output })) ?? "");
  },
};

/** Ctrl-C at a prompt ends the command before anything was done. */
function answered(answer: string | symbol): string {
  if (typeof answer === "symbol") throw plainFailure("cancelled, nothing was changed");
  return answer;
}
