// A mint or a rail that evidence could not decide, closed by a person. The venue's list is read first: what it shows there is
// adopted without anybody's word, and nobody can deny it. What it does not show needs the venue's own id, as written by it.

import { parseAsset } from "../../../domain/asset.ts";
import type { MintRecord } from "../../../domain/mint.ts";
import { Money } from "../../../domain/money/money.ts";
import { printable, quoted } from "../../../domain/outside-text.ts";
import { pause } from "../../../domain/pause.ts";
import { type Rail, UNLISTED } from "../../../domain/rail.ts";
import { wordOf } from "../../../domain/venue-word.ts";
import { resolutionRefusal } from "../../../execution/advance.ts";
import { leavesOut } from "../../../execution/dropped-mint.ts";
import type { Ask } from "../../../execution/executor.ts";
import { isOf } from "../../../execution/movement-evidence.ts";
import { type AnyReceipt, isUnknown, type Resolution, type Submission } from "../../../execution/submission.ts";
import { DIFFERENCE_TAKEN, wayToKnow } from "../../../execution/way-out.ts";
import { RESUME } from "../../../risk/standing.ts";
import { CommandFailure, orFail } from "../../command-failure.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { type Person, personHere, requireConfirmation, requireReason } from "../../terminal/confirmation.ts";
import { inquireInto } from "../../tool/hear.ts";
import type { Tool } from "../../tool/tool.ts";
import { AGAIN_MS, balancesTwice, leftBy, movedSince, refuseHidden, refuseWord, wordFor } from "./given-back.ts";

