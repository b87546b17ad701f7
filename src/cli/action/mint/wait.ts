// A mint followed to its end: settled, held by the venue, or in a doubt that only a person can end. Polls at the protocol's
// pace; whoever stops waiting leaves it to the running bot.

import { hasSettled, type MintRecord } from "../../../domain/mint.ts";
import { printable } from "../../../domain/outside-text.ts";
import type { Submission } from "../../../execution/submission.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import type { Shell } from "../../shell.ts";
import { follow } from "../../tool/follow.ts";
import type { Tool } from "../../tool/tool.ts";

export async function waitForMint(
  shell: Shell,
  tool: Tool,
  id: string,
  stop: AbortSignal,
  json: boolean,
): Promise<ExitCode> {
  const { terminal } = shell;
  const submission = await follow(tool, id, {
    stop,
    until: isOver,
    told: (now) => terminal.note(`mint ${id}: ${stageOf(now)}`),
  });
  const { text, code } = endOf(id, submission);
  if (json) terminal.json({ id, state: submission?.state.kind, text });
  else terminal.print(text);
  return code;
}

function isOver({ state }: Submission): boolean {
  if (state.kind === "confirmed" || state.kind === "zombie") return isHeld(state.receipt as MintRecord);
  return ["settled", "rejected", "not-sent", "presumed-dead", "escalated"].includes(state.kind);
}

function isHeld({ status }: MintRecord): boolean {
  return status?.toLowerCase() === "held";
}

function stageOf({ state }: Submission): string {
  if (!("receipt" in state)) return state.kind;
  const { status, reason } = state.receipt as MintRecord;
  const said = status === undefined ? "" : `, the venue says ${printable(status, 40)}`;
  return `${state.kind}${said}${reason === undefined ? "" : ` (${printable(reason, 200)})`}`;
}

function endOf(id: string, submission: Submission | undefined): { readonly text: string; readonly code: ExitCode } {
  const state = submission?.state;
  switch (state?.kind) {
    case "settled":
      return { text: `settled  ${id}  the coins are on the account`, code: exitCode.done };
    case "rejected":
      return { text: `rejected  ${id}  ${printable(state.failure.message)}`, code: exitCode.refused };
    case "not-sent":
    case "presumed-dead":
      return { text: `not minted  ${id}  ${printable(state.reason)}`, code: exitCode.failed };
    case "escalated":
      return {
        text: `unknown  ${id}  look at the venue's portal: is this mint there? pegbot resolve ${id} --landed|--not-landed --reason "..."`,
        code: exitCode.unknown,
      };
    case "confirmed":
    case "zombie": {
      const receipt = state.receipt as MintRecord;
      if (!isHeld(receipt)) break;
      const why = printable(receipt.reason ?? "the venue gives no reason", 300);
      const next = `write to the venue's support about request ${printable(receipt.requestId, 80)}; the money stays in flight, and a running bot goes on looking`;
      return { text: `held  ${id}  ${why}: ${next}`, code: exitCode.unknown };
    }
  }
  const shown = state !== undefined && "receipt" in state && hasSettled(state.receipt as MintRecord);
  const text = shown ? "the venue says settled, its balances do not show it yet" : "still on its way";
  return { text: `open  ${id}  ${text}; a running bot goes on looking`, code: exitCode.unknown };
}
