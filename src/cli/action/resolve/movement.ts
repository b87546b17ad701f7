// A mint or a rail that evidence could not decide, closed by a person. The venue's list is read first: what it shows is adopted
// without a person's word, and cannot be denied. What it does not show needs the venue's own id.

import { CommandFailure } from "../../../app/command-failure.ts";
import { type ExitCode, exitCode } from "../../../app/exit-code.ts";
import { inquireInto } from "../../../app/money-command/hear.ts";
import type { Tool } from "../../../app/money-command/tool.ts";
import type { MintRecord } from "../../../domain/mint.ts";
import type { Money } from "../../../domain/money/money.ts";
import { printable, quoted } from "../../../domain/outside-text.ts";
import { type Rail, UNLISTED } from "../../../domain/rail.ts";
import { wordOf } from "../../../domain/venue-word.ts";
import { isRowOfMint } from "../../../execution/evidence.ts";
import { ADOPT } from "../../../execution/remediation.ts";
import { type AnyReceipt, hasHappened, isKind, type MoneyRequest, stateText } from "../../../execution/request.ts";
import { isReturnable, isUncosted } from "../../../execution/request-state.ts";
import {
  type Asked,
  amountOf,
  closeBy,
  type ResolveOptions,
  refused,
  refuseToClose,
  requireExact,
  sayClosed,
} from "./closing.ts";

export async function resolveMovement(
  tool: Tool,
  asked: Asked,
  given: MoneyRequest,
  options: ResolveOptions,
): Promise<ExitCode> {
  const { id, kind } = given;
  const isLanded = options.landed === true;
  if (isLanded === (options.notLanded === true))
    throw new CommandFailure(exitCode.usage, `${id} is a ${kind}: one of --landed and --not-landed is needed`);
  const { executor } = tool.desk;
  const { now: request, word } = await look(tool, given);
  // A person who spoke before the list showed it did not speak of money that was given back.
  const isBack = !isLanded && "receipt" in given.state && isReturnable(request);
  const isThere = hasHappened(request.state) || request.state.kind === "settled";
  if (isThere && !isBack && !(isLanded && isUncosted(request))) {
    const text = `is ${stateText(request.state)}${word === undefined ? "" : `, and the venue lists it as ${quoted(word)}`}`;
    if (!isLanded) throw refused(`${id} ${text}`, ADOPT);
    sayClosed(asked.shell, tool, { id, as: request.state.kind, text, json: options.json });
    return exitCode.done;
  }
  refuseToClose(tool, request, isLanded ? "landed" : "not-landed");
  const isListed = word !== undefined && wordOf(word) !== "rejected" && wordOf(word) !== "unknown";
  if (isBack && isListed && options.venueConfirms !== true)
    throw refused(
      `the venue lists ${id} as ${quoted(word)}`,
      "ask its support; once the list says rejected the same command closes it. If the venue has confirmed in writing that it gave the money back: --venue-confirms",
    );
  const receipt = isLanded ? receiptOf(request, options) : undefined;
  const taken = receipt && executor.treasury.whyNotIts(request, receipt);
  if (taken !== undefined) throw refused(taken, undefined);
  const moved = isLanded ? undefined : await requireExact(tool, request, returnedBy(request), options);
  const back = kind === "mint" ? ": its money counts as given back, fee included" : ": it counts as not there";
  const closing = receipt === undefined ? `not landed${isBack ? back : ""}` : `landed: ${receiptText(receipt)}`;
  const closed = isLanded ? "landed; a running bot follows it" : "not landed; its money is free";
  const as = isLanded ? "landed" : "not-landed";
  const shown = { request, what: contentOf(request), receipt, as, closing, closed } as const;
  return closeBy(tool, asked, shown, options, (found) => {
    if (!isLanded && !isBack && "receipt" in found.state)
      return `${id} is ${stateText(found.state)} since: it is listed`;
    return (receipt && executor.treasury.whyNotIts(found, receipt)) ?? moved?.();
  });
}

/** The list that would show it, read now: it is a fence as well. `word`: the list's own status of it. */
async function look(
  tool: Tool,
  { id, kind, request }: MoneyRequest,
): Promise<{ readonly now: MoneyRequest; readonly word: string | undefined }> {
  const asset = kind === "mint" ? (request as MoneyRequest<"mint">["request"]).asset : undefined;
  const witness = kind === "mint" ? "supply-changes" : "rails";
  const answer = await inquireInto(tool, { witness, asset, class: "doubt" });
  const now = tool.desk.executor.get(id) as MoneyRequest;
  const receipt = "receipt" in now.state ? (now.state.receipt as MintRecord) : undefined;
  if (receipt === undefined || answer.witness !== "supply-changes") return { now, word: undefined };
  return { now, word: answer.rows.find((row) => isRowOfMint(row, receipt))?.status };
}

/** What comes back to the books where a mint was given back; nothing has left for one whose outcome is unknown. */
function returnedBy(request: MoneyRequest): readonly Money[] {
  if (!isKind(request, "mint") || !("receipt" in request.state)) return [];
  const { spent } = request.state.receipt;
  return spent === undefined ? [] : [spent];
}

function receiptOf(request: MoneyRequest, { venueId, spent, fee }: ResolveOptions): AnyReceipt {
  const { id, state } = request;
  const listed = "receipt" in state ? (state.receipt as MintRecord).requestId : undefined;
  const name = venueId === undefined ? listed : printable(venueId, 100);
  if (name === undefined)
    throw new CommandFailure(
      exitCode.usage,
      `the venue's list shows nothing that may be ${id}, so its id there must be stated`,
      "take it from the portal or from support: --venue-id ID",
    );
  if (!isKind(request, "mint")) return { railId: name, status: UNLISTED, reason: undefined } satisfies Rail;
  if (spent === undefined || fee === undefined)
    throw new CommandFailure(
      exitCode.usage,
      `what ${id} cost must be stated: the venue's list does not say it`,
      'take both from the portal: --spent "120120.37 CHF" (the fee is part of it) --fee "120 CHF"',
    );
  const record = { requestId: name, transactionId: undefined, status: undefined, reason: undefined };
  return { ...record, spent: amountOf("--spent", spent), fee: amountOf("--fee", fee) };
}

function contentOf(request: MoneyRequest): string {
  if (isKind(request, "mint")) {
    const { quantity, asset, blockchain } = request.request;
    return `${quantity} ${asset} on ${blockchain}`;
  }
  const { type, asset, destination } = (request as MoneyRequest<"rail">).request;
  return `${type} of ${asset} to ${printable(destination, 80)}`;
}

function receiptText(receipt: AnyReceipt): string {
  if ("railId" in receipt) return `rail ${receipt.railId}`;
  const { requestId, spent, fee } = receipt as MintRecord;
  return `request ${requestId}, ${spent} ${spent?.asset} spent, fee ${fee} ${fee?.asset}`;
}
