// A mint or a rail followed to where it rests: done, refused, held by the venue, or in a doubt that only a person can end.
// Whoever stops waiting leaves it to the running bot.

import { printable } from "../../domain/outside-text.ts";
import type { Ask } from "../../execution/effects.ts";
import type { AnyReceipt, MoneyRequest, State } from "../../execution/request.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { standingLines } from "../terminal/standing-lines.ts";
import { follow } from "./follow.ts";
import { standingOf, type Tool } from "./tool.ts";

export type Rest = { readonly name: string; readonly code: ExitCode; readonly text: string };

/** How what has happened rests at the venue; undefined while it is on its way. */
export type RestOf = (receipt: AnyReceipt, state: State<unknown>["kind"]) => Rest | undefined;

export type WaitOptions = {
  readonly stop: AbortSignal;
  readonly asks: readonly Ask[];
  readonly json: boolean;
  readonly restOf: RestOf;
};

export async function waitFor(
  { terminal }: Shell,
  tool: Tool,
  id: string,
  { stop, asks, json, restOf }: WaitOptions,
): Promise<ExitCode> {
  const submission = await follow(tool, id, {
    stop,
    asks,
    until: (now) => restingPlace(now, restOf) !== undefined,
    told: (stage) => terminal.note(`${id}: ${stage}`),
  });
  const rest = submission === undefined ? undefined : restingPlace(submission, restOf);
  const { name, code, text } = rest ?? {
    name: "open",
    code: exitCode.unknown,
    text: "on its way; a running bot goes on looking",
  };
  if (json) terminal.json({ id, outcome: name, text });
  else terminal.print(`${name}  ${id}  ${text}`);
  const standing = standingOf(tool);
  if (standing.state !== "ACTIVE") for (const line of standingLines(standing)) terminal.note(line);
  return code;
}

function restingPlace({ kind, id, state }: MoneyRequest, restOf: RestOf): Rest | undefined {
  switch (state.kind) {
    case "confirmed":
    case "late":
    case "settled":
      return restOf(state.receipt, state.kind);
    case "rejected":
      return { name: "rejected", code: exitCode.refused, text: printable(state.message) };
    case "not-sent":
    case "released":
      return { name: "did not happen", code: exitCode.failed, text: printable(state.reason) };
    case "unknown": {
      if (state.escalated === undefined) return undefined;
      const question = `look at the venue's portal: is this ${kind} there? pegbot resolve ${id} --landed|--not-landed --reason "..."`;
      return { name: "unknown", code: exitCode.unknown, text: question };
    }
    default:
      return undefined;
  }
}

/** The venue keeps it back, and a person has to see to it. */
export function heldRest(what: string, reason: string | undefined): Rest {
  const why = printable(reason ?? "the venue gives no reason", 300);
  const text = `${why}. Write to the venue's support about ${what}; a running bot goes on looking`;
  return { name: "held", code: exitCode.unknown, text };
}
