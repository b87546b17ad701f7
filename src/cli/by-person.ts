// Runs a money command for a person: the books of the account, the terminal for prompts, and the stop signal.

import { type MoneyCommand, withMoneyCommand } from "../app/money-command/money-command.ts";
import { withOpenBooks } from "../app/money-command/with-open-books.ts";
import type { Run } from "../app/shell.ts";
import type { Person } from "../app/terminal/confirmation.ts";
import { terminalPrompts as prompts } from "../app/terminal/prompts.ts";
import { IDLE } from "../bot/strategy-host/strategy-state.ts";
import type { ExitCode } from "../domain/exit-code.ts";

export type Asked = Omit<Person, "stop">;

/**
 * For commands that may send. From here on a stop signal does not end the process, so that every sent request is
 * recorded.
 */
export function sending(run: Run, work: (tool: MoneyCommand, person: Person) => Promise<ExitCode>): ReturnType<Run> {
  return run((shell) => {
    const stop = shell.stopSignal();
    return withOpenBooks(shell, (tool) => work(tool, { shell, prompts, stop }));
  });
}

/** For commands that only record a person's decision. */
export function recording(run: Run, work: (tool: MoneyCommand, asked: Asked) => Promise<ExitCode>): ReturnType<Run> {
  return run((shell) =>
    withMoneyCommand(shell, { strategy: IDLE, books: "existing" }, (tool) => work(tool, { shell, prompts })),
  );
}
