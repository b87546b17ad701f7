// What every way of closing shares: the options, the check against the venue's balances, and the words at the end.

import { CommandFailure, orFail } from "../../../app/command-failure.ts";
import { type ExitCode, exitCode } from "../../../app/exit-code.ts";
import { standingOf, stopBy, type Tool } from "../../../app/money-command/tool.ts";
import { type Person, personHere, requireConfirmation, requireReason } from "../../../app/terminal/confirmation.ts";
import { type Asset, parseAsset } from "../../../domain/asset.ts";
import { Money } from "../../../domain/money/money.ts";
import { printable } from "../../../domain/outside-text.ts";
import { utcText } from "../../../domain/time-text.ts";
import { ADOPT, RUN, resolveCommand } from "../../../execution/remediation.ts";
import {
  type AnyReceipt,
  isEscalated,
  isUnknown,
  type MoneyRequest,
  type Resolution,
  stateText,
} from "../../../execution/request.ts";
import { resolutionRefusal } from "../../../execution/request-state.ts";
import { RESUME } from "../../../risk/standing.ts";

export type ResolveOptions = {
  readonly filled?: boolean;
  readonly notFilled?: boolean;
  readonly landed?: boolean;
  readonly notLanded?: boolean;
  readonly reason?: string;
  /** Of an order as a person states it. */
  readonly bought?: string;
  readonly sold?: string;
  readonly orderId?: string;
  /** Of a mint or a rail: the venue's own id; of a mint what left for it. */
  readonly venueId?: string;
  readonly spent?: string;
  readonly fee?: string;
  /** The venue's written word stands in for balances that do not show it. */
  readonly venueConfirms?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

export type Asked = Pick<Person, "shell" | "prompts">;

/** Why a person may not close it now: with what must happen first, as long as evidence may still decide. */
export function refuseToClose(tool: Tool, request: MoneyRequest, verdict: Resolution<unknown>["kind"]): void {
  const refusal = resolutionRefusal(request, verdict);
  if (refusal === undefined) return;
  const isOpen = isUnknown(request.state) && !isEscalated(request.state);
  const { escalateAfterMs } = tool.desk.executor.parameters(tool.now());
  throw refused(refusal, isOpen ? wayToKnow(request, escalateAfterMs) : undefined);
}

/**
 * The balances must be exact with it closed so, unless the venue has confirmed it in writing: money that a wrong word frees could
 * be spent a second time. Gives back the check to repeat when it is written.
 */
export async function requireExact(
  tool: Tool,
  closed: { readonly id: string; readonly assets: readonly Asset[] },
  moves: readonly Money[],
  { venueConfirms = false }: Pick<ResolveOptions, "venueConfirms">,
): Promise<() => string | undefined> {
  if (venueConfirms) return () => undefined;
  const rows = await tool.read("balances", tool.exchange.balances({ class: "doubt" }));
  const { balances } = tool.desk.executor;
  if (!balances.wouldBeExact(rows, closed, moves))
    throw refused(
      `closed so, the venue's balances would differ from the books: they do not show it of ${closed.id}`,
      `compare with the portal and try again in ten minutes: balances may be late. Other money that moved there is taken over first, by ${ADOPT} (with --beside ${closed.id} where it asks for that). If the venue has confirmed this in writing: the same command with --venue-confirms`,
    );
  return () =>
    balances.wouldBeExact(rows, closed, moves) ? undefined : "the account moved meanwhile: the same command again";
}

export function refused(why: string, next: string | undefined): CommandFailure {
  return new CommandFailure(exitCode.refused, `${why}; nothing was changed`, next);
}

export function amountOf(flag: string, text: string): Money {
  const [amount = "", name = "", ...rest] = text.trim().split(/\s+/);
  const asset = parseAsset(name);
  if (!asset.ok || rest.length > 0)
    throw new CommandFailure(
      exitCode.usage,
      `${flag} must be an amount and an asset like "100 VCHF", was ${printable(text, 40)}`,
    );
  return orFail(Money.parse(amount, asset.value), flag);
}

/** What is shown before a person confirms it, and said after. `first`: the command that has to come next. */
export type Closing = {
  readonly request: MoneyRequest;
  readonly what: string;
  /** Undefined where it did not happen. */
  readonly receipt: AnyReceipt | undefined;
  readonly as: "filled" | "not-filled" | "landed" | "not-landed";
  readonly closing: string;
  readonly closed: string;
  readonly first?: string | undefined;
};

/** A person closes it. `moved`: why what was shown is no longer so, checked when it is written. */
export async function closeBy(
  tool: Tool,
  { shell, prompts }: Asked,
  { request, what, receipt, as, closing, closed, first }: Closing,
  options: ResolveOptions,
  moved: (now: MoneyRequest) => string | undefined,
): Promise<ExitCode> {
  const { id, kind, state } = request;
  shell.terminal.print(`${kind.padEnd(8)} ${id}: ${what}`);
  const cause = state.kind === "unknown" ? `: ${printable(state.cause)}` : "";
  shell.terminal.print(`state    ${stateText(state)}${cause}`);
  shell.terminal.print(`closing  as ${closing}`);
  const reason = await requireReason(shell, prompts, options.reason);
  await requireConfirmation(shell, prompts, { word: as, yes: options.yes });
  const by = personHere();
  const resolution: Resolution<AnyReceipt> =
    receipt === undefined ? { kind: "not-landed", by, reason } : { kind: "landed", receipt, by, reason };
  await tool.take({ kind: "resolution", id, resolution }, () => {
    const now = tool.desk.executor.get(id);
    return now === undefined ? `${id} is gone` : (resolutionRefusal(now, resolution.kind) ?? moved(now));
  });
  sayClosed(shell, tool, { id, as, text: `is closed as ${closed}`, json: options.json }, first);
  return exitCode.done;
}

type Closed = { readonly id: string; readonly as: string; readonly text: string; readonly json?: boolean | undefined };

/** How it was closed, and what is next where the bot is stopped; `first`: in any case, and before that. */
export function sayClosed(
  { terminal }: Person["shell"],
  tool: Tool,
  { json, ...closed }: Closed,
  first?: string,
): void {
  if (json) terminal.json(closed);
  else terminal.print(`${closed.id} ${closed.text}`);
  const steps = [...(first === undefined ? [] : [first]), ...(stopBy(standingOf(tool)) === undefined ? [] : [RESUME])];
  if (steps.length > 0) terminal.print(`next: ${steps.join(", then ")}`);
}

/** How the outcome becomes known: evidence decides first, then a person. */
function wayToKnow(request: MoneyRequest, escalateAfterMs: number): string {
  const { state } = request;
  const command = resolveCommand(request);
  if (state.kind === "unknown" && state.escalated !== undefined) return command;
  const since = state.kind === "sending" ? state.at : state.kind === "unknown" ? state.since : undefined;
  const by = since === undefined ? "" : ` until ${utcText(since + escalateAfterMs)}`;
  return `only a running bot resolves it${by}: ${RUN}; what evidence cannot decide, a person closes with ${command}`;
}
