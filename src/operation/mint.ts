// Mints coins for a person. Every known condition is checked before it is sent.

import { randomInt } from "node:crypto";
import { z } from "zod";
import { type Asset, parseAsset } from "../domain/asset.ts";
import { orFail } from "../domain/command-failure.ts";
import { exitCode } from "../domain/exit-code.ts";
import type { MintIntent, MintRecord } from "../domain/mint.ts";
import { type Money, Quantity } from "../domain/money/money.ts";
import { createRandom } from "../domain/random.ts";
import { printable } from "../domain/sanitise.ts";
import { isHeld } from "../domain/settlement-status.ts";
import { millis } from "../domain/time.ts";
import { whyNoDestination } from "../exchange/endpoint/mint-tokens.ts";
import type { SupplyChange } from "../exchange/port.ts";
import { resolveProfile } from "../exchange/profile.ts";
import { idOfChange } from "../execution/evidence.ts";
import type { AnyReceipt, State } from "../execution/request.ts";
import { mintStep } from "../treasury/approval/plan-content.ts";
import { checkMint, isSmallest, type MintCost, mintCost, saltedQuantity, whyNotIssued } from "../treasury/mint.ts";
import { ownDestination, type Wallet, whyNotWhitelisted } from "../treasury/rail.ts";
import { type Asking, orRefuse, refuseIf, requireActive, type Trader } from "./money.ts";
import { amountOf, movement, movementFields, type StepWish, whitelist, word } from "./movement.ts";
import { heldRest, type Rest } from "./request-end.ts";
import { mintTermsOf } from "./terms/movement-terms.ts";

export const mintInput = z.strictObject({
  asset: z
    .string()
    .refine((text) => parseAsset(text).ok, "must be a coin, like VCHF")
    .meta({ argument: "asset", description: "VCHF, for example" }),
  chain: z.string().min(1).max(20).meta({ value: "code", description: "chain, ETH for example" }),
  quantity: z
    .string()
    .refine((text) => Quantity.parse(text, "positive").ok, "must be a positive decimal")
    .meta({ value: "qty", description: "units of the coin, a decimal" }),
  to: word("name", "a wallet of treasury.destinations; own balance unless set"),
  spend: word("amount", 'pay with another asset, at most so much: "1.7 BTC"'),
  exact: z.boolean().optional().meta({ description: "send the quantity as it stands; it is then harder to recognise" }),
  ...movementFields,
});
export type MintInput = z.output<typeof mintInput>;

export const mint = movement<MintInput, MintDraft>({
  name: "mint",
  sentence: "Mints coins once, paid from the balance",
  input: mintInput,
  draft: draftMint,
  show: showMint,
  terms: ({ asset, blockchain, wallet, atMost }, { quantity }) => ({
    sent: { asset, blockchain, quantity, destination: wallet?.address ?? "" },
    worst: [atMost.spentMax, atMost.feeMax],
  }),
  step: wishOf,
  content: async (trader, draft) => ({ kind: "mint", mint: await intentOf(trader, draft) }),
  accepted: receiptText,
  restOf,
});

/** The approved quantity is the maximum; its last decimals are made unique when it is sent. */
function wishOf({ config }: Trader, draft: MintDraft): StepWish {
  const { asset, blockchain: chain, asked, quantity, isExact, spentMax, feeMax, wallet, spend } = draft;
  const to = wallet?.address;
  const { feeBpsMax } = mintTermsOf(config);
  const wished = { asset, fiat: spentMax.asset, chain, quantity: asked, feeBpsMax, to, isExact, spend };
  const content = { asset, blockchain: chain, quantity, destination: to, spentMax, feeMax, known: [] };
  return {
    step: mintStep(wished),
    content: { kind: "mint", mint: content },
    cost: spend === undefined ? mintCost(asked, spentMax.asset, feeBpsMax).feeMax : feeMax,
  };
}

/** The mint as it would be sent now. */
type MintDraft = MintCost & {
  /** Of what was asked for. */
  readonly atMost: MintCost;
  readonly asset: Asset;
  readonly blockchain: string;
  readonly asked: Quantity;
  readonly quantity: Quantity;
  readonly isExact: boolean;
  readonly wallet: Wallet | undefined;
  readonly spend: Money | undefined;
};

