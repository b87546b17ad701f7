// The exact content of a plan: the text that is approved, its digest and its id, and the parser from the text back to
// executable steps. An approval of the digest covers exactly this content, once, until it expires.

import { hash } from "node:crypto";
import { groupedText } from "../../domain/amount-text.ts";
import type { Asset } from "../../domain/asset.ts";
import { fiatOf } from "../../domain/coin.ts";
import { Money, Quantity } from "../../domain/money/money.ts";
import { printable } from "../../domain/sanitise.ts";
import { DAY_MS, type Millis } from "../../domain/time.ts";
import { utcText } from "../../domain/time-text.ts";
import type { PlanRecord } from "../../journal/record.ts";
import { mintCost } from "../mint.ts";
import { BANK, type HoldingName, holdingOf } from "../plan/holding.ts";
import type { PlanStep } from "../plan/path.ts";
import type { Registration, Via } from "../plan/route.ts";
import type { RailTerms } from "../plan/transfer-routes.ts";
import type { Direction } from "../rail.ts";

export type ContentStep = {
  readonly name: string;
  /** The limit of an order is text. */
  readonly via: PlainVia;
  readonly quantity: string;
  readonly takes: string;
  readonly brings: string;
  /** The value in the plan's currency. */
  readonly value: string;
};

type PlainVia = Exclude<Via, { kind: "order" }> | (Omit<Extract<Via, { kind: "order" }>, "limit"> & { limit: string });

export type PlanContent = {
  readonly at: Millis;
  readonly currency: Asset;
  /** The worst cost that an approval accepts. */
  readonly cost: string;
  readonly steps: readonly ContentStep[];
  /** A person wants exactly this, regardless of the targets. */
  readonly isWish?: true | undefined;
  /** Then the steps are those of the moment when it was asked for: each is priced anew when it is sent. */
  readonly conversion?: ConversionTerms | undefined;
  /** Of all of it, in the currency, where the steps are those that begin it only. */
  readonly value?: string | undefined;
  /** What every way of it cost then, and an order at the shown price. */
  readonly ways?: readonly KnownWay[] | undefined;
  readonly atOnceBps?: number | undefined;
  /** Of a conversion: what its cost is counted against. */
  readonly arrival?: Arrival | undefined;
};

/** The market when it was asked for. */
export type Arrival = {
  /** Of one unit at fair value, in the currency. */
  readonly rates: Readonly<Record<string, string>>;
  /** Bid and ask of each pair. */
  readonly shown: Readonly<Record<string, readonly [bid: string, ask: string]>>;
  readonly capitalBpsPerYear: number;
};

export type KnownWay = {
  readonly routes: readonly string[];
  readonly bps: number;
  readonly cost: string;
  readonly arrivesMs: number;
};

export type ConversionTerms = {
  readonly from: HoldingName;
  readonly to: HoldingName;
  /** What leaves `from`, or with `isBuy` arrives at `to`. */
  readonly amount: string;
  readonly isBuy: boolean;
  /** It ends by then. With `isPatient` it waits for a better price as long as that leaves time for the rest. */
  readonly by: Millis;
  readonly isPatient: boolean;
  /** No more leaves, whatever the prices. */
  readonly leavesMax: string;
  /** No step costs more than this share of its value, at fair value, fees included. */
  readonly costBpsMax: number;
  /** Of a standing instruction: the time that it is for, which it is begun for once. */
  readonly slot?: string | undefined;
  /** The highest fee of a mint. */
  readonly mintFeeBpsMax: number;
  /** For a band: it moves no more than that misses. */
  readonly aim?: Aim | undefined;
  /** Coins off their peg are sold by the venue's price. */
  readonly isOffPeg?: true | undefined;
  /** The rails that it may use, with where each leads: another template or destination needs another approval. */
  readonly rails: readonly RailWay[];
};

/** The edges to reach. */
export type Aim = {
  readonly holding: HoldingName;
  readonly low?: string | undefined;
  readonly high?: string | undefined;
};

/** An approval does not last longer. */
export const LASTS_MS_MAX = 7 * DAY_MS;

export type RailWay = Omit<Extract<Via, { kind: "on-ramp" | "off-ramp" }>, "registers">;

/** A rail by everything that determines where money ends up. */
export function railWayOf({ template, kind, asset, chain, destination: to, memo }: RailTerms): RailWay {
  return { kind, template, asset, chain, to, memo };
}

/** Those that begin or end where the conversion does. */
export function railWaysBetween(from: HoldingName, to: HoldingName, rails: readonly RailTerms[]): readonly RailWay[] {
  const useful = rails.filter(({ kind, fiat, wallet }) => {
    const bank = holdingOf(fiat, BANK);
    return kind === "off-ramp" ? to === bank : from === bank && wallet === undefined;
  });
  return useful.map(railWayOf);
}

