// Commands that move money ask the owner of the key: preview, a person's word, execution under an id.

import { randomBytes } from "node:crypto";
import { codePage } from "../app/code-page.ts";
import { ownerConfig } from "../app/config/bot-config.ts";
import { type Ask, Detached, Lost } from "../app/owner/client.ts";
import { type LastLine, type Line, type ShownPreview, uuid7Of } from "../app/owner/protocol.ts";
import { withOwner } from "../app/owner/with-owner.ts";
import { problemOf, type Run, type Shell } from "../app/shell.ts";
import { confirmAgreement, requireReason } from "../app/terminal/confirmation.ts";
import { type Prompts, terminalPrompts } from "../app/terminal/prompts.ts";
import type { Terminal } from "../app/terminal/terminal.ts";
import { CommandFailure, plainFailure } from "../domain/command-failure.ts";
import { errorMessage } from "../domain/error-message.ts";
import { type ExitCode, exitCode } from "../domain/exit-code.ts";
import { printable } from "../domain/sanitise.ts";
import type { Ended } from "../operation/money.ts";
import { personHere } from "../operation/person.ts";
import { MONEY_OPERATIONS } from "../operation/table.ts";

export type AskOptions = {
  readonly yes?: boolean | undefined;
  /** Shows what would be sent, and sends nothing. */
  readonly preview?: boolean;
  readonly id?: string;
};

type Wanted = {
  readonly name: string;
  readonly input: object;
  /** What the command line confirms already. */
  readonly flags?: readonly string[];
  /** A reason is asked for where none was given. */
  readonly needsReason?: true;
  /** Prints what the preview shows, in place of what is sent. */
  readonly show?: (terminal: Terminal, shown: unknown) => void;
};

export function asking(run: Run, wanted: Wanted, options: AskOptions): ReturnType<Run> {
  return run((shell) => {
    const stop = shell.stopSignal();
    const isHeld = MONEY_OPERATIONS.find(({ name }) => name === wanted.name)?.begins === "restored";
    const which = wanted.name === "adopt" ? "any" : undefined;
    const order = { config: ownerConfig(shell), isHeld, which } as const;
    return withOwner(shell, order, stop, (ask) => asked(shell, ask, wanted, options));
  });
}

export async function asked(
  shell: Shell,
  ask: Ask,
  wanted: Wanted,
  options: AskOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const { terminal, clock } = shell;
  const { name, flags = [], show } = wanted;
  const { reason } = wanted.input as { readonly reason?: string };
  const input =
    wanted.needsReason === true
      ? { ...wanted.input, reason: await requireReason(shell, prompts, reason) }
      : wanted.input;
  const id = options.id ?? uuid7Of(clock.now(), randomBytes(10));
  const request = { by: personHere(), input: JSON.parse(JSON.stringify(input)) };
  const hear = hearing(shell);
  // A known id is followed already in this step.
  const first = await ask(name, { ...request, id: options.id, step: "preview" }, hear).catch((error) =>
    options.id === undefined ? nothingSent(error) : following(error, id, true),
  );
  if (first.kind === "failed") throw failureOf(first);
  if (first.kind === "answer") return told(shell, first.value as Ended);
  const { preview } = first;
  const isNothing = Object.keys(preview.sent).length === 0;
  if (options.preview === true || isNothing) return shown(shell, wanted, preview);
  show?.(terminal, preview.shown);
  try {
    await confirmAgreement(shell, prompts, preview, { yes: options.yes, flags });
  } catch (error) {
    // One value: what was shown, and why nothing came of it.
    if (terminal.wantsJson && preview.shown !== undefined) terminal.json({ ...preview.shown, ...problemOf(error) });
    throw error;
  }
  terminal.note(`id       ${id}: the same command with --id and this id shows the outcome and sends nothing`);
  const { shown: _, ...accepted } = preview;
  const last = await ask(name, { ...request, id, step: "execute", accepted }, hear).catch((error) =>
    following(error, id, options.id !== undefined),
  );
  if (last.kind === "answer") return told(shell, last.value as Ended);
  if (last.kind === "failed" && last.preview !== undefined) shown(shell, wanted, last.preview);
  throw last.kind === "failed" ? failureOf(last) : following(new Error("it answered with a preview"), id, true);
}

function hearing({ terminal }: Shell): (line: Line) => void {
  let last: string | undefined;
  return (line) => {
    if (line.kind === "progress") terminal.note(line.text);
    else if (line.kind === "starting" && line.text !== last) terminal.note(`the owner of the key starts: ${line.text}`);
    last = line.kind === "starting" ? line.text : last;
  };
}

function nothingSent(error: unknown): never {
  if (error instanceof Detached || error instanceof Lost)
    throw error instanceof Detached
      ? plainFailure("stopped, nothing was sent")
      : plainFailure(`${error.message}; nothing was sent`, error.next);
  throw error;
}

/** `isNamed`: an earlier command may have sent it, so that a failure before the owner looked says nothing about it. */
function following(error: unknown, id: string, isNamed: boolean): never {
  const isSure = error instanceof CommandFailure && (!isNamed || error.code === exitCode.usage);
  if (isSure && !(error instanceof Lost)) throw error;
  const why = error instanceof Detached ? "left alone" : errorMessage(error);
  const again = `the same command with --id ${id} shows the outcome`;
  const next = error instanceof Lost && error.next !== undefined ? `${again}; ${error.next}` : again;
  throw new CommandFailure(exitCode.unknown, `${why}; it may have been sent, and is not sent again`, next);
}

function failureOf({ exit, error, next }: Extract<LastLine, { kind: "failed" }>): CommandFailure {
  return new CommandFailure(exit as ExitCode, error, next);
}

async function told({ terminal }: Shell, { exit, id, outcome, text, json }: Ended): Promise<ExitCode> {
  const page = exit === exitCode.done ? undefined : codePage(text);
  if (terminal.wantsJson) terminal.json(json ?? { id, outcome, text, ...(page && { page }) });
  else terminal.print(`${outcome}  ${id}  ${text}${page === undefined ? "" : `\nmore: ${page}`}`);
  if (exit !== exitCode.done || (await terminal.lostResult()) === undefined) return exit;
  terminal.note("it was sent, and is not to be sent again: pegbot status shows what became of it");
  return exitCode.unknown;
}

function shown({ terminal }: Shell, { name: operation, show }: Wanted, preview: ShownPreview): ExitCode {
  const { sent, worst, digest, until, caveats } = preview;
  if (terminal.wantsJson) terminal.json(preview.shown ?? { operation, sent, worst, digest, until, caveats });
  else if (show !== undefined) show(terminal, preview.shown);
  else {
    for (const [name, value] of Object.entries(sent))
      if (value !== "") terminal.print(`${name.padEnd(12)} ${printable(value, 140)}`);
    for (const amount of worst) terminal.print(`at most      ${amount}`);
    for (const { text, flag } of caveats) terminal.print(`but          ${text} (${flag})`);
    terminal.print(`digest       ${digest}, until ${new Date(until).toISOString()}`);
  }
  return exitCode.done;
}
