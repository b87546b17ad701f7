// What `mint` and `rail` share: an approval that is on record, the venue's answer in words, its whitelist, and the refusals that
// end a command before anything is sent.

import type { Sent } from "../../bot/effects/dispatch.ts";
import type { Config } from "../../config/schema.ts";
import { isByHand } from "../../config/section/rebalancing.ts";
import type { Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import { millis } from "../../domain/time.ts";
import type { WithdrawAddress } from "../../exchange/port.ts";
import type { Ask } from "../../execution/effects.ts";
import type { AnyReceipt } from "../../execution/request.ts";
import type { Approval, ApprovedMovement, MintWish, MovementWish, RailWish } from "../../risk/treasury-gate.ts";
import { CommandFailure, plainFailure, refusedFailure } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { personHere, reasonText } from "../terminal/confirmation.ts";
import { standingLines } from "../terminal/trading-state-lines.ts";
import { type MoneyCommand, requireActive, requireMaySend, standingOf, stopBy } from "./money-command.ts";

/** How long an approval is good for. */
const EXPIRES_MS = 600_000;

export type MovementContent = Pick<MintWish, "kind" | "mint"> | Pick<RailWish, "kind" | "rail" | "isAnother">;

/** Reviewed, reserved and journaled in one transaction, under the lock that every process takes. */
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

/** Where mints and rails are for plans alone; undefined where one person may send them. */
export function whyNotByHand({ treasury }: Config): string | undefined {
  const { approvals } = treasury;
  if (isByHand(approvals)) return undefined;
  const { byHand, persons } = approvals;
  const rule = byHand === undefined ? `persons is ${persons}` : "byHand is false";
  const approved = persons === 1 ? "a person has approved" : `${persons} people have approved`;
  const plans = persons === 1 ? "pegbot rebalance --execute" : "--propose or pegbot rebalance --execute,";
  return `treasury.approvals.${rule}: mints and rails go out with a plan that ${approved}, by ${plans} and pegbot approve, unless byHand is true`;
}

/** Taken into the books: a whitelist that has changed freezes rails here. */
export async function whitelist(tool: MoneyCommand): Promise<readonly WithdrawAddress[]> {
  const answer = await tool.ask({ witness: "addresses", asset: undefined, class: "balance" });
  await tool.take({ kind: "answer", answer });
  return answer.witness === "addresses" ? answer.rows : [];
}

export type Telling = {
  /** Who waits gets one result, at the end. */
  readonly wait: boolean;
  /** What it is called once the venue has taken it, and its receipt in words. */
  readonly taken: "accepted" | "filled";
  readonly accepted: (receipt: AnyReceipt) => string;
};

/** What became of an order, a mint, a rail or a plan. */
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
        `money may have moved (${outcome.failure.code}), and it is not sent again. A running bot looks for it at the venue, pegbot status shows how far it is`,
      );
  }
}

/** It goes on after the answer. */
export function isOpen(code: ExitCode): boolean {
  return code === exitCode.done || code === exitCode.unknown;
}

export function orRefuse<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw refused(result.error);
}

/** `why`: undefined refuses nothing. */
export function refuseIf(why: string | undefined): void {
  if (why !== undefined) throw refused(why);
}

function refused(why: string): CommandFailure {
  return refusedFailure(`${printable(why, 500)}; nothing was sent`);
}

// What a command has approved, carried to the venue and its answer onto the disk: an order, a mint or a rail of a person. What
// became of it is said before it is recorded, so that nobody is left without the venue's word.

/** `asks`: what is to be asked about it; a bot or the next start asks again if nobody does. */
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
    // Its answer may stop the bot: whoever gave the command is told, as the bot tells everybody else.
    if (counters.tradingState !== before && counters.state !== "ACTIVE")
      for (const line of standingLines(counters.tradingState)) terminal.note(line);
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
