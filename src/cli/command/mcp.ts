// `mcp`: the tools of an agent on stdin and stdout. Reads are answered by the running bot, else from the journal; a
// proposal needs a running bot.

import { type Command, InvalidArgumentError } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import { askThrough, NoOwner } from "../../app/owner/client.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { versionText } from "../../app/version.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { OPERATIONS } from "../../operation/table.ts";
import { statusNow } from "./status.ts";

export function defineMcp(command: Command, run: Run): void {
  command
    .option("--name <name>", "of the agent, in the journal", named, "agent")
    .option("--read-only", "without proposals")
    .action(({ name, readOnly = false }) => run((shell) => mcp(shell, name, readOnly)));
}

function named(text: string): string {
  if (/^[\w.-]{1,32}$/.test(text)) return text;
  throw new InvalidArgumentError("must be 1 to 32 letters, digits, dots, - and _");
}

async function mcp(shell: Shell, name: string, isReadOnly: boolean): Promise<ExitCode> {
  const config = botConfig(shell);
  const { serveStdio } = await import("@modelcontextprotocol/server/stdio");
  const { agentServer } = await import("../../watch/agent/agent.ts");

  async function ask(operation: string, input: unknown): Promise<Result<unknown>> {
    try {
      const request = { by: `agent:${name}`, input };
      const last = await askThrough(config.journal.path)(operation, request, () => undefined);
      if (last.kind === "answer") return ok(last.value);
      return err(last.kind === "failed" ? last.error : "the owner of the key gave another answer");
    } catch (error) {
      return error instanceof NoOwner ? fromJournal(operation) : err(errorMessage(error));
    }
  }

  /** Status, holdings and decisions are in the journal; what only a bot knows is left out. */
  async function fromJournal(operation: string): Promise<Result<unknown>> {
    const found = OPERATIONS.find((one) => one.name === operation);
    if (found === undefined || found.scope !== "read" || found.name === "plans") return err("no bot runs");
    const status = await statusNow(shell, config).catch((error: unknown) => err(errorMessage(error)));
    if ("ok" in status) return status;
    const model = { status: () => status, fills: () => [] };
    return found.act({ model } as never, undefined, { by: name, token: undefined });
  }

  const served = serveStdio(() => agentServer({ version: versionText(), mayPropose: !isReadOnly, ask }));
  await new Promise<void>((resolve) => process.stdin.once("end", resolve).once("close", resolve));
  await served.close();
  return exitCode.done;
}
