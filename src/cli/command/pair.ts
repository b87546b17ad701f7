// `pair`: a token of its own for a phone, as a QR code of the page's address. It looks and halts, and approves where that is
// asked for. The token stands behind the #, which a browser sends to no server.

import type { Command } from "commander";
import { renderUnicodeCompact } from "uqr";
import { botConfig } from "../../app/config/bot-config.ts";
import { addToken } from "../../app/key/control-token.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { isLoopback } from "../../domain/loopback.ts";

const REACHED = `set server.host: 0.0.0.0, server.names: [what this machine is called there] and server.tls: { certFile: ..., keyFile: ... }, then start the bot again; docs/guides/page.md#from-other-machines`;

export function definePair(command: Command, run: Run): void {
  command
    .argument("[name]", "of the phone or its person, in the journal", "phone")
    .option("--approve", "it may also approve, decline and resume")
    .action((name: string, { approve = false }) => run((shell) => pair(shell, name, approve ? "approve" : "halt")));
}

function pair(shell: Shell, name: string, scope: "approve" | "halt"): ExitCode {
  const { terminal } = shell;
  const { server, journal } = botConfig(shell);
  const [host] = server.names ?? [];
  if (isLoopback(server.host) || host === undefined)
    throw usageFailure(`no phone reaches the page: server.host is ${server.host}`, REACHED);
  if (!/^[\w.-]{1,32}$/.test(name)) throw usageFailure("NAME must be 1 to 32 letters, digits, dots, - and _");
  const token = orFail(addToken(journal.path, name, scope));
  const url = `https://${host}:${server.port}/#token=${token}`;
  if (terminal.wantsJson) terminal.json({ name, scope, url });
  else {
    for (const line of renderUnicodeCompact(url, { border: 2 }).split("\n")) terminal.print(line);
    terminal.print(`it may look and halt${scope === "approve" ? ", approve, decline and resume" : ""}: ${url}`);
    terminal.print(`pegbot token list shows it, pegbot token revoke ${name} ends it`);
  }
  return exitCode.done;
}
