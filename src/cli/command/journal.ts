// `journal list|show|verify`: what happened, read from the durable record while the bot goes on writing.

import type { Command } from "commander";
import { plainFailure, usageFailure } from "../../app/command-failure.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import {
  JOURNAL_FILE,
  journalPath,
  problemLine,
  readable,
  readingFile,
  withReader,
} from "../../app/journal/open-reader.ts";
import type { Run, Shell } from "../../app/shell.ts";
import type { Control, Event, OrderReport } from "../../domain/event.ts";
import { unreachable } from "../../domain/invariant.ts";
import type { Money } from "../../domain/money/money.ts";
import type { MovementReport } from "../../domain/movement.ts";
import type { Fill } from "../../domain/order.ts";
import type { Step } from "../../domain/step.ts";
import { EVERYTHING, inspectJournal } from "../../journal/file/inspect.ts";
import type { StoredEntry } from "../../journal/journal-reader.ts";
import type { DefiniteOutcome, JournalRecord, ReceiptRecord, RequestRecord } from "../../journal/record.ts";
import { WAY_OUT } from "../../journal/verdict.ts";
import { wholeNumber } from "../option/values.ts";

const LAST = 20;

export function defineList(command: Command, run: Run): void {
  command
    .option("--last <n>", "how many", wholeNumber(1), LAST)
    .option("--json", "print the records as JSON")
    .action((options: ListOptions) => run((shell) => listJournal(shell, options)));
}

export function defineShow(command: Command, run: Run): void {
  command
    .argument("<sequence>", "its number", wholeNumber(1))
    .option("--json", "taken as everywhere: the record is JSON without it too")
    .action((sequence: number) => run((shell) => showRecord(shell, sequence)));
}

export function defineVerify(command: Command, run: Run): void {
  command
    .option("--journal <file>", JOURNAL_FILE)
    .option("--json", "print the verdict as JSON")
    .action((options: VerifyOptions) => run((shell) => verifyJournal(shell, options)));
}

type ListOptions = { readonly last: number; readonly json?: boolean };

export function listJournal(shell: Shell, { last, json = false }: ListOptions): ExitCode {
  const rows = withReader(shell, (reader) => {
    const newest: StoredEntry[] = [];
    for (const read of reader.after(Math.max(0, reader.head().sequence - last))) newest.push(readable(read));
    return newest;
  });
  if (json) shell.terminal.json(rows.map(plainOf));
  else
    shell.terminal.table(
      [{ title: "sequence", align: "right" }, { title: "at" }, { title: "kind" }, { title: "what" }],
      rows.map(({ entry }) => [
        String(entry.sequence),
        new Date(entry.record.at).toISOString(),
        entry.record.kind,
        summaryOf(entry.record),
      ]),
    );
  return exitCode.done;
}

/** As stored, with its hash. */
function plainOf({ entry, text }: StoredEntry): object {
  return { ...JSON.parse(text), hash: entry.hash };
}

export function showRecord(shell: Shell, sequence: number): ExitCode {
  return withReader(shell, (reader) => {
    const stored = readable(reader.one(sequence));
    if (stored === undefined) throw usageFailure(`record must be from 1 to ${reader.head().sequence}, was ${sequence}`);
    shell.terminal.json(plainOf(stored));
    return exitCode.done;
  });
}

type VerifyOptions = { readonly json?: boolean; readonly journal?: string };

export function verifyJournal(shell: Shell, { json = false, journal }: VerifyOptions): ExitCode {
  const path = journalPath(shell, journal);
  const inspected = readingFile(path, () => inspectJournal(path, EVERYTHING));
  if (!inspected.ok) {
    const { kind, message, sequence } = inspected.error;
    if (json) shell.terminal.json({ path, verdict: kind, message, sequence, wayOut: WAY_OUT[kind] });
    throw plainFailure(problemLine(path, inspected.error), WAY_OUT[kind]);
  }
  const { head, opening } = inspected.value;
  if (json) shell.terminal.json({ path, verdict: "intact", records: head.sequence, head: head.hash, opening });
  else {
    shell.terminal.print(`journal   ${path}`);
    shell.terminal.print(`verdict   intact`);
    shell.terminal.print(`belongs   to ${opening.environment}, key ${opening.account}`);
    shell.terminal.print(`records   ${head.sequence}`);
    shell.terminal.print(`head      ${head.hash}`);
  }
  return exitCode.done;
}

