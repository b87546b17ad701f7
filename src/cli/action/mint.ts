// `mint ASSET --chain C --quantity Q`: new coins for a person, through the same gate, journal and protocol as an order.
// Everything that can be known is checked before anything is sent, and the exact content is confirmed by a person.

import { randomInt } from "node:crypto";
import { IDLE } from "../../bot/start-up.ts";
import { type Asset, parseAsset } from "../../domain/asset.ts";
import type { MintIntent, MintRecord } from "../../domain/mint.ts";
import { Quantity } from "../../domain/money/money.ts";
import { printable } from "../../domain/outside-text.ts";
import { createRandom } from "../../domain/random.ts";
import { millis } from "../../domain/time.ts";
import type { SupplyChange } from "../../exchange/port.ts";
import { idOf } from "../../execution/departure.ts";
import type { Sent } from "../../execution/dispatch.ts";
import { idOfChange } from "../../execution/movement-evidence.ts";
import type { Approval } from "../../risk/movement-gate.ts";
import { ownDestination, type Wallet, whyNotWhitelisted } from "../../treasury/destination.ts";
import { checkMint, type MintCost, whyNotIssued } from "../../treasury/mint/check-mint.ts";
import { saltedQuantity } from "../../treasury/mint/salt.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { personHere, requireConfirmation } from "../confirmation.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Prompts, terminalPrompts } from "../prompts.ts";
import type { Shell } from "../shell.ts";
import { carry, codeOfUnsent } from "../tool/carry.ts";
import { requireActive, type Tool, withTool } from "../tool/tool.ts";
import { destinationsOf, mintTermsOf } from "../tool/treasury-terms.ts";
import { waitForMint } from "./mint/wait.ts";

