// Asks the venue one question and shows the answer, as a table or as JSON. The question waits for its slot like every
// other one; when that takes long, the reader is told who has the budget.

import { printable } from "../../domain/outside-text.ts";
import type { Reading } from "../../exchange/port.ts";
import { CommandFailure } from "../command-failure.ts";
import { botConfig } from "../config/bot-config.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { openExchange } from "../key/open-exchange.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { addresses } from "./read/addresses.ts";
import { assets } from "./read/assets.ts";
import { balances } from "./read/balances.ts";
import { depositAddress } from "./read/deposit-address.ts";
import { orders } from "./read/orders.ts";
import { pairs } from "./read/pairs.ts";
import { payments } from "./read/payments.ts";
import { quotes } from "./read/quotes.ts";
import { rails } from "./read/rails.ts";
import type { Report } from "./read/report.ts";
import { supply } from "./read/supply.ts";
import { trades } from "./read/trades.ts";

export type ReadOptions = { readonly json?: boolean };

const QUIET_MS = 3_000;

const plain = { assets, pairs, quotes, balances, orders, trades, rails, payments, addresses } as const;
export type PlainRead = keyof typeof plain;

export function read(shell: Shell, name: PlainRead, options: ReadOptions): Promise<ExitCode> {
  // The rows of each report differ; what happens to them does not.
  return runReport(shell, plain[name] as Report<unknown>, options);
}

export function readSupply(shell: Shell, asset: string, options: ReadOptions): Promise<ExitCode> {
  return runReport(shell, supply(asset), options);
}

export function readDepositAddress(
  shell: Shell,
  { asset, chain }: { asset: string; chain: string },
  options: ReadOptions,
): Promise<ExitCode> {
  return runReport(shell, depositAddress(asset, chain), options);
}

async function runReport<T>(shell: Shell, report: Report<T>, options: ReadOptions): Promise<ExitCode> {
  const { terminal } = shell;
  const connection = await openExchange(shell, botConfig(shell));
  const cancel = systemTimers.after(QUIET_MS, () =>
    terminal.note("waiting for a slot: all programs that use this key share one request a second"),
  );
  try {
    const reading = await report.ask(connection.exchange);
    if (reading.kind !== "read") throw refusal(reading);
    show(terminal, report, reading.value, options.json === true);
    for (const problem of reading.problems ?? []) terminal.note(`left out of the answer: ${printable(problem)}`);
    return exitCode.done;
  } finally {
    cancel();
    connection.close();
  }
}

function show<T>(terminal: Terminal, { fields, none }: Report<T>, rows: readonly T[], json: boolean): void {
  if (json) {
    terminal.json(rows.map((row) => Object.fromEntries(fields.map((f) => [f.name, f.value(row) ?? null]))));
  } else if (rows.length === 0) {
    terminal.print(none);
  } else {
    const columns = fields.map(({ name, align }) => ({ title: inWords(name), align: align ?? ("left" as const) }));
    terminal.table(
      columns,
      rows.map((row) => fields.map((field) => field.value(row) ?? "-")),
    );
  }
}

/** `clientOrderId` is `client order id` for people. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function refusal(reading: Exclude<Reading<unknown>, { kind: "read" }>): CommandFailure {
  if (reading.kind === "dropped") return new CommandFailure(exitCode.failed, `not asked: ${reading.reason}`);
  const { code, status, message } = reading.failure;
  // A status below 500 is the venue's own word about this question; everything else is trouble on the way.
  const refused = status !== undefined && status >= 400 && status < 500 && code !== "rate-limited";
  const text = `${code}: ${message}`;
  return new CommandFailure(refused ? exitCode.refused : exitCode.failed, text, NEXT[code]);
}

const NEXT: Readonly<Record<string, string>> = {
  unauthorized: "pegbot doctor finds out whether the key, the signature or the clock is to blame",
  "no-venue-time": "pegbot doctor looks at the connection",
  connect: "is the venue running? pegbot doctor looks at the connection",
  "rate-limited": "another program may use this key on another machine; try again in a few seconds",
};