async function draftMint(trader: Trader, wanted: MintInput): Promise<MintDraft> {
  const { chain, to, exact } = wanted;
  const asset = orFail(parseAsset(wanted.asset));
  const quantity = orFail(Quantity.parse(wanted.quantity, "positive"));
  const spend = wanted.spend === undefined ? undefined : amountOf("--spend", wanted.spend);
  const { config, exchange } = trader;
  const want = { class: "balance" } as const;
  refuseIf(whyNoDestination(to, resolveProfile(config.venue.profile)));
  const wallet = to === undefined ? undefined : orRefuse(ownDestination(to, "wallet", config.treasury.destinations));
  if (wallet !== undefined && wallet.chain !== chain)
    refuseIf(`wallet ${to} is on ${wallet.chain}, the mint is for ${printable(chain, 20)}`);
  const assets = await trader.read("assets", exchange.assets(want));
  refuseIf(whyNotIssued(asset, chain, assets));
  if (wallet !== undefined) refuseIf(whyNotWhitelisted(wallet, asset, await whitelist(trader)));
  const quotes = await trader.quotes(want);
  const rows = await changesOf(trader, asset);
  const balances = await trader.ask({ witness: "balances", asset: undefined, class: "balance" });
  requireActive(trader);
  const terms = mintTermsOf(config);
  const isExact = exact === true || isSmallest(asset, quantity, terms.minimum);
  const salted = isExact ? quantity : orRefuse(salt(trader, asset, quantity, rows));
  const cost = checkMint(
    { asset, blockchain: chain, quantity: salted, spend },
    {
      assets,
      balances: balances.witness === "balances" ? balances.rows : [],
      quotes: [...(quotes.kind === "read" ? quotes.value : []), ...trader.prices()],
    },
    terms,
  );
  const exactly = orRefuse(cost);
  const atMost = spend === undefined ? mintCost(quantity, exactly.spentMax.asset, terms.feeBpsMax) : exactly;
  return { ...exactly, atMost, asset, blockchain: chain, asked: quantity, quantity: salted, isExact, wallet, spend };
}

/** Takes the list of supply changes into the books: unattributed rows halt here. */
async function changesOf(trader: Trader, asset: Asset): Promise<readonly SupplyChange[]> {
  const answer = await trader.ask({ witness: "supply-changes", asset, class: "balance" });
  requireActive(trader);
  return answer.witness === "supply-changes" ? answer.rows : [];
}

function salt(trader: Trader, asset: Asset, quantity: Quantity, rows: readonly SupplyChange[]) {
  const listed = rows.flatMap((row) => (row.quantity === undefined ? [] : [row.quantity]));
  const own = trader
    .core()
    .executor.treasury.mintsSince(millis(0))
    .flatMap((one) => (one.asset === asset ? [one.quantity] : []));
  const random = createRandom(randomInt(2 ** 47));
  return saltedQuantity(quantity, [...listed, ...own], { decimals: trader.config.treasury.mint.saltDecimals, random });
}

function showMint(tell: Asking["tell"], draft: MintDraft): void {
  const { asset, blockchain, asked, isExact, atMost, wallet, spend } = draft;
  const { spentMax, feeMax } = atMost;
  const where = wallet === undefined ? "your balance at the venue" : `${wallet.address} on ${wallet.chain}`;
  const fees = `at most ${feeMax} ${feeMax.asset} of fees`;
  const paid = `at most ${spentMax} ${spentMax.asset}, converted by the venue, ${fees} among them`;
  const cost = `${spend === undefined ? `${asked} ${spentMax.asset} and ${fees}` : paid}, from the balance, at once`;
  tell(`mint     ${asked} ${asset} on ${blockchain}${isExact ? ", exactly" : ""}`);
  if (!isExact)
    tell("         its last decimals are made recognisable: at most a 100,000th less (--exact turns it off)");
  tell(`cost     ${cost}`);
  tell(`to       ${where}, in about 3 hours; it cannot be spent before it has settled`);
}

async function intentOf(trader: Trader, draft: MintDraft): Promise<MintIntent> {
  const { asset, blockchain, quantity, spentMax, feeMax, wallet } = draft;
  const known = (await changesOf(trader, asset)).map(idOfChange);
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
