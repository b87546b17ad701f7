// The shared parts of `mint` and `rail`: a recorded approval, the venue's answer in words, its whitelist, and the
// refusals that end a command before anything is sent.

import type { Sent } from "../../bot/effects/dispatch.ts";
import type { Config } from "../../config/schema.ts";
import { isByHand } from "../../config/section/rebalancing.ts";
import type { Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { millis } from "../../domain/time.ts";
import type { WithdrawAddress } from "../../exchange/port.ts";
import type { Ask } from "../../execution/effects.ts";
import { RUN } from "../../execution/remediation.ts";
import type { AnyReceipt } from "../../execution/request.ts";
import type { Approval, ApprovedMovement, MintWish, MovementWish, RailWish } from "../../risk/treasury-gate.ts";
import { CommandFailure, plainFailure, refusedFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { personHere, reasonText } from "../terminal/confirmation.ts";
import { standingLines } from "../terminal/trading-state-lines.ts";
import { type MoneyCommand, requireActive, requireMaySend, standingOf, stopBy } from "./money-command.ts";

/** The lifetime of an approval. */
const EXPIRES_MS = 600_000;

export type MovementContent = Pick<MintWish, "kind" | "mint"> | Pick<RailWish, "kind" | "rail" | "isAnother">;

/** Reviews, reserves and journals in one transaction, under the lock that every process takes. */
export async function approveMovement(
  tool: MoneyCommand,
  content: MovementContent,
  stop: AbortSignal,
  why: string | undefined,
): Promise<ApprovedMovement> {
  if (stop.aborted) throw plainFailure("stopped, nothing was sent");
  requireMaySend(tool);
  const decidedAt = tool.now().at;
  const reason = reasonText("wanted", personHere(), why);
  const terms = { decidedAt, expiresAt: millis(decidedAt + EXPIRES_MS), reason };
  const wish: MovementWish = { ...content, ...terms };
  const turn = await tool.take({ kind: "movement", wish });
  const [approved] = turn.sends;
  if (approved !== undefined) return approved as ApprovedMovement;
  requireActive(tool);
  throw refused(turn.refusal === undefined ? "not approved" : `${turn.refusal.rule}: ${turn.refusal.message}`);
}

/** Why mints and rails need a plan; undefined if one person may send them. */
export function whyNotByHand({ treasury }: Config): string | undefined {
  const { approvals } = treasury;
  if (isByHand(approvals)) return undefined;
  const { byHand, persons } = approvals;
  const rule = byHand === undefined ? `persons is ${persons}` : "byHand is false";
  const approved = persons === 1 ? "a person has approved" : `${persons} people have approved`;
  const plans = persons === 1 ? "pegbot rebalance --execute" : "--propose or pegbot rebalance --execute,";
  return `treasury.approvals.${rule}: mints and rails go out with a plan that ${approved}, by ${plans} and pegbot approve, unless byHand is true`;
}

/** Taken into the books: a changed whitelist freezes rails here. */
export async function whitelist(tool: MoneyCommand): Promise<readonly WithdrawAddress[]> {
  const answer = await tool.ask({ witness: "addresses", asset: undefined, class: "balance" });
  await tool.take({ kind: "answer", answer });
  return answer.witness === "addresses" ? answer.rows : [];
}

export type Telling = {
  /** With `wait` the result is printed once, at the end. */
  readonly wait: boolean;
  /** The word for an accepted request, and its receipt in words. */
  readonly taken: "accepted" | "filled";
  readonly accepted: (receipt: AnyReceipt) => string;
};

/** Prints the outcome of an order, a mint, a rail or a plan. */
export function sayOutcome({ terminal }: Pick<Shell, "terminal">, outcome: string, id: string, text: string): void {
  if (terminal.wantsJson) terminal.json({ id, outcome, text });
  else terminal.print(`${outcome}  ${id}  ${text}`);
}

export function tellMovement(shell: Shell, tool: MoneyCommand, { id, outcome }: Sent, telling: Telling): ExitCode {
  const { wait, taken, accepted } = telling;
  const say = (state: string, code: ExitCode, text: string): ExitCode => {
    if (wait && isOpen(code)) shell.terminal.note(`${state}  ${id}  ${text}`);
    else sayOutcome(shell, state, id, text);
    return code;
  };
  switch (outcome.kind) {
    case "accepted":
      return say(taken, exitCode.done, accepted(outcome.value));
    case "rejected": {
      const { venueCode, message } = outcome.failure;
      const isNamed = venueCode === undefined || message.includes(venueCode);
      const said = isNamed ? message : `${venueCode}: ${message}`;
      return say("rejected", exitCode.refused, `by the venue: ${printable(said)}; nothing was spent`);
    }
    case "not-sent":
      return say("not sent", codeOfUnsent(outcome.code, stopBy(standingOf(tool))), textOfUnsent(outcome));
    case "doubt":
      return say(
        "unknown",
        exitCode.unknown,
        `money may have moved (${outcome.failure.code}), and it is not sent again. Do not repeat it: a running bot resolves it, start one with ${RUN}; pegbot status shows how far it is`,
      );
  }
}

/** Whether the request continues after the answer. */
export function isOpen(code: ExitCode): boolean {
  return code === exitCode.done || code === exitCode.unknown;
}

export function orRefuse<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw refused(result.error);
}

/** Undefined refuses nothing. */
export function refuseIf(why: string | undefined): void {
  if (why !== undefined) throw refused(why);
}

function refused(why: string): CommandFailure {
  return refusedFailure(`${printable(why, 500)}; nothing was sent`);
}

// Sends an approved order, mint or rail of a person to the venue and records the answer. The outcome is printed before
// it is recorded, so that the person sees the venue's answer in any case.

/** `asks`: the reads about it; if the command does not send them, a bot or the next start does. */
type Carried = { readonly code: ExitCode; readonly asks: readonly Ask[] };

export async function carry(
  { terminal }: Pick<Shell, "terminal">,
  tool: MoneyCommand,
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
    const { counters } = tool.tradingCore.engine.context;
    const before = counters.tradingState;
    const { asks } = await tool.take({ kind: "outcome", ...sent });
    // The answer may stop the bot; the command prints that, as the bot reports it.
    if (counters.tradingState !== before && counters.state !== "ACTIVE")
      for (const line of standingLines(counters.tradingState)) terminal.note(line);
    return { code, asks };
  } catch (error) {
    throw sent.outcome.kind === "not-sent" ? error : unrecorded(error);
  }
}

/** The send is on disk, its answer is not: to every other process the outcome is unknown. */
function unrecorded(error: unknown): unknown {
  if (!(error instanceof CommandFailure)) return error;
  return new CommandFailure(
    exitCode.unknown,
    `it was sent and answered as said above, but the answer could not be recorded: ${error.message}`,
    "a running bot, or the next start, finds out what became of it",
  );
}

/**
 * `outdated` comes from the gate's last check, `refused` from the kill switch; all others failed before the first byte.
 */
export function codeOfUnsent(code: string, stopped: CommandFailure | undefined): ExitCode {
  if (stopped !== undefined) return exitCode.halted;
  return code === "outdated" || code === "refused" ? exitCode.refused : exitCode.failed;
}

/** Why nothing was sent, and the next step if it was not refused. */
export function textOfUnsent({
  code,
  reason,
}: Pick<Extract<Sent["outcome"], { kind: "not-sent" }>, "code" | "reason">): string {
  const why = printable(reason, 500);
  if (code === "late") return `${why}; try again`;
  const isPast = code === "dropped" && reason.startsWith("past-deadline: ");
  return isPast ? `${why}: other requests of the key went first; nothing was sent, try again` : why;
}
