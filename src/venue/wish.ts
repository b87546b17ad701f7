// What a caller asks for, read exactly and completed with what the venue lists: an order for the gate, a mint or a rail
// that can be recognised later. A text that is off the pair's grid is refused and never rounded.

import { randomInt } from "node:crypto";
import { type Asset, assetsOf, type PairSymbol, parseAsset } from "../domain/asset.ts";
import type { Instrument } from "../domain/instrument.ts";
import { Money, Price, Quantity } from "../domain/money/money.ts";
import type { RailRequest } from "../domain/rail.ts";
import { createRandom } from "../domain/random.ts";
import { printable, quoted } from "../domain/sanitise.ts";
import { type Millis, millis } from "../domain/time.ts";
import { whyNoDestination } from "../exchange/endpoint/mint-tokens.ts";
import type { ListedAsset, Reading } from "../exchange/port.ts";
import type { Profile } from "../exchange/profile.ts";
import type { Answer, Ask } from "../execution/effects.ts";
import { idOfChange } from "../execution/evidence.ts";
import type { Executor } from "../execution/executor.ts";
import type { Candidate } from "../risk/rule.ts";
import type { MintWish, MovementWish, RailWish } from "../risk/treasury-gate.ts";
import { checkMint, isSmallest, saltedQuantity } from "../treasury/mint.ts";
import { whyNotRailed, whyNotWhitelisted } from "../treasury/rail.ts";
import { LIFETIME_MS_MAX } from "./account.ts";
import type { Failure, NewMint, NewOrder, NewRail } from "./contract.ts";
import type { Limits } from "./options.ts";

/** The first call of a process compares venue and journal for a third of it. */
const LIFETIME_MS = 30_000;
const SALT_DECIMALS = 2;
const MINT_MIN = Money.of("100000", "GBP" as Asset);

/** Thrown with what refuses the call; the call returns it as not sent. */
export class Refused extends Error {
  readonly failure: Failure;

  constructor(code: string, message: string, next?: string) {
    super(message);
    this.failure = { code, message, next };
  }
}

export function candidateOf(
  order: NewOrder,
  instruments: ReadonlyMap<PairSymbol, Instrument>,
  { at, waitedMs }: { readonly at: Millis; readonly waitedMs: number },
): Candidate {
  const { side, lifetimeMs = LIFETIME_MS, reason = "library" } = order;
  const instrument = instruments.get(order.symbol as PairSymbol);
  const listed = [...instruments.keys()].join(", ");
  if (instrument === undefined)
    throw new Refused(
      "unknown-symbol",
      `symbol must be one of ${listed}, was ${quoted(order.symbol)}`,
      "venue.pairs() reads the list again",
    );
  const { symbol, status, quantityDecimals, priceDecimals, quantityMin } = instrument;
  if (status !== "online") throw new Refused("offline", `${symbol} must be online, was ${printable(status)}`);
  if (side !== "buy" && side !== "sell") throw new Refused("invalid", `side must be buy or sell, was ${quoted(side)}`);
  const quantity = exact("quantity", Quantity.parse(order.quantity, "positive"), quantityDecimals);
  const limit = exact("limit", Price.parse(order.limit), priceDecimals);
  if (quantity.lessThan(quantityMin))
    throw new Refused("invalid", `quantity of ${symbol} must be at least ${quantityMin}, was ${quantity}`);
  if (!(lifetimeMs > 0 && lifetimeMs <= LIFETIME_MS_MAX))
    throw new Refused("invalid", `lifetimeMs must be from 1 to ${LIFETIME_MS_MAX}, was ${lifetimeMs}`);
  const terms = { symbol, side, quantity, limit, reason: printable(reason) };
  // A size that a limit would cut is refused: the caller named this one.
  const decidedAt = millis(Math.floor(at - waitedMs));
  return { ...terms, instrument, least: quantity, decidedAt, expiresAt: millis(decidedAt + lifetimeMs) };
}

type Parsed<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string };

function exact<T extends Price | Quantity>(name: string, parsed: Parsed<T>, decimals: number): T {
  if (!parsed.ok) throw new Refused("invalid", `${name}: ${parsed.error}`);
  const { value } = parsed;
  const places = String(value).split(".")[1]?.length ?? 0;
  if (places > decimals) throw new Refused("invalid", `${name} must have at most ${decimals} decimals, was ${value}`);
  return value;
}

/** How what a mint or a rail rests on is read. */
export type Lookup = {
  readonly executor: Executor;
  readonly profile: Profile;
  readonly limits: Limits;
  readonly assets: () => Promise<Reading<readonly ListedAsset[]>>;
  readonly ask: (ask: Ask) => Promise<Answer>;
  readonly depositAddress: (asset: Asset, blockchain: string) => Promise<Reading<string>>;
};

