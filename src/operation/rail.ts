// Registers a payment rail for a person, from a template or from its parts. Money moves only with payments on it.

import { z } from "zod";
import type { Config } from "../config/schema.ts";
import { orFail, usageFailure } from "../domain/command-failure.ts";
import { exitCode } from "../domain/exit-code.ts";
import { Money } from "../domain/money/money.ts";
import { isRejected, isWorking, type Rail, type RailRequest } from "../domain/rail.ts";
import { printable } from "../domain/sanitise.ts";
import type { AnyReceipt } from "../execution/request.ts";
import { railStep } from "../treasury/approval/plan-content.ts";
import { unusedWarnings } from "../treasury/plan/unused-funds.ts";
import { type Direction, draftRail, nameRail, type RailParts, whyNotRailed } from "../treasury/rail.ts";
import { situationOf } from "../treasury/rebalancer/treasury-view.ts";
import { type Asking, orRefuse, refuseIf, requireActive, type Trader } from "./money.ts";
import { movement, movementFields, whitelist, word } from "./movement.ts";
import { heldRest, type Rest } from "./request-end.ts";
import { railPartsOf, treasuryTermsOf } from "./terms/treasury-terms.ts";

export const railInput = z.strictObject({
  direction: z.enum(["on", "off"]),
  template: word("name", "").meta({ argument: "template", description: "name of a template in treasury.rails" }),
  asset: word("coin", "VCHF, for example"),
  currency: word("fiat", "the coin's own fiat unless set"),
  chain: word("code", "chain, ETH for example"),
  to: word("name", "a wallet (on) or bank account (off) of treasury.destinations"),
  memo: word("text", "memo of the wallet, where its chain needs one"),
  senderName: word("name", "legal name of the sender"),
  senderCountry: word("code", "two capital letters"),
  senderType: word("type", "what the sender is, company unless set"),
  another: z.boolean().optional().meta({ description: "a second rail of the same content is meant" }),
  ...movementFields,
});
export type RailInput = z.output<typeof railInput>;

export const rail = movement<RailInput, RailRequest>({
  name: "rail",
  sentence: "Registers a payment rail once",
  input: railInput,
  draft: draftOf,
  show: showRail,
  terms: ({ type, asset, currency, blockchain, destination, memo = "", sender }) => ({
    sent: { type, asset, currency, blockchain, destination, memo, sender: sender.name },
    worst: [Money.zero(currency)],
  }),
  async step(trader, draft, { direction, template = "", another: isAnother = false }) {
    const toAccount = await isOurDeposit(trader, draft, template);
    return {
      step: railStep(direction, template, { rail: draft, toAccount, isAnother }),
      content: { kind: "rail", rail: { ...draft, known: [] }, isAnother },
      cost: Money.zero(draft.currency),
    };
  },
  async content(trader, draft, { template, another: isAnother = false }) {
    const toAccount = await isOurDeposit(trader, draft, template);
    const known = (await railsOf(trader)).map(({ railId }) => railId);
    return { kind: "rail", rail: { ...draft, known, toAccount }, isAnother };
  },
  accepted: receiptText,
  restOf,
});

/** The rail as it would be sent now. */
async function draftOf(trader: Trader, input: RailInput): Promise<RailRequest> {
  const { config, exchange } = trader;
  const { direction, template, propose } = input;
  // An approved rail is looked up in its template again before it is sent, so it needs one.
  if (propose === true && (template === undefined || Object.keys(given(input)).length > 0))
    throw usageFailure("--propose needs a template of treasury.rails, and no other flag");
  const parts = { ...templateParts(config, direction, template), ...given(input) };
  orFail(nameRail(direction, parts));
  const draft = orRefuse(draftRail(direction, parts, config.treasury.destinations));
  const assets = await trader.read("assets", exchange.assets({ class: "balance" }));
  const addresses = draft.wallet === undefined ? undefined : await whitelist(trader);
  refuseIf(whyNotRailed(draft, assets, addresses));
  return draft.rail;
}

function templateParts({ treasury: { rails } }: Config, direction: Direction, name: string | undefined): RailParts {
  if (name === undefined) return {};
  const found = Object.hasOwn(rails, name) ? rails[name] : undefined;
  const names = Object.keys(rails);
  if (found === undefined)
    throw usageFailure(
      `treasury.rails has no template ${printable(name, 60)}`,
      names.length === 0 ? "it has none" : `it has ${names.join(", ")}`,
    );
  if (found.direction !== direction)
    throw usageFailure(`template ${name} is for rail ${found.direction}, not rail ${direction}`);
  return railPartsOf(found);
}

/** Parts that are given override the template. */
function given({ asset, currency, chain, to, memo, senderName, senderCountry, senderType }: RailInput): RailParts {
  const parts = { asset, currency, chain, to, memo, senderName, senderCountry, senderType };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}

/**
 * Whether payments on this rail are credited to the account: according to the venue if it answers, otherwise to the
 * configuration.
 */
async function isOurDeposit(
  { config, exchange }: Trader,
  { type, asset, blockchain, destination }: RailRequest,
  template: string | undefined,
): Promise<boolean> {
  if (type !== "FiatToStablecoin") return false;
  const reading = await exchange.depositAddress(asset, blockchain, { class: "balance" });
  const stated = template !== undefined && config.treasury.planning.rails[template]?.toVenue === true;
  return reading.kind === "read" ? reading.value === destination : stated;
}

/** Takes the list of rails into the books: unattributed rails halt here. */
async function railsOf(trader: Trader) {
  const answer = await trader.ask({ witness: "rails", asset: undefined, class: "balance" });
  requireActive(trader);
  return answer.witness === "rails" ? answer.rows : [];
}

function showRail(
  tell: Asking["tell"],
  { type, sender, destination, memo, asset, currency, blockchain }: RailRequest,
  _: RailInput,
  { config, core, now }: Trader,
): void {
  const isOn = type === "FiatToStablecoin";
  const way = isOn ? `${currency} in, ${asset} out` : `${asset} in, ${currency} out`;
  tell(`rail     ${way}, on ${blockchain}`);
  tell(`sender   ${printable(sender.name, 140)}, ${sender.country}, ${printable(sender.type, 40)}`);
  const noted = memo === undefined ? "" : `, memo ${printable(memo, 100)}`;
  tell(`to       ${isOn ? "wallet" : "bank account"} ${printable(destination, 120)}${noted}`);
  tell("sent     once, and never again. It moves no money by itself: payments on it do");
  const situation = situationOf(core(), treasuryTermsOf(config), () => undefined, now().at);
  const ramp = { name: "a payment on it", kind: isOn ? "on-ramp" : "off-ramp" } as const;
  for (const warning of unusedWarnings([ramp], situation.unused, situation)) tell(`warning  ${warning}`);
}

function receiptText(receipt: AnyReceipt): string {
  const { railId, status, reason } = receipt as Rail;
  const why = reason === undefined ? "" : `: ${printable(reason, 200)}`;
  return `rail ${printable(railId, 80)} is ${printable(status, 40)}${why}`;
}

function restOf(receipt: AnyReceipt): Rest | undefined {
  const { railId, status, reason } = receipt as Rail;
  const id = printable(railId, 80);
  if (isWorking({ status })) return { name: "working", code: exitCode.done, text: `rail ${id} takes payments` };
  if (isRejected({ status }))
    return { name: "rejected", code: exitCode.refused, text: printable(reason ?? "the venue gives no reason", 300) };
  return heldRest(`rail ${id}, which is ${printable(status, 40)}`, reason);
}