export function isApproved(rail: RailTerms, { rails }: Pick<ConversionTerms, "rails">): boolean {
  const { kind, template, asset, chain, to, memo } = railWayOf(rail);
  return rails.some(
    (one) =>
      [one.kind, one.template, one.asset].join(" ") === [kind, template, asset].join(" ") &&
      [one.chain === chain, one.to === to, one.memo === memo].every((isSame) => isSame),
  );
}

/** `steps`: of the best way when it was asked for. */
export function conversionRecord(
  conversion: ConversionTerms,
  {
    steps,
    cost,
    ...known
  }: Pick<PlanContent, "ways" | "atOnceBps" | "arrival" | "value"> & { steps: readonly PlanStep[]; cost: Money },
  terms: Pick<PlanRecord, "at" | "expiresAt" | "persons" | "by" | "why">,
): PlanRecord {
  const sums = { at: terms.at, currency: cost.asset, cost: String(cost), steps: steps.map(contentStep) };
  const isWish = conversion.aim === undefined ? true : undefined;
  return recordOf(JSON.stringify({ ...sums, isWish, conversion, ...known }), terms);
}

export function contentStep({ route, via, quantity, takes, brings, value }: PlanStep): ContentStep {
  return {
    name: route.name,
    via: (via.kind === "order" ? { ...via, limit: String(via.limit) } : via) as ContentStep["via"],
    quantity: String(quantity),
    takes: `${takes} ${route.from}`,
    brings: `${brings} ${route.to}`,
    value: String(value),
  };
}

/** A plan that one person proposes, for others to approve. */
export function wishRecord(
  step: ContentStep,
  cost: Money,
  terms: Pick<PlanRecord, "at" | "expiresAt" | "persons" | "by" | "why">,
): PlanRecord {
  const content = { at: terms.at, currency: cost.asset, cost: String(cost), steps: [step], isWish: true };
  return recordOf(JSON.stringify(content), terms);
}

function recordOf(
  content: string,
  { at, expiresAt, persons, by, why }: Pick<PlanRecord, "at" | "expiresAt" | "persons" | "by" | "why">,
): PlanRecord {
  const digest = digestOf({ content, expiresAt, persons });
  return { kind: "plan", at, id: `R-${digest.slice(0, 10)}`, digest, content, expiresAt, persons, by, why };
}

/** The number of required approvals is part of the approved content. */
export function digestOf({
  content,
  expiresAt,
  persons,
}: Pick<PlanRecord, "content" | "expiresAt" | "persons">): string {
  return hash("sha256", `pegbot plan\n${content}\n${expiresAt}\n${persons}`);
}

export function contentOf({ content }: Pick<PlanRecord, "content">): PlanContent {
  return JSON.parse(content) as PlanContent;
}

/** The proposer of a plan that the bot made itself. */
export const OWN = "bot";

export function isOwn({ by }: Pick<PlanRecord, "by">): boolean {
  return by === OWN;
}

/** Whether the plan needs approval by people. */
export function isAsked({ persons }: Pick<PlanRecord, "persons">): boolean {
  return persons > 0;
}

/** The name by which a program proposed it: an agent, or a client of the API. */
export function programOf({ by }: Pick<PlanRecord, "by">): string | undefined {
  return /^(?:agent|api):(.*)$/.exec(by)?.[1];
}

/** Whether a person proposed it, so that targets do not apply. */
export function isWish(plan: Pick<PlanRecord, "content">): boolean {
  return contentOf(plan).isWish === true;
}

/** As an earlier version wrote it: several steps, or a conversion without rails and the fee of a mint. */
export function isEarlier(plan: Pick<PlanRecord, "content">): boolean {
  const { conversion, steps = [] } = contentOf(plan);
  return conversion === undefined ? steps.length > 1 : conversion.rails === undefined;
}

/** The hint after an early end: no target would propose a wish again. */
export function askAnew(plan: Pick<PlanRecord, "content">): string {
  return isWish(plan) ? "; propose it anew if it is still wanted" : "";
}

/** The plan's name in the log. */
export function titleOf(plan: Pick<PlanRecord, "id" | "content">): string {
  return `${isWish(plan) ? "plan" : "rebalancing"} ${plan.id}`;
}

/** What is approved, line by line: of a conversion its terms, because each step is priced when it is sent. */
export function linesOf(plan: Pick<PlanRecord, "content">): readonly string[] {
  const { steps, conversion } = contentOf(plan);
  if (conversion === undefined) return steps.map(stepText);
  const { from, to, amount, isBuy, by, costBpsMax, leavesMax, rails = [], aim } = conversion;
  const what = isBuy ? `${from} to ${groupedText(amount)} ${to}` : `${groupedText(amount)} ${from} to ${to}`;
  const most = `no step loses more than ${costBpsMax} bp, no more than ${groupedText(leavesMax)} ${from} leave`;
  const allowed = rails.map((one) => `; may use ${one.kind} ${printable(one.template, 80)}${aimOf(one)}`).join("");
  return [
    `convert ${what} by ${utcText(by)}; ${most}${aim === undefined ? "" : `, no more than the band of ${aim.holding} misses`}${allowed}`,
    ...steps.map((step, at) => `${stepText(step)}${at === 0 ? " (steps as prices were then)" : ""}`),
  ];
}