type Untimed<W extends MovementWish> = Omit<W, "decidedAt" | "expiresAt" | "reason">;
export type MovementContent = Untimed<MintWish> | Untimed<RailWish>;

export async function mintOf(given: NewMint, { executor, profile, limits, ...look }: Lookup): Promise<MovementContent> {
  const { blockchain, destination } = given;
  const asset = orRefuse(parseAsset(given.asset));
  const asked = orRefuse(Quantity.parse(given.quantity, "positive"));
  if (limits.mintMax[asset] === undefined)
    throw new Refused("RM03", `limits.mintMax must name the most of one mint of ${asset}`, "open the venue with it");
  refuseIf(whyNoDestination(destination, profile));
  const assets = await listed(look.assets());
  if (destination !== undefined) await requireOwn(destination, { blockchain, asset }, limits, look.ask);
  const minimum = profile.mintMinimum === "waived" ? undefined : MINT_MIN;
  const changes = await look.ask({ witness: "supply-changes", asset, class: "balance" });
  const rows = changes.witness === "supply-changes" ? changes.rows : [];
  const taken = [
    ...rows.flatMap((row) => row.quantity ?? []),
    ...executor.treasury.mintsSince(millis(0)).flatMap((one) => (one.asset === asset ? one.quantity : [])),
  ];
  const random = createRandom(randomInt(2 ** 47));
  const quantity = isSmallest(asset, asked, minimum)
    ? asked
    : orRefuse(saltedQuantity(asked, taken, { decimals: SALT_DECIMALS, random }));
  const answer = await look.ask({ witness: "balances", asset: undefined, class: "balance" });
  const seen = { assets, balances: answer.witness === "balances" ? answer.rows : [], quotes: [] };
  const cost = orRefuse(checkMint({ asset, blockchain, quantity }, seen, { feeBpsMax: limits.feeBpsMax, minimum }));
  return { kind: "mint", mint: { asset, blockchain, quantity, destination, ...cost, known: rows.map(idOfChange) } };
}

export async function railOf(given: NewRail, { limits, ...look }: Lookup): Promise<MovementContent> {
  const { type, sender, destination, memo, blockchain } = given;
  const [asset, currency] = [orRefuse(parseAsset(given.asset)), orRefuse(parseAsset(given.currency))];
  const rail: RailRequest = { type, sender, destination, memo, asset, currency, blockchain };
  const isIn = type === "FiatToStablecoin";
  const wallet = isIn ? { kind: "wallet" as const, chain: blockchain, address: destination } : undefined;
  await requireOwn(destination, isIn ? { blockchain, asset } : undefined, limits, look.ask);
  refuseIf(whyNotRailed({ rail, wallet }, await listed(look.assets()), undefined));
  const own = isIn ? await look.depositAddress(asset, blockchain) : undefined;
  const toAccount = own?.kind === "read" && own.value === destination;
  const answer = await look.ask({ witness: "rails", asset: undefined, class: "balance" });
  const known = answer.witness === "rails" ? answer.rows.map(({ railId }) => railId) : [];
  return { kind: "rail", rail: { ...rail, known, toAccount }, isAnother: false };
}

/** On the caller's list, and a wallet on the venue's too. */
async function requireOwn(
  destination: string,
  wallet: { readonly blockchain: string; readonly asset: Asset } | undefined,
  { destinations }: Limits,
  ask: Lookup["ask"],
): Promise<void> {
  if (!destinations.includes(destination))
    throw new Refused(
      "not-whitelisted",
      `limits.destinations must name ${quoted(destination)}`,
      "open the venue with it",
    );
  if (wallet === undefined) return;
  const answer = await ask({ witness: "addresses", asset: undefined, class: "balance" });
  const place = { kind: "wallet", chain: wallet.blockchain, address: destination } as const;
  refuseIf(whyNotWhitelisted(place, wallet.asset, answer.witness === "addresses" ? answer.rows : []));
}

async function listed<T>(reading: Promise<Reading<T>>): Promise<T> {
  const read = await reading;
  if (read.kind === "read") return read.value;
  throw read.kind === "failed"
    ? new Refused(read.failure.code, read.failure.message)
    : new Refused("dropped", read.reason);
}

function orRefuse<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Refused("invalid", parsed.error);
  return parsed.value;
}

function refuseIf(why: string | undefined): void {
  if (why !== undefined) throw new Refused("refused", why);
}

/** Coins that are traded against their own fiat, and so are minted. */
export function coinsIn(instruments: ReadonlyMap<PairSymbol, Instrument>): readonly Asset[] {
  const pairs = [...instruments.keys()].map(assetsOf);
  return [...new Set(pairs.flatMap(({ base, quote }) => (base === `V${quote}` ? base : [])))];
}