export function summaryOf(record: JournalRecord): string {
  switch (record.kind) {
    case "opening":
      return `journal of ${record.environment}, key ${record.account}`;
    case "started":
      return `version ${record.codeVersion}`;
    case "step":
      return stepSummary(record.step);
    case "intent":
      return `${requestSummary(record.id, record.request)} by ${record.by}${record.why === undefined ? "" : `, ${record.why}`}`;
    case "sending":
      return `${record.id} with nonce ${record.nonce} to ${record.host}`;
    case "outcome":
      return `${record.id} ${outcomeSummary(record.outcome)}`;
    case "doubt":
      return `${record.id} ${record.code}: ${record.cause}`;
    case "fenced":
      return `${record.id} by nonce ${record.nonce}`;
    case "evidence":
      return `${record.id} round ${record.round}: ${record.finding.kind}`;
    case "resolution":
      return `${record.id} ${record.verdict.kind} by ${record.by}: ${record.reason}`;
    case "recovered":
    case "settled":
      return record.id;
    case "adoption":
      return `${amounts(record.amounts)} by ${record.by}: ${record.reason}`;
    case "state":
      return `of strategy ${record.strategy}${record.outdated === undefined ? "" : `: ${record.outdated}`}`;
    case "fresh-start":
      return record.text;
    case "control":
      return controlSummary(record.control);
    case "plan":
      return `${record.id} by ${record.by}, for ${record.persons} to approve${record.why === undefined ? "" : `: ${record.why}`}`;
    case "approval":
      return `${record.id} by ${record.by}`;
    case "plan-progress":
      return `${record.id} ${record.state}${record.by === undefined ? "" : ` by ${record.by}`}: ${record.text}`;
    case "difference":
      return record.amount === undefined
        ? `${record.asset} no longer differs from the ledger`
        : `${record.amount} ${record.asset} between venue and ledger`;
    case "rails":
      return `${record.state} by ${record.by}: ${record.reason}`;
    default:
      return unreachable(record);
  }
}

function stepSummary({ event, decisions, commands }: Step): string {
  const approved = decisions.filter(({ verdict }) => verdict.kind === "approved").length;
  const refused = decisions.flatMap(({ verdict }) => (verdict.kind === "refused" ? [verdict.refusal.rule] : []));
  const states = commands.flatMap((command) =>
    command.kind === "state" ? [`${command.state}: ${command.reason}`] : [],
  );
  return [
    eventSummary(event),
    ...(approved > 0 ? [`${approved} approved`] : []),
    ...(refused.length > 0 ? [`refused by ${refused.join(", ")}`] : []),
    ...states,
  ].join("; ");
}

function eventSummary(event: Event): string {
  switch (event.kind) {
    case "report":
      return `${event.clientOrderId} ${reportSummary(event.report)}`;
    case "quote":
    case "bar":
      return `${event.kind} ${event.symbol}`;
    case "control":
      return controlSummary(event.control);
    case "movement":
      return `${event.id} ${movementSummary(event.report)}`;
    case "adoption":
      return `adoption of ${amounts(event.amounts)}: ${event.reason}`;
    default:
      return event.kind;
  }
}

/** The bot's own stops name nobody. */
function controlSummary(control: Control): string {
  const by = "by" in control ? ` by ${control.by}` : "";
  if (control.kind === "limits" && control.changed !== undefined) return `limits${by}: ${control.changed}`;
  return "reason" in control ? `${control.kind}${by}: ${control.reason}` : `${control.kind}${by}`;
}

function movementSummary(report: MovementReport): string {
  switch (report.kind) {
    case "reserved": {
      const { door, leaves, comes, rail, pays } = report;
      const what = `${door} of ${amounts([leaves])} for ${amounts([comes])}`;
      return `reserved: ${pays === undefined || rail === undefined ? what : `payment of ${amounts([pays])} expected on rail ${rail}`}`;
    }
    case "departed": {
      const on = report.railId === undefined ? "" : `, on rail ${report.railId}`;
      return `departed: ${amounts([report.spent])}, fee ${amounts([report.fee])} of it, for ${amounts([report.comes])}${on}`;
    }
    case "arrived":
      return `arrived at ${report.at}${report.fee === undefined ? "" : `, fee ${amounts([report.fee])}`}`;
    case "told":
      return `told ${report.status}${report.reason === undefined ? "" : `: ${report.reason}`}`;
    case "doubt":
      return `doubt: ${report.cause}`;
    case "released":
    case "escalated":
    case "returned":
      return `${report.kind}: ${report.reason}`;
    default:
      return unreachable(report);
  }
}

function outcomeSummary(outcome: DefiniteOutcome): string {
  return outcome.kind === "accepted"
    ? `accepted: ${receiptSummary(outcome.receipt)}`
    : `${outcome.kind}: ${outcome.code}`;
}

function receiptSummary(receipt: ReceiptRecord): string {
  switch (receipt.kind) {
    case "order":
      return fillSummary(receipt.fill);
    case "mint":
      return `mint ${receipt.mint.requestId}`;
    case "rail":
      return `rail ${receipt.rail.railId}`;
    default:
      return unreachable(receipt);
  }
}

function reportSummary(report: OrderReport): string {
  return report.kind === "filled" ? `filled: ${fillSummary(report.fill)}` : report.kind;
}

function fillSummary({ bought, sold, fee }: Fill): string {
  return `${amounts([bought])} for ${amounts([sold])}, fee ${amounts([fee])}`;
}

function requestSummary(id: string, request: RequestRecord): string {
  switch (request.kind) {
    case "order":
      return `${id} ${request.order.side} ${request.order.quantity} ${request.order.symbol} at ${request.order.limit}`;
    case "mint":
      return `${id} mint ${request.mint.quantity} ${request.mint.asset} on ${request.mint.blockchain}`;
    case "rail":
      return `${id} rail ${request.rail.type} to ${request.rail.destination}`;
    default:
      return unreachable(request);
  }
}

function amounts(list: readonly Money[]): string {
  return list.map((money) => `${money} ${money.asset}`).join(", ");
}
