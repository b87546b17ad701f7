// What a command has approved, carried to the venue and its answer onto the disk: an order, a mint or a rail of a person. What
// became of it is said before it is recorded, so that nobody is left without the venue's word.

import type { Sent } from "../../bot/effects/dispatch.ts";
import { printable } from "../../domain/outside-text.ts";
import type { Ask } from "../../execution/effects.ts";
import type { Approval } from "../../risk/movement-gate.ts";
import { CommandFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { standingLines } from "../terminal/standing-lines.ts";
import type { Tool } from "./tool.ts";

/** `asks`: what is to be asked about it; a bot or the next start asks again if nobody does. */
export type Carried = { readonly code: ExitCode; readonly asks: readonly Ask[] };

export async function carry(
  { terminal }: Pick<Shell, "terminal">,
  tool: Tool,
  approved: Approval,
  stop: AbortSignal,
  tell: (sent: Sent) => ExitCode,
): Promise<Carried> {
  const { dispatch } = tool;
  const cease = (): void => dispatch.close("stopped before it was sent");
  if (stop.aborted) cease();
  stop.addEventListener("abort", cease, { once: true });
  const sent = await dispatch.send(approved);
  const code = tell(sent);
  try {
    const { books } = tool.desk.engine.context;
    const before = books.standing;
    const { asks } = await tool.take({ kind: "outcome", ...sent });
    // Its answer may stop the bot: whoever gave the command is told, as the bot tells everybody else.
    if (books.standing !== before && books.state !== "ACTIVE")
      for (const line of standingLines(books.standing)) terminal.note(line);
    return { code, asks };
  } catch (error) {
    throw sent.outcome.kind === "not-sent" ? error : unrecorded(error);
  }
}

/** That it was sent is on disk, its answer is not: to everybody else it is a doubt. */
function unrecorded(error: unknown): unknown {
  if (!(error instanceof CommandFailure)) return error;
  return new CommandFailure(
    exitCode.unknown,
    `it was sent and answered as said above, but the answer could not be recorded: ${error.message}`,
    "a running bot, or the next start, finds out what became of it",
  );
}

/** `outdated` is the gate's last word, `refused` the switch's; the rest failed before a byte was out. */
export function codeOfUnsent(code: string, stopped: CommandFailure | undefined): ExitCode {
  if (stopped !== undefined) return exitCode.halted;
  return code === "outdated" || code === "refused" ? exitCode.refused : exitCode.failed;
}

/** Why no byte was out, and what to do where nobody has refused it. */
export function textOfUnsent({
  code,
  reason,
}: Pick<Extract<Sent["outcome"], { kind: "not-sent" }>, "code" | "reason">): string {
  const why = printable(reason, 500);
  if (code === "late") return `${why}; try again`;
  const isPast = code === "dropped" && reason.startsWith("past-deadline: ");
  return isPast ? `${why}: other requests of the key went first; nothing was sent, try again` : why;
}