export type MintOptions = {
  readonly chain: string;
  readonly quantity: string;
  readonly to?: string;
  readonly exact?: boolean;
  readonly wait?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

/** How long an approval is good for. */
const EXPIRES_MS = 600_000;

export async function mint(
  shell: Shell,
  assetName: string,
  options: MintOptions,
  prompts: Prompts = terminalPrompts,
): Promise<ExitCode> {
  const asset = orFail(parseAsset(assetName));
  const quantity = orFail(Quantity.parse(options.quantity, "positive"));
  const stop = shell.stopSignal();
  return withTool(shell, { strategy: IDLE, books: "existing" }, async (tool) => {
    requireActive(tool);
    const draft = await check(tool, { ...options, asset, quantity });
    show(shell, draft, options);
    await requireConfirmation(shell, prompts, { word: "mint", yes: options.yes });
    const approved = await approve(tool, draft, stop);
    const { wait = false, json = false } = options;
    const code = await carry(tool, approved, stop, (sent) => tell(shell, tool, sent, { json, wait }));
    const isOpen = code === exitCode.done || code === exitCode.unknown;
    return wait && isOpen ? waitForMint(shell, tool, idOf(approved), stop, json) : code;
  });
}

/** What will be sent if a person says so. */
type Draft = MintCost & {
  readonly asset: Asset;
  readonly blockchain: string;
  readonly asked: Quantity;
  readonly quantity: Quantity;
  readonly wallet: Wallet | undefined;
};

type Wanted = { readonly asset: Asset; readonly quantity: Quantity } & Pick<MintOptions, "chain" | "to" | "exact">;

async function check(tool: Tool, { asset, quantity, chain, to, exact }: Wanted): Promise<Draft> {
  const { config, exchange } = tool;
  const wallet = to === undefined ? undefined : refusing(ownDestination(to, "wallet", destinationsOf(config)));
  if (wallet !== undefined && wallet.chain !== chain)
    throw refused(`wallet ${to} is on ${wallet.chain}, the mint is for ${chain}`);
  const want = { class: "balance" } as const;
  const assets = await tool.read("assets", exchange.assets(want));
  const unlisted = whyNotIssued(asset, chain, assets);
  if (unlisted !== undefined) throw refused(unlisted);
  const quotes = await exchange.quotes(want);
  if (wallet !== undefined) {
    const rows = await tool.read("withdraw addresses", exchange.withdrawAddresses(want));
    const why = whyNotWhitelisted(wallet, asset, rows);
    if (why !== undefined) throw refused(why);
  }
  const rows = await seen(tool, asset);
  const balances = await tool.ask({ witness: "balances", asset: undefined, class: "balance" });
  await tool.take({ kind: "answer", answer: balances });
  requireActive(tool);
  const salted = exact === true ? quantity : refusing(salt(tool, asset, quantity, rows));
  const cost = checkMint(
    { asset, blockchain: chain, quantity: salted },
    {
      assets,
      balances: balances.witness === "balances" ? balances.rows : [],
      quotes: quotes.kind === "read" ? quotes.value : [],
    },
    mintTermsOf(config),
  );
  return { ...refusing(cost), asset, blockchain: chain, asked: quantity, quantity: salted, wallet };
}

/** The list of supply changes, taken into the books: what is not ours halts here. */
async function seen(tool: Tool, asset: Asset): Promise<readonly SupplyChange[]> {
  const answer = await tool.ask({ witness: "supply-changes", asset, class: "balance" });
  await tool.take({ kind: "answer", answer });
  requireActive(tool);
  return answer.witness === "supply-changes" ? answer.rows : [];
}

function salt({ config, desk }: Tool, asset: Asset, quantity: Quantity, rows: readonly SupplyChange[]) {
  const listed = rows.flatMap((row) => (row.quantity === undefined ? [] : [row.quantity]));
  const own = desk.executor.mintsSince(millis(0)).flatMap((one) => (one.asset === asset ? [one.quantity] : []));
  const random = createRandom(randomInt(2 ** 47));
  return saltedQuantity(quantity, [...listed, ...own], { decimals: config.treasury.mint.saltDecimals, random });
}

function show({ terminal }: Shell, draft: Draft, { exact }: MintOptions): void {
  const { asset, blockchain, asked, quantity, spentMax, feeMax, wallet } = draft;
  const where = wallet === undefined ? "your balance at the venue" : `${wallet.address} on ${wallet.chain}`;
  const cost = `${quantity} ${spentMax.asset} and at most ${feeMax} ${feeMax.asset} of fees, from the balance, at once`;
  terminal.note(`mint     ${quantity} ${asset} on ${blockchain}${exact === true ? ", exactly" : ""}`);
  if (!quantity.equals(asked))
    terminal.note(
      `         ${asked} were asked for; the last decimals make this mint recognisable (--exact turns it off)`,
    );
  terminal.note(`cost     ${cost}`);
  terminal.note(`to       ${where}, in about 3 hours; it cannot be spent before it has settled`);
  terminal.note("sent     once, and never again: what becomes of it is looked for at the venue");
}

/** The snapshot is the youngest there can be: what is new in the list afterwards is ours. */
async function approve(tool: Tool, draft: Draft, stop: AbortSignal): Promise<Approval> {
  const { asset, blockchain, quantity, spentMax, feeMax, wallet } = draft;
  const known = (await seen(tool, asset)).map(idOfChange);
  if (stop.aborted) throw new CommandFailure(exitCode.failed, "stopped, nothing was sent");
  const decidedAt = tool.now().at;
  const intent: MintIntent = { asset, blockchain, quantity, destination: wallet?.address, spentMax, feeMax, known };
  const expiresAt = millis(decidedAt + EXPIRES_MS);
  const reason = `minted by ${personHere()}`;
  const turn = await tool.take({
    kind: "movement",
    wish: { kind: "mint", mint: intent, decidedAt, expiresAt, reason },
  });
  const [approved] = turn.sends;
  if (approved !== undefined) return approved;
  requireActive(tool);
  throw refused(turn.refusal === undefined ? "not approved" : `${turn.refusal.rule}: ${turn.refusal.message}`);
}

function tell(
  { terminal }: Shell,
  { latch }: Tool,
  { id, outcome }: Sent,
  { json, wait }: { readonly json: boolean; readonly wait: boolean },
): ExitCode {
  const say = (state: string, code: ExitCode, text: string): ExitCode => {
    // Who waits gets one result, at the end.
    const isResult = !wait || (code !== exitCode.done && code !== exitCode.unknown);
    if (!isResult) terminal.note(`${state}  ${id}  ${text}`);
    else if (json) terminal.json({ id, outcome: state, text });
    else terminal.print(`${state}  ${id}  ${text}`);
    return code;
  };
  switch (outcome.kind) {
    case "accepted": {
      const { requestId, spent, fee } = outcome.value as MintRecord;
      const paid = `${spent} ${spent?.asset} spent, fee ${fee} ${fee?.asset}`;
      return say("accepted", exitCode.done, `request ${printable(requestId, 80)}: ${paid}; the coins are on their way`);
    }
    case "rejected": {
      const { venueCode, message } = outcome.failure;
      const said = venueCode === undefined ? "" : `${printable(venueCode, 60)}: `;
      return say("rejected", exitCode.refused, `by the venue: ${said}${printable(message)}; nothing was spent`);
    }
    case "not-sent":
      return say("not sent", codeOfUnsent(outcome.code, latch.check()), printable(outcome.reason, 500));
    case "doubt":
      return say(
        "unknown",
        exitCode.unknown,
        `money may have moved (${outcome.failure.code}); it is not sent again. A running bot looks for it in the venue's list, pegbot status shows how far it is`,
      );
  }
}

function refusing<T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string },
): T {
  if (result.ok) return result.value;
  throw refused(result.error);
}

function refused(why: string): CommandFailure {
  return new CommandFailure(exitCode.refused, `${printable(why, 500)}; nothing was sent`);
}