export type MovementResolveOptions = {
  readonly landed?: boolean;
  readonly notLanded?: boolean;
  readonly reason?: string;
  /** The venue's own id: of the mint request, or of the rail. */
  readonly venueId?: string;
  readonly spent?: string;
  readonly fee?: string;
  /** The venue's written word that it has given the money back, where no balances showed that it left. */
  readonly venueConfirms?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

/** How it was closed, and what is next where the bot is stopped; `first`: in any case, and before that. */
export function sayClosed(
  { terminal }: Pick<Person["shell"], "terminal">,
  { latch }: Pick<Tool, "latch">,
  {
    json,
    ...closed
  }: { readonly id: string; readonly as: string; readonly text: string; readonly json?: boolean | undefined },
  first?: string,
): void {
  if (json) terminal.json(closed);
  else terminal.print(`${closed.id} ${closed.text}`);
  const steps = [...(first === undefined ? [] : [first]), ...(latch.check() === undefined ? [] : [RESUME])];
  if (steps.length > 0) terminal.print(`next: ${steps.join(", then ")}`);
}

export async function resolveMovement(
  tool: Tool,
  { shell, prompts }: Pick<Person, "shell" | "prompts">,
  submission: Submission,
  options: MovementResolveOptions,
): Promise<ExitCode> {
  const { id, kind } = submission;
  const isLanded = options.landed === true;
  if (isLanded === (options.notLanded === true))
    throw new CommandFailure(exitCode.usage, `${id} is a ${kind}: one of --landed and --not-landed is needed`);
  if (kind === "rail") refuseWord(id, kind, options.venueConfirms);
  const { now, isLeftOut, isListed, word } = await look(tool, submission);
  // Whoever said so before the list showed it did not speak of money that was given back.
  const isBack = !isLanded && "receipt" in submission.state && resolutionRefusal(now, "not-landed") === undefined;
  const isThere =
    now.state.kind === "confirmed" || now.state.kind === "zombie" || (now.state.kind === "settled" && !isReturned(now));
  if (!isBack && isThere) {
    const closed = word === undefined ? tool.desk.executor.closedBy(id) : undefined;
    const text = closed === undefined ? thereText(now, word) : `is ${now.state.kind}: ${closed}`;
    if (!isLanded)
      throw new CommandFailure(exitCode.refused, `${id} ${text}`, isUndone(now, word) ? DIFFERENCE_TAKEN : undefined);
    sayClosed(shell, tool, { id, as: now.state.kind, text, json: options.json });
    return exitCode.done;
  }
  const refusal = closingRefusal(tool.desk, now, isLanded ? "landed" : "not-landed");
  const listed = isReturned(now) && word !== undefined ? `; the venue lists it as ${quoted(word)}` : "";
  refuseToClose(tool, now, refusal && `${refusal}${listed}`);
  const isMintBack = isBack && kind === "mint";
  const moved =
    isMintBack && !isLeftOut
      ? await requireGivenBack(tool, now as Submission<"mint">, isListed, options)
      : isMintBack
        ? againListed(tool, id)
        : undefined;
  const receipt = isLanded ? receiptOf(submission, options) : undefined;
  const taken = receipt && tool.desk.executor.movements.whyNotIts(now, receipt);
  if (taken !== undefined) throw new CommandFailure(exitCode.refused, `${taken}; nothing was changed`);
  if (isBack)
    shell.terminal.print(
      kind === "rail"
        ? "the venue has answered it as done: closed so, it counts as not there"
        : "the venue has accepted it: closed so, its money counts as given back, fee included",
    );
  show(shell, now, receipt);
  const given = await requireReason(shell, prompts, options.reason);
  const reason = isMintBack ? `${given}${wordFor(tool, id, options.venueConfirms)}` : given;
  await requireConfirmation(shell, prompts, { word: isLanded ? "landed" : "not-landed", yes: options.yes });
  const by = personHere();
  const resolution: Resolution<AnyReceipt> =
    receipt === undefined ? { kind: "not-landed", by, reason } : { kind: "landed", receipt, by, reason };
  await tool.take({ kind: "resolution", id, resolution }, () => {
    const found = tool.desk.executor.get(id);
    if (found === undefined) return `${id} is gone`;
    // While a person was asked, somebody may have found it.
    if (!isBack && "receipt" in found.state) {
      const closed = tool.desk.executor.closedBy(id);
      return `${id} is ${closed === undefined ? `in the venue's list, and is adopted: ${found.state.kind}` : `${found.state.kind}: ${closed}`}`;
    }
    const why =
      closingRefusal(tool.desk, found, resolution.kind) ??
      (receipt && tool.desk.executor.movements.whyNotIts(found, receipt));
    return why ?? moved?.();
  });
  const text = `is closed as ${isLanded ? "landed; a running bot follows it" : "not landed; its money is free"}`;
  sayClosed(shell, tool, { id, as: resolution.kind, text, json: options.json });
  return exitCode.done;
}

/** Who comes second reads whose word was the first. */
export function closingRefusal(
  { executor }: Tool["desk"],
  submission: Submission,
  verdict: Resolution<unknown>["kind"],
): string | undefined {
  const refusal = resolutionRefusal(submission, verdict);
  const closed = refusal === undefined ? undefined : executor.closedBy(submission.id);
  if (isReturned(submission)) return `${submission.id} is over: ${closed ?? "it is closed as not landed"}`;
  return closed === undefined ? refusal : `${refusal}: ${closed}`;
}

/** What a person has closed as given back has settled in the books alone. */
function isReturned({ state }: Submission): boolean {
  return state.kind === "settled" && state.isGivenBack === true;
}

/** `refusal`: undefined refuses nothing. With what must happen first, as long as evidence may still decide. */
export function refuseToClose({ desk }: Tool, submission: Submission, refusal: string | undefined): void {
  if (refusal === undefined) return;
  const { state } = submission;
  const isOpen = isUnknown(state) && state.kind !== "escalated";
  const next = isOpen ? wayToKnow(submission, desk.executor.terms.escalateAfterMs) : undefined;
  throw new CommandFailure(exitCode.refused, `${refusal}; nothing was changed`, next);
}

/**
 * While the list has it as on its way, or settled, its money is not back by anybody's word: only the balances say so. Rejected, a
 * word that nobody knows, and no entry at all leave it to the person. Says why the balances show it no longer, if they do not.
 */
async function requireGivenBack(
  tool: Tool,
  { id, request, state }: Submission<"mint">,
  isListed: boolean,
  { venueConfirms }: MovementResolveOptions,
): Promise<(() => string | undefined) | undefined> {
  const receipt = "receipt" in state ? state.receipt : undefined;
  const word = receipt?.status === undefined ? undefined : wordOf(receipt.status);
  if (receipt === undefined || word === undefined || word === "rejected" || word === "unknown") return undefined;
  const { asset } = request.spentMax;
  // What the books have not let go of yet need not come back to them.
  const spent = receipt.spent ?? Money.zero(asset);
  const dueAt = receipt.spent === undefined ? undefined : tool.desk.executor.balances.dueAt(id);
  const left = leftBy(tool, id, dueAt, venueConfirms);
  const sought = { id, amount: spent, feeMax: request.quantity.of(asset).share(100, "down"), left };
  const look = await balancesTwice(tool, sought);
  const shown = look();
  const { isThere, lack } = shown;
  if (isThere) refuseHidden(tool, shown, sought);
  if (isThere) return () => movedSince(shown, look());
  const why = receipt.reason === undefined ? "" : ` (${printable(receipt.reason)})`;
  const said = `${id} as ${printable(receipt.status ?? "")}${why}`;
  const listedText = isListed
    ? `the venue lists ${said}`
    : `the venue listed ${said} before, and what its list shows now may be only the newest`;
  throw new CommandFailure(
    exitCode.refused,
    `${listedText}, and its balances lack ${lack ?? "an unknown amount"} ${asset} of what there would be if it had given the money back; nothing was changed`,
    `ask its support about request ${receipt.requestId}; once the money is back, or the list says rejected, the same command closes it`,
  );
}

/** Says whether the list has it again, by what others have heard of it since. */
function againListed({ desk }: Tool, id: string): () => string | undefined {
  const { accounts } = desk.engine.context;
  const wordOfIt = (): string | undefined => [...accounts.flights()].find((one) => one.id === id)?.status;
  const before = wordOfIt();
  return () => (wordOfIt() === before ? undefined : `the venue lists ${id} again: the same command again`);
}

/** Left out is what two lists leave out: one that is cut short, or still being made, is no list. */
async function look(tool: Tool, submission: Submission): Promise<Look> {
  const first = await lookOnce(tool, submission);
  if (!first.isLeftOut) return first;
  await pause(tool.timers, AGAIN_MS);
  return lookOnce(tool, submission);
}

/** The list that would show it, read now: it is a fence as well. */
async function lookOnce(tool: Tool, submission: Submission): Promise<Look> {
  const asset = submission.kind === "mint" ? (submission as Submission<"mint">).request.asset : undefined;
  const ask: Ask = { witness: asset === undefined ? "rails" : "supply-changes", asset, class: "doubt" };
  const answer = await inquireInto(tool, ask);
  const now = tool.desk.executor.get(submission.id) ?? submission;
  if (answer.witness !== "supply-changes" || now.kind !== "mint")
    return { now, isListed: true, isLeftOut: false, word: undefined };
  const { request, state } = now as Submission<"mint">;
  if (!("receipt" in state)) return { now, isListed: false, isLeftOut: false, word: undefined };
  const { receipt } = state;
  const row = answer.rows.find((one) => isOf(one, receipt));
  return { now, isListed: row !== undefined, isLeftOut: leavesOut(answer.rows, request, receipt), word: row?.status };
}

/** `isLeftOut`: of a mint, by a list that would show it. `word`: the list's own of it, now. */
type Look = {
  readonly now: Submission;
  readonly isListed: boolean;
  readonly isLeftOut: boolean;
  readonly word: string | undefined;
};

/** What the list says is the venue's word; what the journal has made of it is ours. */
function thereText(now: Submission, word: string | undefined): string {
  const { state } = now;
  const listed = `is in the venue's list${word === undefined ? "" : ` as ${quoted(word)}`}`;
  return isUndone(now, word) ? `${listed}, and had settled` : `${listed}, and is adopted: ${state.kind}`;
}

function isUndone({ state }: Submission, word: string | undefined): boolean {
  return state.kind === "settled" && word !== undefined && wordOf(word) !== "settled";
}

function receiptOf(submission: Submission, { venueId, spent, fee }: MovementResolveOptions): AnyReceipt {
  const { id, kind } = submission;
  if (venueId === undefined)
    throw new CommandFailure(
      exitCode.usage,
      `the venue's list shows nothing that may be ${id}, so its id there must be stated`,
      "take it from the portal or from support: --venue-id ID",
    );
  const name = printable(venueId, 100);
  if (kind === "rail") return { railId: name, status: UNLISTED, reason: undefined } satisfies Rail;
  const { quantity, spentMax } = (submission as Submission<"mint">).request;
  const record = { requestId: name, transactionId: undefined, status: undefined, reason: undefined };
  // Whoever states no amount leaves it to the balances.
  if (spent === undefined && fee === undefined) return { ...record, spent: undefined, fee: undefined };
  const face = quantity.of(spentMax.asset);
  const charged = fee === undefined ? Money.zero(face.asset) : amountOf("--fee", fee);
  // The fee is a part of what was spent.
  const whole = charged.asset === face.asset ? face.plus(charged) : face;
  return { ...record, spent: spent === undefined ? whole : amountOf("--spent", spent), fee: charged };
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

function show({ terminal }: Person["shell"], submission: Submission, receipt: AnyReceipt | undefined): void {
  const { id, kind, state } = submission;
  terminal.print(`${kind.padEnd(8)} ${id}: ${contentOf(submission)}`);
  terminal.print(`state    ${state.kind}${"doubt" in state ? `: ${printable(state.doubt.cause)}` : ""}`);
  terminal.print(`closing  as ${receipt === undefined ? "not landed" : `landed: ${receiptText(receipt)}`}`);
}

function contentOf(submission: Submission): string {
  if (submission.kind === "mint") {
    const { quantity, asset, blockchain } = (submission as Submission<"mint">).request;
    return `${quantity} ${asset} on ${blockchain}`;
  }
  const { type, asset, destination } = (submission as Submission<"rail">).request;
  return `${type} of ${asset} to ${printable(destination, 80)}`;
}

function receiptText(receipt: AnyReceipt): string {
  if ("railId" in receipt) return `rail ${receipt.railId}`;
  const { requestId, spent, fee } = receipt as MintRecord;
  const cost = spent === undefined ? "what it cost is read from the balances" : `${spent} ${spent.asset} spent`;
  return `request ${requestId}, ${cost}${fee === undefined ? "" : `, fee ${fee} ${fee.asset}`}`;
}
