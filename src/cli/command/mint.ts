// `mint ASSET --chain C --quantity Q`: mints coins for a person, through the same gate, journal and protocol as an
// order. All known conditions are checked before anything is sent, and a person confirms the exact content.

import { randomInt } from "node:crypto";
import type { Command } from "commander";
import { orFail } from "../../app/command-failure.ts";
import { mintTermsOf } from "../../app/config/movement-terms.ts";
import { type ExitCode, exitCode } from "../../app/exit-code.ts";
import { heldRest, type Rest } from "../../app/money-command/follow.ts";
import { hearReferences, inquireInto } from "../../app/money-command/market.ts";
import { type MoneyCommand, requireActive } from "../../app/money-command/money-command.ts";
import { orRefuse, refuseIf, whitelist } from "../../app/money-command/send.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { type Person, requireConfirmation } from "../../app/terminal/confirmation.ts";
import { type Asset, parseAsset } from "../../domain/asset.ts";
import type { MintIntent, MintRecord } from "../../domain/mint.ts";
import { type Money, Quantity } from "../../domain/money/money.ts";
import { createRandom } from "../../domain/random.ts";
import { printable } from "../../domain/sanitise.ts";
import { isHeld } from "../../domain/settlement-status.ts";
import { millis } from "../../domain/time.ts";
import { whyNoDestination } from "../../exchange/endpoint/mint-tokens.ts";
import type { SupplyChange } from "../../exchange/port.ts";
import { resolveProfile } from "../../exchange/profile.ts";
import { idOfChange } from "../../execution/evidence.ts";
import type { AnyReceipt, State } from "../../execution/request.ts";
import { mintStep } from "../../treasury/approval/plan-content.ts";
import { checkMint, type MintCost, mintCost, saltedQuantity, whyNotIssued } from "../../treasury/mint.ts";
import { ownDestination, type Wallet, whyNotWhitelisted } from "../../treasury/rail.ts";
import { sending } from "../by-person.ts";
import {
  declareMovement,
  type MovementOptions,
  propose,
  requireWanted,
  send,
  sentText,
  type Wish,
} from "../movement.ts";
import { amountOf } from "./resolve.ts";

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
    .action((asset: string, options: MintOptions) =>
      sending(run, (tool, person) => mintWith(tool, person, asset, options)),
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

export async function mintWith(
  tool: MoneyCommand,
  person: Person,
  assetName: string,
  options: MintOptions,
): Promise<ExitCode> {
  const asset = orFail(parseAsset(assetName));
  const quantity = orFail(Quantity.parse(options.quantity, "positive"), "--quantity");
  const { shell, prompts } = person;
  requireWanted(tool, options);
  const draft = await check(tool, { ...options, asset, quantity });
  if (options.propose === true) {
    const wish = wishOf(tool, draft, options);
    // The last decimals are chosen when the mint is sent.
    show(shell, { ...draft, quantity: draft.asked, feeMax: wish.cost }, options);
    return propose(tool, person, wish, options);
  }
  show(shell, draft, options);
  await requireConfirmation(shell, prompts, { word: "mint", yes: options.yes });
  const mint = await intentOf(tool, draft);
  return send(tool, person, { kind: "mint", mint }, options, { accepted: receiptText, restOf });
}

/** The mint to send after confirmation. */
type Draft = MintCost & {
  readonly asset: Asset;
  readonly blockchain: string;
  readonly asked: Quantity;
  readonly quantity: Quantity;
  readonly wallet: Wallet | undefined;
  readonly spend: Money | undefined;
};

type Wanted = { readonly asset: Asset; readonly quantity: Quantity } & Pick<
  MintOptions,
  "chain" | "to" | "exact" | "feeBpsMax" | "spend"
>;

async function check(tool: MoneyCommand, wanted: Wanted): Promise<Draft> {
  const { asset, quantity, chain, to, exact, feeBpsMax } = wanted;
  const spend = wanted.spend === undefined ? undefined : amountOf("--spend", wanted.spend);
  const { config, exchange } = tool;
  const want = { class: "balance" } as const;
  refuseIf(whyNoDestination(to, resolveProfile(config.venue.profile)));
  const wallet = to === undefined ? undefined : orRefuse(ownDestination(to, "wallet", config.treasury.destinations));
  if (wallet !== undefined && wallet.chain !== chain)
    refuseIf(`wallet ${to} is on ${wallet.chain}, the mint is for ${printable(chain, 20)}`);
  const assets = await tool.read("assets", exchange.assets(want));
  refuseIf(whyNotIssued(asset, chain, assets));
  if (wallet !== undefined) refuseIf(whyNotWhitelisted(wallet, asset, await whitelist(tool)));
  const references = hearReferences(tool);
  const quotes = await exchange.quotes(want);
  const rows = await changesOf(tool, asset);
  const balances = await inquireInto(tool, { witness: "balances", asset: undefined, class: "balance" });
  requireActive(tool);
  const salted = exact === true ? quantity : orRefuse(salt(tool, asset, quantity, rows));
  const cost = checkMint(
    { asset, blockchain: chain, quantity: salted, asked: quantity, spend },
    {
      assets,
      balances: balances.witness === "balances" ? balances.rows : [],
      quotes: [...(quotes.kind === "read" ? quotes.value : []), ...references.newest()],
    },
    { ...mintTermsOf(config), ...(feeBpsMax !== undefined && { feeBpsMax }) },
  );
  references.close();
  return { ...orRefuse(cost), asset, blockchain: chain, asked: quantity, quantity: salted, wallet, spend };
}

/** Takes the list of supply changes into the books: unattributed rows halt here. */
async function changesOf(tool: MoneyCommand, asset: Asset): Promise<readonly SupplyChange[]> {
  const answer = await inquireInto(tool, { witness: "supply-changes", asset, class: "balance" });
  requireActive(tool);
  return answer.witness === "supply-changes" ? answer.rows : [];
}

function salt({ config, tradingCore }: MoneyCommand, asset: Asset, quantity: Quantity, rows: readonly SupplyChange[]) {
  const listed = rows.flatMap((row) => (row.quantity === undefined ? [] : [row.quantity]));
  const own = tradingCore.executor.treasury
    .mintsSince(millis(0))
    .flatMap((one) => (one.asset === asset ? [one.quantity] : []));
  const random = createRandom(randomInt(2 ** 47));
  return saltedQuantity(quantity, [...listed, ...own], { decimals: config.treasury.mint.saltDecimals, random });
}

function show({ terminal }: Shell, draft: Draft, { exact, propose: isProposed }: MintOptions): void {
  const { asset, blockchain, asked, quantity, spentMax, feeMax, wallet, spend } = draft;
  const where = wallet === undefined ? "your balance at the venue" : `${wallet.address} on ${wallet.chain}`;
  const fees = `at most ${feeMax} ${feeMax.asset} of fees`;
  const paid = `at most ${spentMax} ${spentMax.asset}, converted by the venue, ${fees} among them`;
  const cost = `${spend === undefined ? `${quantity} ${spentMax.asset} and ${fees}` : paid}, from the balance, at once`;
  terminal.note(`mint     ${quantity} ${asset} on ${blockchain}${exact === true ? ", exactly" : ""}`);
  if (!quantity.equals(asked))
    terminal.note(
      `         ${asked} were asked for; the last decimals make this mint recognisable (--exact turns it off)`,
    );
  terminal.note(`cost     ${cost}`);
  terminal.note(`to       ${where}, in about 3 hours; it cannot be spent before it has settled`);
  terminal.note(`${sentText({ propose: isProposed })}: what becomes of it is looked for at the venue`);
}

/** The approved quantity is the maximum; its last decimals are made unique when it is sent. */
function wishOf({ config }: MoneyCommand, draft: Draft, { exact }: MintOptions): Wish {
  const { asset, blockchain: chain, asked, quantity, spentMax, feeMax, wallet, spend } = draft;
  const to = wallet?.address;
  const { feeBpsMax } = mintTermsOf(config);
  const wished = { asset, fiat: spentMax.asset, chain, quantity: asked, feeBpsMax, to, isExact: exact === true, spend };
  const mint = { asset, blockchain: chain, quantity, destination: to, spentMax, feeMax, known: [] };
  return {
    step: mintStep(wished),
    content: { kind: "mint", mint },
    cost: spend === undefined ? mintCost(asked, spentMax.asset, feeBpsMax).feeMax : feeMax,
  };
}

/** Reads the list again for a fresh snapshot: new rows after it are attributed to this mint. */
async function intentOf(tool: MoneyCommand, draft: Draft): Promise<MintIntent> {
  const { asset, blockchain, quantity, spentMax, feeMax, wallet } = draft;
  const known = (await changesOf(tool, asset)).map(idOfChange);
  return { asset, blockchain, quantity, destination: wallet?.address, spentMax, feeMax, known };
}

function receiptText(receipt: AnyReceipt): string {
  const { requestId, spent, fee } = receipt as MintRecord;
  const paid = `${spent} ${spent?.asset} spent, fee ${fee} ${fee?.asset}`;
  return `request ${printable(requestId, 80)}: ${paid}; the coins are on their way`;
}

function restOf(receipt: AnyReceipt, state: State<unknown>["kind"]): Rest | undefined {
  const { requestId, status, reason } = receipt as MintRecord;
  if (state === "settled") return { name: "settled", code: exitCode.done, text: "the coins have arrived" };
  return isHeld(status) ? heldRest(`request ${printable(requestId, 80)}`, reason) : undefined;
}
