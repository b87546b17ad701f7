// `token`: lists, adds and revokes the tokens of the control API. A running bot goes by the change at once.

import { Argument, type Command, Option } from "commander";
import { journalPath } from "../../app/journal/open-reader.ts";
import { addToken, OWNER, readTokens, revokeToken, tokenPath } from "../../app/key/control-token.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { SCOPES, type Scope } from "../../domain/bearer-token.ts";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";

const SCOPE = "read: look; halt: also halt and heartbeat; approve: everything";

export function defineToken(command: Command, run: Run): void {
  command
    .addArgument(new Argument("<action>").choices(["list", "add", "revoke"]))
    .argument("[name]", "of its holder: a person, a program")
    .addOption(new Option("--scope <scope>", SCOPE).choices(SCOPES).default("read"))
    .action((action, name, options) => run((shell) => token(shell, action, name, options.scope)));
}

function token(shell: Shell, action: string, name: string | undefined, scope: Scope): ExitCode {
  const { terminal } = shell;
  const path = journalPath(shell);
  if (action === "list") {
    const shown = [OWNER, ...orFail(readTokens(path))].map((one) => ({ name: one.name, scope: one.scope }));
    if (terminal.wantsJson) terminal.json(shown);
    else for (const one of shown) terminal.print(`${one.scope.padEnd(8)} ${one.name}`);
    return exitCode.done;
  }
  if (name === undefined || !/^[\w.-]{1,32}$/.test(name))
    throw usageFailure("NAME must be 1 to 32 letters, digits, dots, - and _");
  if (name === OWNER.name) throw usageFailure(`remove ${tokenPath(path)}: a running bot draws a new one`);
  const drawn = action === "add" ? orFail(addToken(path, name, scope)) : undefined;
  if (drawn === undefined) orFail(revokeToken(path, name));
  if (terminal.wantsJson) terminal.json({ name, token: drawn ?? null });
  else terminal.print(drawn ?? `the token of ${name} no longer counts`);
  return exitCode.done;
}
