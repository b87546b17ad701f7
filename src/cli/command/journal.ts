// `journal list|show|verify`: reads the journal while the bot goes on writing.

import type { Command } from "commander";
import {
  JOURNAL_FILE,
  journalPath,
  problemLine,
  readable,
  readingFile,
  withReader,
} from "../../app/journal/open-reader.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { plainFailure, usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { Money } from "../../domain/money/money.ts";
import { EVERYTHING, inspectJournal } from "../../journal/file/inspect.ts";
import type { Head } from "../../journal/journal.ts";
import type { StoredEntry } from "../../journal/journal-reader.ts";
import type { JournalRecord, Opening } from "../../journal/record.ts";
import { WAY_OUT } from "../../journal/verdict.ts";
import { columns } from "../columns.ts";
import { wholeNumber } from "../option/values.ts";

const LAST = 20;

export function defineList(command: Command, run: Run): void {
  command
    .option("--last <n>", "how many", wholeNumber(1), LAST)
    .action((options: ListOptions) => run((shell) => listJournal(shell, options)));
}

export function defineShow(command: Command, run: Run): void {
  command
    .argument("<sequence>", "its number", wholeNumber(1))
    .action((sequence: number) => run((shell) => showRecord(shell, sequence)));
}

export function defineVerify(command: Command, run: Run): void {
  command
    .option("--journal <file>", JOURNAL_FILE)
    .action((options: VerifyOptions) => run((shell) => verifyJournal(shell, options)));
}

type ListOptions = { readonly last: number };

export function listJournal(shell: Shell, { last }: ListOptions): ExitCode {
  const rows = withReader(shell, (reader) => {
    const newest: StoredEntry[] = [];
    for (const read of reader.after(Math.max(0, reader.head().sequence - last))) newest.push(readable(read));
    return newest;
  });
  if (shell.terminal.wantsJson) shell.terminal.json(rows.map(plainOf));
  else
    shell.terminal.table(
      columns(">sequence", "at", "kind", "what"),
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

type VerifyOptions = { readonly journal?: string };

export function verifyJournal(shell: Shell, { journal }: VerifyOptions): ExitCode {
  const path = journalPath(shell, journal);
  const inspected = readingFile(path, () => inspectJournal(path, EVERYTHING, true));
  if (!inspected.ok) {
    const { kind, message, sequence } = inspected.error;
    if (shell.terminal.wantsJson)
      shell.terminal.json({ path, verdict: kind, message, sequence, wayOut: WAY_OUT[kind] });
    throw plainFailure(problemLine(path, inspected.error), WAY_OUT[kind]);
  }
  const { head, opening } = inspected.value;
  if (shell.terminal.wantsJson)
    shell.terminal.json({ path, verdict: "intact", records: head.sequence, head: head.hash, opening });
  else for (const line of [`journal   ${path}`, ...intactLines(inspected.value)]) shell.terminal.print(line);
  return exitCode.done;
}

export function intactLines({ opening, head }: { readonly opening: Opening; readonly head: Head }): readonly string[] {
  return [
    "verdict   intact",
    `belongs   to ${opening.environment}, key ${opening.account}`,
    `records   ${head.sequence}`,
    `head      ${head.hash}`,
  ];
}

/** One line for each kind of record: fields in braces; a part in brackets only if its fields are present. */
const SENTENCES: Readonly<Record<string, string>> = {
  opening: "journal of {environment}, key {account}",
  started: "version {codeVersion}",
  intent: "{id} {request} by {by}[, {why}]",
  sending: "{id} with nonce {nonce} to {host}",
  outcome: "{id} {outcome}",
  doubt: "{id} {code}: {cause}",
  fenced: "{id} by nonce {nonce}",
  evidence: "{id} round {round}: {finding.kind}",
  resolution: "{id} {verdict.kind} by {by}: {reason}",
  recovered: "{id}",
  settled: "{id}",
  adoption: "{amounts} by {by}: {reason}",
  state: "of strategy {strategy}[: {outdated}]",
  "fresh-start": "{text}",
  control: "{control}",
  plan: "{id} by {by}, for {persons} to approve[: {why}]",
  approval: "{id} by {by}",
  "plan-progress": "{id} {state}[ by {by}]: {text}",
  difference: "{asset}[: {amount} between venue and ledger]",
  rails: "{state} by {by}: {reason}",
  operation: "{name} by {by}[, {request}][, refused: {refusal}], id {id}",
  "request order": "{order.side} {order.quantity} {order.symbol} at {order.limit}",
  "request mint": "mint {mint.quantity} {mint.asset} on {mint.blockchain}",
  "request rail": "rail {rail.type} to {rail.destination}",
  "outcome accepted": "accepted: {receipt}",
  "receipt order": "{fill.bought} for {fill.sold}, fee {fill.fee}",
  "receipt mint": "mint {mint.requestId}",
  "receipt rail": "rail {rail.railId}",
  "event report": "{clientOrderId} {report}",
  "event quote": "quote {symbol}",
  "event bar": "bar {symbol}",
  "event control": "{control}",
  "event movement": "{id} {report}",
  "event adoption": "adoption of {amounts}: {reason}",
  "report filled": "filled: {fill.bought} for {fill.sold}, fee {fill.fee}",
  "report reserved": "reserved: {door} of {leaves} for {comes}[, {pays} expected on rail {rail}]",
  "report departed": "departed: {spent}, fee {fee} of it, for {comes}[, on rail {railId}]",
  "report arrived": "arrived at {at}[, fee {fee}]",
  "report told": "told {status}[: {reason}]",
};
const ANY = "{kind}[ by {by}][: {code}][: {changed}][: {cause}][: {reason}]";

export function summaryOf(record: JournalRecord): string {
  if (record.kind !== "step") return sentence(record, SENTENCES[record.kind] ?? ANY);
  const { event, decisions, commands } = record.step;
  const approved = decisions.filter(({ verdict }) => verdict.kind === "approved").length;
  const refused = decisions.flatMap(({ verdict }) => (verdict.kind === "refused" ? [verdict.refusal.rule] : []));
  return [
    textOf("event", event),
    ...(approved > 0 ? [`${approved} approved`] : []),
    ...(refused.length > 0 ? [`refused by ${refused.join(", ")}`] : []),
    ...commands.flatMap((command) => (command.kind === "state" ? [`${command.state}: ${command.reason}`] : [])),
  ].join("; ");
}

function sentence(of: object, template: string): string {
  const filled = (part: string): string | undefined => {
    let isWhole = true;
    const text = part.replace(/\{([^}]+)\}/g, (_, path: string) => {
      const found = path.split(".").reduce<unknown>((value, name) => (value as Fields | undefined)?.[name], of);
      isWhole &&= found !== undefined;
      return textOf(path, found);
    });
    return isWhole ? text : undefined;
  };
  return filled(template.replace(/\[([^\]]*)\]/g, (_, part: string) => filled(part) ?? "")) ?? "";
}

type Fields = Readonly<Record<string, unknown>>;

function textOf(name: string, value: unknown): string {
  if (value instanceof Money) return `${value} ${value.asset}`;
  if (Array.isArray(value)) return value.map((one) => textOf(name, one)).join(", ");
  const kind = (value as Fields | undefined)?.kind;
  return kind === undefined ? String(value) : sentence(value as object, SENTENCES[`${name} ${kind}`] ?? ANY);
}
