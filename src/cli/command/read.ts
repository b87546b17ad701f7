// The read commands: one request to the venue each, shown as a table or as JSON. A request waits for its slot.

import { type Command, InvalidArgumentError } from "commander";
import { botConfig } from "../../app/config/bot-config.ts";
import { decided } from "../../app/owner/ask-owner.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { systemTimers } from "../../app/system/system-timers.ts";
import { parseAsset } from "../../domain/asset.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { read as operation, type ReadInput, type ReadRows, rowsOf } from "../../operation/read.ts";
import { parsed } from "../option/values.ts";

const HELP = `
One question to the venue of the configuration (venue.baseUrl), with its key: by
the bot where one runs. It waits for its turn, as everything that uses a key
shares one request a second. Ends with 3 when the venue refuses, with 1 when it
cannot be reached; then pegbot doctor says why.`;
const QUIET_MS = 3_000;
/** What a shadow answers from its local book. */
const OF_ACCOUNT: ReadonlySet<string> = new Set(["balances", "orders", "trades", "rails", "payments", "supply"]);

const NONE: Readonly<Partial<Record<ReadInput["list"], string>>> = {
  addresses: "no whitelisted addresses: they are added in the portal",
  supply: "no supply changes",
  deposit: "the venue gave no deposit address",
};

export function defineRead(command: Command, run: Run): void {
  command.addHelpText("after", HELP);
  const name = command.name();
  switch (name) {
    case "supply":
      command
        .argument("<asset>", "VCHF, for example", parsed(parseAsset))
        .action((asset: string) => run((shell) => read(shell, { list: "supply", asset })));
      break;
    case "rails":
      command
        .option("--acknowledge", "rails were frozen, and you have looked why: they may be used again")
        .option("--reason <text>", "why, for the journal")
        .option("--yes", "no typed confirmation")
        .action((options: AcknowledgeOptions & { readonly acknowledge?: boolean }) =>
          options.acknowledge ? acknowledge(run, options) : run((shell) => read(shell, { list: "rails" })),
        );
      break;
    case "addresses":
      command
        .option("--deposit <asset@chain>", "where to send an asset instead, for example VCHF@ETH", depositOf)
        .action(({ deposit }: { readonly deposit?: ReadInput }) =>
          run((shell) => read(shell, deposit ?? { list: "addresses" })),
        );
      break;
    default:
      command.action(() => run((shell) => read(shell, { list: name } as ReadInput)));
  }
}

type AcknowledgeOptions = { readonly reason?: string; readonly yes?: boolean };

async function acknowledge(run: Run, { reason, yes }: AcknowledgeOptions): Promise<void> {
  const { asking } = await import("../asking.ts");
  return asking(run, { name: "acknowledge", input: { reason }, needsReason: true }, { yes });
}

function depositOf(text: string): ReadInput {
  const [, asset = "", blockchain = ""] = /^([A-Z0-9]{2,12})@([A-Z0-9]{2,12})$/.exec(text) ?? [];
  if (asset === "") throw new InvalidArgumentError(`must look like VCHF@ETH, was ${text.slice(0, 40)}`);
  return { list: "deposit", asset: parsed(parseAsset)(asset), blockchain };
}

export async function read(shell: Shell, wanted: ReadInput): Promise<ExitCode> {
  const { terminal } = shell;
  const cancel = systemTimers.after(QUIET_MS, () =>
    terminal.note("waiting for a slot: a key has one request a second"),
  );
  try {
    const { rows, problems } = await asked(shell, wanted);
    show(shell, rows, NONE[wanted.list] ?? `no ${wanted.list}`);
    for (const problem of problems) terminal.note(`left out of the answer: ${problem}`);
    return exitCode.done;
  } finally {
    cancel();
  }
}

/** By the owner of the key; without one this process is it for one request, with key and client and without a journal. */
async function asked(shell: Shell, wanted: ReadInput): Promise<ReadRows> {
  let whose = "of the shadow: its account is the local book";
  const answer = await decided<ReadRows>(shell, operation, wanted, async () => {
    whose = "of the account at the venue: no shadow runs";
    const { openExchange } = await import("../../app/key/open-exchange.ts");
    const connection = await openExchange(shell, botConfig(shell), { patienceMs: 0 });
    return {
      ask: async () => ({ kind: "answer", value: await rowsOf(connection.exchange, wanted) }),
      close: async () => connection.close(),
    };
  });
  if (botConfig(shell).mode === "shadow" && OF_ACCOUNT.has(wanted.list)) shell.terminal.note(whose);
  return answer;
}

function show({ terminal }: Shell, rows: ReadRows["rows"], none: string): void {
  const [first] = rows;
  if (terminal.wantsJson) terminal.json(rows);
  else if (first === undefined) terminal.print(none);
  else
    terminal.table(
      Object.keys(first).map((name) => ({ title: inWords(name), align: isOfAmounts(rows, name) ? "right" : "left" })),
      rows.map((row) => Object.values(row).map((value) => value ?? "-")),
    );
}

function isOfAmounts(rows: ReadRows["rows"], name: string): boolean {
  return rows.every((row) => /^-?[0-9]+(\.[0-9]+)?( [A-Z]+)?$|^$/.test(row[name] ?? ""));
}

/** Shows `clientOrderId` as `client order id`. */
function inWords(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
