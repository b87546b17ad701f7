// The read commands: one request to the venue each, shown as a table or as JSON. A request waits for its slot.

import { type Command, InvalidArgumentError } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import { openExchange } from "../../app/key/open-exchange.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import type { Terminal } from "../../app/terminal/terminal.ts";
import { type Asset, parseAsset } from "../../domain/asset.ts";
import { CommandFailure, plainFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import type { Money } from "../../domain/money/money.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import { type Exchange, type ListedAsset, type Reading, type SupplyChange, unreadText } from "../../exchange/port.ts";
import { parsed } from "../option/values.ts";
import type { AcknowledgeOptions } from "./acknowledge-rails.ts";

const HELP = `
One question to the venue of the configuration (venue.baseUrl), with its key. It
waits for its turn: all programs that use a key share one request a second.
Ends with 3 when the venue refuses, with 1 when it cannot be reached; then
pegbot doctor says why.`;
const QUIET_MS = 3_000;

type Deposit = { readonly asset: Asset; readonly blockchain: string };

/**
 * A request and the fields of its rows, by their JSON names, which in words are the table's titles. Fields that the
 * venue left out are undefined.
 */
type Report<T> = {
  readonly ask: (exchange: Exchange) => Promise<Reading<readonly T[]>>;
  readonly shown: (row: T) => Readonly<Record<string, unknown>>;
  /** Printed when there are no rows. */
  readonly none: string;
};

/** Right-aligned in the table. */
const AMOUNTS: ReadonlySet<string> = new Set([
  ...["minimum", "quantityDecimals", "priceDecimals", "bidSize", "bid", "ask", "askSize", "spreadBps"],
  ...["available", "pending", "quantity", "limit", "bought", "sold", "fee", "amount"],
]);

export function defineRead(command: Command, run: Run): void {
  command.addHelpText("after", HELP);
  const name = command.name();
  switch (name) {
    case "supply":
      command
        .argument("<asset>", "VCHF, for example", parsed(parseAsset))
        .action((asset: Asset) => run((shell) => read(shell, supply(asset))));
      break;
    case "rails":
      command
        .option("--acknowledge", "rails were frozen, and you have looked why: they may be used again")
        .option("--reason <text>", "why, for the journal")
        .option("--yes", "no typed confirmation")
        .action((options: AcknowledgeOptions & { readonly acknowledge?: boolean }) =>
          options.acknowledge ? acknowledge(run, options) : run((shell) => read(shell, reports.rails)),
        );
      break;
    case "addresses":
      command
        .option("--deposit <asset@chain>", "where to send an asset instead, for example VCHF@ETH", depositOf)
        .action(({ deposit }: { readonly deposit?: Deposit }) =>
          run((shell) =>
            deposit === undefined ? read(shell, reports.addresses) : read(shell, depositAddress(deposit)),
          ),
        );
      break;
    default:
      // The rows of the reports differ; their handling does not.
      command.action(() => run((shell) => read(shell, reports[name as keyof typeof reports] as Report<unknown>)));
  }
}

async function acknowledge(run: Run, options: AcknowledgeOptions): Promise<void> {
  const { recording } = await import("../by-person.ts");
  const { acknowledgeWith } = await import("./acknowledge-rails.ts");
  return recording(run, (tool, asked) => acknowledgeWith(tool, asked, options));
}

function depositOf(text: string): Deposit {
  const [, asset = "", blockchain = ""] = /^([A-Z0-9]{2,12})@([A-Z0-9]{2,12})$/.exec(text) ?? [];
  if (asset === "") throw new InvalidArgumentError(`must look like VCHF@ETH, was ${text.slice(0, 40)}`);
  return { asset: parsed(parseAsset)(asset), blockchain };
}

export async function read<T>(shell: Shell, report: Report<T>): Promise<ExitCode> {
  const { terminal } = shell;
  const connection = await openExchange(shell, botConfig(shell));
  const cancel = systemTimers.after(QUIET_MS, () =>
    terminal.note("waiting for a slot: all programs that use this key share one request a second"),
  );
  try {
    const reading = await report.ask(connection.exchange);
    if (reading.kind !== "read") throw refusal(reading);
    show(terminal, report, reading.value);
    for (const problem of reading.problems ?? [])
      terminal.note(`left out of the answer: ${printable(unreadText(problem), 800)}`);
    return exitCode.done;
  } finally {
    cancel();
    connection.close();
  }
}

function show<T>(terminal: Terminal, { shown, none }: Report<T>, answer: readonly T[]): void {
  const rows = answer.map((row) => Object.entries(shown(row)));
  const text = (value: unknown): string | undefined => (value === undefined ? undefined : String(value));
  const [first] = rows;
  if (terminal.wantsJson)
    terminal.json(rows.map((row) => Object.fromEntries(row.map(([name, value]) => [name, text(value) ?? null]))));
  else if (first === undefined) terminal.print(none);
  else
    terminal.table(
      first.map(([name]) => ({ title: inWords(name), align: AMOUNTS.has(name) ? "right" : "left" })),
      rows.map((row) => row.map(([, value]) => text(value) ?? "-")),
    );
}

/** Shows `clientOrderId` as `client order id`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function refusal(reading: Exclude<Reading<unknown>, { kind: "read" }>): CommandFailure {
  if (reading.kind === "dropped") return plainFailure(`not asked: ${reading.reason}`);
  const { code, status, message } = reading.failure;
  // A status of 4xx is the venue's answer to this request; anything else is a transport problem.
  const refused = status !== undefined && status >= 400 && status < 500 && code !== "rate-limited";
  const text = `${code}: ${message}`;
  return new CommandFailure(refused ? exitCode.refused : exitCode.failed, text, "pegbot doctor finds out why");
}

const other = { class: "other" } as const;

export const reports = {
  assets: report(
    (exchange) => exchange.assets(other),
    ({ asset, name, blockchains }) => ({ asset, name, blockchains: blockchains?.map(chainText).join(" ") }),
    "the venue lists no assets",
  ),
  pairs: report(
    (exchange) => exchange.pairs(other),
    ({ symbol, status, quantityMin: minimum, quantityDecimals, priceDecimals }) => ({
      ...{ symbol, status, minimum, quantityDecimals, priceDecimals },
    }),
    "the venue lists no trading pairs",
  ),
  quotes: report(
    (exchange) => exchange.quotes({ class: "quote" }),
    ({ symbol, bidSize, bid, ask, askSize }) => ({
      ...{ symbol, bidSize, bid, ask, askSize },
      spreadBps: (((ask - bid) / ((ask + bid) / 2)) * 10_000).toFixed(2),
    }),
    "the venue quotes nothing now",
  ),
  balances: report(
    (exchange) => exchange.balances({ class: "balance" }),
    ({ asset, available, pending }) => ({ asset, available, pending }),
    "the account holds nothing",
  ),
  orders: report(
    (exchange) => exchange.orders(other),
    ({ at, symbol, side, quantity, limit, status, orderId, clientOrderId }) => ({
      ...{ at: timeText(at), symbol, side, quantity, limit, status, orderId, clientOrderId },
    }),
    "no orders",
  ),
  trades: report(
    (exchange) => exchange.trades(other),
    ({ at, symbol, side, bought, sold, fee, status, tradeId, clientOrderId }) => ({
      ...{ at: timeText(at), symbol, side, bought: moneyText(bought), sold: moneyText(sold), fee: moneyText(fee) },
      ...{ status, tradeId, clientOrderId },
    }),
    "no trades",
  ),
  payments: report(
    (exchange) => exchange.payments({ class: "treasury" }),
    ({ at, railId, paymentId, amount, status }) => ({
      ...{ at: timeText(at), railId, paymentId, amount: amount && moneyText(amount), status },
    }),
    "no payments",
  ),
  rails: report(
    (exchange) => exchange.rails({ class: "treasury" }),
    ({ railId, status, reason }) => ({ railId, status, reason }),
    "no payment rails",
  ),
  addresses: report(
    (exchange) => exchange.withdrawAddresses(other),
    ({ asset, blockchain, label, status, address }) => ({ asset, blockchain, label, status, address }),
    "no whitelisted addresses: they are added in the portal",
  ),
} as const;

export function supply(asset: Asset): Report<SupplyChange> {
  return report(
    (exchange) => exchange.supplyChanges(asset, { class: "treasury" }),
    ({ at, asset: own, blockchain, quantity, status, reason, requestId, transactionId }) => ({
      ...{ at: timeText(at), asset: own, blockchain, quantity, status, reason, requestId, transactionId },
    }),
    `no supply changes of ${asset}`,
  );
}

export function depositAddress({ asset, blockchain }: Deposit): Report<string> {
  return report(
    async (exchange) => {
      const reading = await exchange.depositAddress(asset, blockchain, other);
      return reading.kind === "read" ? { ...reading, value: [reading.value] } : reading;
    },
    (address) => ({ asset, blockchain, address }),
    "the venue gave no deposit address",
  );
}

function report<T>(ask: Report<T>["ask"], shown: Report<T>["shown"], none: string): Report<T> {
  return { ask, shown, none };
}

/** Inactive chains are shown in parentheses. */
function chainText({ blockchain, active }: NonNullable<ListedAsset["blockchains"]>[number]): string {
  return active ? blockchain : `(${blockchain})`;
}

function moneyText(money: Money): string {
  return `${money} ${money.asset}`;
}

function timeText(at: Millis | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}
