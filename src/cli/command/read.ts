// The reads: one question to the venue each, as a table or as JSON.

import { type Command, InvalidArgumentError } from "commander";
import type { AcknowledgeOptions } from "../action/acknowledge-rails.ts";
import type { PlainRead, ReadOptions } from "../action/read.ts";
import { group } from "../command-group.ts";
import type { Run } from "../shell.ts";

const reads: readonly (readonly [PlainRead, string])[] = [
  ["assets", "assets that the venue lists"],
  ["pairs", "pairs that can be traded, with minimum and decimals"],
  ["quotes", "prices of the venue, where it publishes them"],
  ["balances", "what the account holds"],
  ["orders", "orders of the account, whoever placed them"],
  ["trades", "trades of the account: what was bought, sold and paid in fees"],
  ["payments", "payments of rails and their settlement"],
];

const HELP = `
One question to the venue of the configuration (venue.baseUrl), with its key. It
waits for its turn: all programs that use a key share one request a second.
Ends with 3 when the venue refuses, with 1 when it cannot be reached; then
pegbot doctor says why.`;

type AddressOptions = ReadOptions & { readonly deposit?: { readonly asset: string; readonly chain: string } };

export function registerReads(program: Command, run: Run): void {
  const command = (name: string, about: string): Command =>
    program
      .command(name)
      .helpGroup(group.venue)
      .description(about)
      .option("--json", "print the rows as JSON: amounts as text, null where the venue says nothing")
      .addHelpText("after", HELP);
  for (const [name, about] of reads)
    command(name, about).action((options: ReadOptions) =>
      run(async (shell) => (await import("../action/read.ts")).read(shell, name, options)),
    );
  command("supply", "mints of an asset and their states")
    .argument("<asset>", "VCHF, for example")
    .action((asset: string, options: ReadOptions) =>
      run(async (shell) => (await import("../action/read.ts")).readSupply(shell, asset, options)),
    );
  command("rails", "payment rails and their states")
    .option("--acknowledge", "rails were frozen, and you have looked why: they may be used again")
    .option("--reason <text>", "why, for the journal")
    .option("--yes", "no typed confirmation")
    .action((options: ReadOptions & AcknowledgeOptions & { readonly acknowledge?: boolean }) =>
      run(async (shell) =>
        options.acknowledge === true
          ? (await import("../action/acknowledge-rails.ts")).acknowledgeRails(shell, options)
          : (await import("../action/read.ts")).read(shell, "rails", options),
      ),
    );
  command("addresses", "whitelisted withdrawal addresses, or the address for deposits")
    .option("--deposit <asset@chain>", "where to send an asset instead, for example VCHF@ETH", depositOf)
    .action((options: AddressOptions) =>
      run(async (shell) => {
        const action = await import("../action/read.ts");
        const { deposit } = options;
        return deposit === undefined
          ? action.read(shell, "addresses", options)
          : action.readDepositAddress(shell, deposit, options);
      }),
    );
}

function depositOf(text: string): { asset: string; chain: string } {
  const match = /^([A-Z0-9]{2,12})@([A-Z0-9]{2,12})$/.exec(text);
  if (match?.[1] === undefined || match[2] === undefined)
    throw new InvalidArgumentError(`must look like VCHF@ETH, was ${text.slice(0, 40)}`);
  return { asset: match[1], chain: match[2] };
}
