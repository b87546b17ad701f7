// `mint ASSET --chain C --quantity Q`: mints coins for a person, through the owner of the key.

import type { Command } from "commander";
import type { MoneyCommand } from "../../app/money-command/money-command.ts";
import { asOwnTrader, carriedOut } from "../../app/money-command/own-trader.ts";
import { sayOutcome } from "../../app/money-command/send.ts";
import type { Run } from "../../app/shell.ts";
import type { Person } from "../../app/terminal/confirmation.ts";
import type { ExitCode } from "../../domain/exit-code.ts";
import { draftMint, type MintDraft, type MintInput, mint, showMint } from "../../operation/mint.ts";
import { personHere } from "../../operation/person.ts";
import { mintTermsOf } from "../../operation/terms/movement-terms.ts";
import { mintStep } from "../../treasury/approval/plan-content.ts";
import { mintCost } from "../../treasury/mint.ts";
import { type AskOptions, asking } from "../asking.ts";
import { sending } from "../by-person.ts";
import { declareMovement, type MovementOptions, propose, requireWanted, sentText, type Wish } from "../movement.ts";

const HELP = `
Pays from the coin's own fiat, at once; the coins settle hours later. With
--spend "1.7 BTC" it pays in crypto that the venue converts first, never more
than that, fee included. The last decimals of the quantity are made
recognisable: at most a 100,000th less.
It is sent once. One mint of a coin at a time; a running bot follows it.
With --propose nothing is sent: where two people must approve, it waits as a
plan for pegbot approve of another, and the running bot carries it out.
Ends with 0 accepted (with --wait: settled; with --propose: it waits), 1 not
sent though nobody refused it (nothing moved: try again), 3 refused by a rule or
by the venue, 4 unknown or held (money may have moved), 5 halted or killed.`;

export function defineMint(command: Command, run: Run): void {
  command
    .argument("<asset>", "VCHF, for example")
    .requiredOption("--chain <code>", "chain, ETH for example")
    .requiredOption("--quantity <qty>", "units of the coin, a decimal")
    .option("--to <name>", "a wallet of treasury.destinations; own balance unless set")
    .option("--spend <amount>", 'pay with another asset, at most so much: "1.7 BTC"')
    .option("--exact", "send the quantity as it stands; it is then harder to recognise")
    .action((asset: string, options: MintOptions & AskOptions) =>
      options.propose === true
        ? sending(run, (tool, person) => mintWith(tool, person, asset, options))
        : asking(run, { name: "mint", input: inputOf(asset, options) }, options),
    );
  declareMovement(command, HELP);
}

export type MintOptions = MovementOptions & {
  readonly chain: string;
  readonly quantity: string;
  readonly to?: string;
  readonly exact?: boolean;
  readonly spend?: string;
  /** As approved with a plan; absent: that of the configuration. */
  readonly feeBpsMax?: number;
};

function inputOf(asset: string, { chain, quantity, to, exact, spend, wait, reason }: MintOptions): MintInput {
  return { asset, chain, quantity, to, exact, spend, wait, reason };
}

export async function mintWith(
  tool: MoneyCommand,
  person: Person,
  asset: string,
  options: MintOptions,
): Promise<ExitCode> {
  requireWanted(tool, options);
  const input = { ...inputOf(asset, options), isOfPlan: options.isOfPlan, feeBpsMax: options.feeBpsMax };
  if (options.propose === true) {
    const { note } = person.shell.terminal;
    const draft = await asOwnTrader(tool, person.stop, (trader) => draftMint(trader, input));
    const wish = wishOf(tool, draft, options);
    // The last decimals are chosen when the mint is sent.
    showMint({ tell: note }, { ...draft, quantity: draft.asked, feeMax: wish.cost }, options);
    note(`${sentText(options)}: what becomes of it is looked for at the venue`);
    return propose(tool, person, wish, options);
  }
  const { exit, id, outcome, text } = await carriedOut(
    tool,
    person,
    (trader, asked) => mint.act(trader, input, asked),
    { yes: options.yes, flags: [] },
    personHere(),
  );
  sayOutcome(person.shell, outcome, id, text);
  return exit;
}

/** The approved quantity is the maximum; its last decimals are made unique when it is sent. */
function wishOf({ config }: MoneyCommand, draft: MintDraft, { exact }: MintOptions): Wish {
  const { asset, blockchain: chain, asked, quantity, spentMax, feeMax, wallet, spend } = draft;
  const to = wallet?.address;
  const { feeBpsMax } = mintTermsOf(config);
  const wished = { asset, fiat: spentMax.asset, chain, quantity: asked, feeBpsMax, to, isExact: exact === true, spend };
  const content = { asset, blockchain: chain, quantity, destination: to, spentMax, feeMax, known: [] };
  return {
    step: mintStep(wished),
    content: { kind: "mint", mint: content },
    cost: spend === undefined ? mintCost(asked, spentMax.asset, feeBpsMax).feeMax : feeMax,
  };
}
