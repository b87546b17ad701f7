// The first command on a key that moves money opens its books, exactly as the first start of a bot does: on an
// untouched account with the venue's balances, and never on an account with a history that no journal has.

import { IDLE } from "../../bot/strategy-host/strategy-state.ts";
import type { Asset } from "../../domain/asset.ts";
import { CommandFailure, orFail, refusedFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { compareWithVenue, comparisonAsks, judgeStart } from "../../execution/adjustment.ts";
import type { Answer } from "../../execution/effects.ts";
import { personHere } from "../../operation/person.ts";
import type { Tuning } from "../key/join-budget.ts";
import type { Connection } from "../key/open-exchange.ts";
import type { Shell } from "../shell.ts";
import { type MoneyCommand, withMoneyCommand } from "./money-command.ts";

export function withOpenBooks(
  shell: Shell,
  use: (tool: MoneyCommand, connection: Connection) => Promise<ExitCode>,
  tuning: Tuning = {},
): Promise<ExitCode> {
  return withMoneyCommand(shell, { strategy: IDLE, books: "own", tuning }, async (tool, connection) => {
    if (!tool.tradingCore.executor.isOpened) await openFirst(shell, tool);
    try {
      return await codeOfTold(shell, tool, await use(tool, connection));
    } catch (error) {
      throw tool.dispatch.hasSent ? afterSending(error) : error;
    }
  });
}

// A sent request stays sent, even if it can no longer be followed or its result cannot be printed: a plain failure would
// mean that nothing moved.

const SENT = "it was sent, and is not to be sent again: pegbot status shows what became of it";

function afterSending(error: unknown): unknown {
  if (!(error instanceof CommandFailure) || error.code !== exitCode.failed) return error;
  return new CommandFailure(
    exitCode.unknown,
    error.message,
    error.next === undefined ? SENT : `${SENT}; ${error.next}`,
  );
}

async function codeOfTold({ terminal }: Shell, { dispatch }: MoneyCommand, code: ExitCode): Promise<ExitCode> {
  if (code !== exitCode.done || !dispatch.hasSent || (await terminal.lostResult()) === undefined) return code;
  terminal.note(SENT);
  return exitCode.unknown;
}

async function openFirst({ terminal }: Shell, tool: MoneyCommand): Promise<void> {
  const { executor, engine } = tool.tradingCore;
  terminal.note("the journal is new: the venue's histories and balances are read first");
  const answers = await seeAccount(tool);
  await tool.take({ kind: "news" });
  if (executor.isOpened) return terminal.note("the books were opened by another process");
  const comparison = orFail(compareWithVenue(executor, answers, engine.books.accounts, tool.now()));
  const start = judgeStart(executor, comparison, tool.now(), personHere());
  if (start.kind === "refused") throw refusedFailure(`${start.reason}; nothing was sent`, start.wayOut);
  if (start.kind !== "first") return;
  const turn = await tool.take({ kind: "adoption", adoption: start.plan.record, isOpening: true });
  for (const note of turn.notes.length > 0 ? turn.notes : [start.note]) terminal.note(note);
}

// The account at the venue now: every history, and the balances last, so that they include everything the histories
// show.

/** `seePrices` runs before a payment on our rail is booked by its value; unopened books have no rails. */
export async function seeAccount(tool: MoneyCommand, seePrices?: () => Promise<void>): Promise<readonly Answer[]> {
  const instruments = await tool.read("pairs", tool.exchange.pairs({ class: "other" }));
  const mintable = new Set<Asset>();
  for (const { base, quote } of instruments) if (base === `V${quote}`) mintable.add(base);
  const answers: Answer[] = [];
  for (const question of comparisonAsks([...mintable], tool.tradingCore.executor.treasury.hasRails)) {
    // Takes other processes' records so far into the books; later ones end the command.
    await tool.take({ kind: "news" });
    const answer = await tool.ask(question);
    // Payments are booked as payments: adopted as a difference, they would be booked again when the bot sees them.
    if (answer.witness === "payments") {
      if (answer.rows.length > 0) await seePrices?.();
      await tool.take({ kind: "answer", answer });
    }
    answers.push(answer);
  }
  return answers;
}