/** A step as shown before approval: everything that determines its cost and the destination of money. */
export function stepText({ name, via, quantity, takes, brings }: ContentStep): string {
  if ("registers" in via && via.registers !== undefined) return registrationText(name, via.registers);
  return `${printable(name, 80)}${aimOf(via)}, ${groupedText(takes)} for ${groupedText(brings)}${feeText(via, quantity)}`;
}

function aimOf(via: PlainVia): string {
  if (via.kind === "order") return ` at ${via.limit}`;
  const exactly = "isExact" in via && via.isExact === true ? ", exactly" : "";
  if (via.to === undefined) return exactly;
  const memo = "memo" in via && via.memo !== undefined ? `, memo ${printable(via.memo, 100)}` : "";
  return ` to ${printable(via.to, 120)}${memo}${exactly}`;
}

function registrationText(name: string, { rail, toAccount, isAnother }: Registration): string {
  const { type, destination, memo, asset, currency, blockchain, sender } = rail;
  const ends = type === "FiatToStablecoin" ? `${currency} in, ${asset} out` : `${asset} in, ${currency} out`;
  const parts = [
    `${printable(name, 80)} to ${printable(destination, 120)}${toAccount ? " (the account's own deposit address)" : ""}`,
    ...(memo === undefined ? [] : [`memo ${printable(memo, 100)}`]),
    `${ends}, on ${printable(blockchain, 20)}`,
    `sender ${printable(sender.name, 140)}, ${sender.country}, ${printable(sender.type, 40)}`,
    ...(isAnother ? ["also beside one of the same content"] : []),
  ];
  return parts.join(", ");
}

function feeText(via: PlainVia, quantity: string): string {
  const fiat = via.kind === "mint" ? fiatOf(via.asset) : undefined;
  if (via.kind !== "mint" || fiat === undefined) return "";
  const { feeMax } = mintCost(Quantity.of(quantity), fiat, via.feeBpsMax, via.spend && moneyOf(via.spend));
  return `, its fee at most ${groupedText(String(feeMax))} ${feeMax.asset}`;
}

export function valueOfSteps({ steps, currency }: Pick<PlanContent, "steps" | "currency">): Money {
  return Money.sum(
    steps.map(({ value }) => Money.of(value, currency)),
    currency,
  );
}

export type MintWished = {
  readonly asset: Asset;
  readonly fiat: Asset;
  readonly chain: string;
  readonly quantity: Quantity;
  readonly feeBpsMax: number;
  /** One of our wallets; undefined for the account. */
  readonly to: string | undefined;
  readonly isExact: boolean;
  /** Of another asset than the fiat. */
  readonly spend: Money | undefined;
};

/** The asset that is to pay for a mint, where it is not the coin's fiat. */
export function moneyOf({ amount, asset }: { readonly amount: string; readonly asset: Asset }): Money {
  return Money.of(amount, asset);
}

export function mintStep({ asset, fiat, chain, quantity, feeBpsMax, to, isExact, spend }: MintWished): ContentStep {
  const paid = spend && { amount: String(spend), asset: spend.asset };
  return {
    name: `mint ${asset} on ${chain}`,
    via: { kind: "mint", asset, chain, feeBpsMax, to, ...(isExact && { isExact }), ...(paid && { spend: paid }) },
    quantity: String(quantity),
    takes: paid === undefined ? `${quantity} ${holdingOf(fiat)}` : `at most ${paid.amount} ${holdingOf(paid.asset)}`,
    brings: `${quantity} ${holdingOf(asset, to === undefined ? undefined : chain)}`,
    value: String(quantity),
  };
}

export function railStep(direction: Direction, template: string, registers: Registration): ContentStep {
  const { rail, toAccount } = registers;
  const { asset, currency, blockchain: chain, destination: to, memo } = rail;
  const isOn = direction === "on";
  const [bank, coins] = [holdingOf(currency, BANK), holdingOf(asset, isOn && !toAccount ? chain : undefined)];
  const nothing = String(Money.zero(asset));
  return {
    name: `rail ${direction} ${template}`,
    via: { kind: isOn ? "on-ramp" : "off-ramp", template, asset, chain, to, memo, registers },
    // It registers a rail; money moves only with payments on it.
    quantity: nothing,
    takes: `${nothing} ${isOn ? bank : coins}`,
    brings: `${nothing} ${isOn ? coins : bank}`,
    value: nothing,
  };
}
