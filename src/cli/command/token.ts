// `token`: lists, adds, revokes and rotates the tokens of the control API. A running bot goes by the change at once.

import { Argument, type Command, Option } from "commander";
import { journalPath } from "../../app/journal/open-reader.ts";
import { newToken, OWNER, readTokens, tokenPath } from "../../app/key/control-token.ts";
import { writeDurably } from "../../app/kill-switch/durable-text.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { digestOf, SCOPES, type Scope } from "../../domain/bearer-token.ts";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";

const SCOPE = "read: look; halt: also halt and heartbeat; approve: everything";

export function defineToken(command: Command, run: Run): void {
  command
    .addArgument(new Argument("<action>").choices(["list", "add", "revoke", "rotate"]))
    .argument("[name]", "of its holder: a person, a program")
    .addOption(new Option("--scope <scope>", SCOPE).choices(SCOPES).default("read"))
    .action((action, name, options) => run((shell) => token(shell, action, name, options.scope)));
}

function token(shell: Shell, action: string, name: string | undefined, scope: Scope): ExitCode {
  const { terminal } = shell;
  const path = journalPath(shell);
  const tokens = orFail(readTokens(path));
  if (action === "list") {
    const shown = [OWNER, ...tokens].map((one) => ({ name: one.name, scope: one.scope }));
    if (terminal.wantsJson) terminal.json(shown);
    else for (const one of shown) terminal.print(`${one.scope.padEnd(8)} ${one.name}`);
    return exitCode.done;
  }
  if (name === undefined || !/^[\w.-]{1,32}$/.test(name))
    throw usageFailure("NAME must be 1 to 32 letters, digits, dots, - and _");
  if (name === OWNER.name) throw usageFailure(`remove ${tokenPath(path)}: a running bot draws a new one`);
  const known = tokens.find((one) => one.name === name);
  if ((action === "add") === (known !== undefined))
    throw usageFailure(`there is ${known ? "a" : "no"} token of ${name}: pegbot token list`);
  const drawn = action === "revoke" ? undefined : newToken();
  const changed = drawn === undefined ? [] : [{ name, scope: known?.scope ?? scope, digest: digestOf(drawn) }];
  const lines = [...tokens.filter((one) => one !== known), ...changed].map(
    (one) => `${one.name} ${one.scope} ${one.digest}\n`,
  );
  writeDurably(`${tokenPath(path)}s`, lines.join(""));
  if (terminal.wantsJson) terminal.json({ name, token: drawn ?? null });
  else terminal.print(drawn ?? `the token of ${name} no longer counts`);
  return exitCode.done;
}
