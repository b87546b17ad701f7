// The checks that ask the venue and move nothing: first the public calls, then the signature, then what needs a valid one. One request
// at a time, each through the key's budget.

import { missingPairs } from "../../app/config/missing-pairs.ts";
import { assetsWithPrices } from "../../app/config/oddities.ts";
import { withEmbeddedVenue } from "../../app/config/paper-place.ts";
import { venueAddress } from "../../app/config/venue-address.ts";
import { type Finding, fine, problem, warning } from "../../app/finding.ts";
import { checkClock } from "../../app/owner/live-conditions.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Asset } from "../../domain/asset.ts";
import type { Balance } from "../../domain/balance.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { WireExchange } from "../../exchange/client.ts";
import { type ListedAsset, type Reading, unreadText } from "../../exchange/port.ts";
import type { Profile } from "../../exchange/profile.ts";
import { fieldCandidates } from "../../exchange/profile-candidates.ts";
import type { ListName, Shape } from "../../exchange/shape.ts";
import type { Check, Contact } from "./check.ts";
import { checkSignature, explainFailure, lineOf, mayTry, setProfile, type Unread, wanted } from "./signature.ts";

export const VENUE: readonly Check[] = [
  { name: "connection", needs: "venue", run: checkConnection },
  { name: "pairs", needs: "answers", run: checkPairList },
  { name: "quotes", needs: "answers", run: checkQuotes },
  { name: "signature", needs: "answers", run: checkSignature },
  {
    name: "balances",
    needs: "signature",
    run: ({ balances, config }) => checkBalances(balances, assetsWithPrices(config)),
  },
  { name: "addresses", needs: "signature", run: checkAddresses },
  { name: "history", needs: "signature", run: checkHistory },
  { name: "fields", needs: "signature", run: checkFields },
  { name: "shapes", needs: "signature", run: checkShapes },
];

function exchangeOf({ line, profile }: Contact, using = profile): WireExchange {
  return lineOf(line).speaking(using);
}

/** Reads a list, and keeps what its rows look like. */
async function examined<L extends ListName>(contact: Contact, list: L, asset?: Asset, using = contact.profile) {
  const { clock } = contact.shell;
  let begunAt: number | undefined;
  const begins = (): void => {
    begunAt = clock.monotonic();
  };
  const { reading, shape } = await exchangeOf(contact, using).examine(list, { ...wanted(clock), begins }, asset);
  if (begunAt !== undefined) contact.tookMs.push(clock.monotonic() - begunAt);
  if (shape !== undefined) keepShape(contact, shape);
  return reading;
}

export function keepShape({ shapes, met }: Pick<Contact, "shapes" | "met">, shape: Shape): void {
  shapes.push(shape);
  met.set(shape.list, shape);
}

/** Whether the venue itself answered, with any status. */
function wasAnswered(reading: Unread): boolean {
  return reading.kind === "failed" && reading.failure.status !== undefined;
}

function unread(check: string, reading: Unread, found: typeof problem = problem): Finding {
  const { cause, next } = explainFailure(reading);
  return found(check, cause, next);
}

/** From the first request, the list of assets: name, address, TLS, an answer in the form of the API, and its time. */
async function checkConnection(contact: Contact): Promise<readonly Finding[]> {
  const { protocol, host } = venueAddress(withEmbeddedVenue(contact.config));
  const assets = await exchangeOf(contact).assets(wanted(contact.shell.clock));
  if (assets.kind !== "read" && !wasAnswered(assets)) return [unread("connection", assets)];
  contact.has.add("answers");
  contact.assets = assets;
  const tls = protocol === "https:" ? "TLS in order" : "without TLS, on loopback";
  const found = [fine("connection", `${host} answers, ${tls}`)];
  if (assets.kind === "read") {
    contact.skewMs = assets.at === undefined ? undefined : assets.receivedAt - assets.at;
    found.push(checkClock(contact.skewMs));
  }
  return [...found, checkAssets(assets)];
}

function checkAssets(reading: Reading<readonly ListedAsset[]>): Finding {
  if (reading.kind !== "read") return unread("assets", reading);
  if (reading.value.length === 0) return problem("assets", "the venue lists no asset", "check venue.baseUrl");
  return fine("assets", reading.value.map(({ asset }) => asset).join(", "));
}

async function checkPairList(contact: Contact): Promise<readonly Finding[]> {
  const { config, profile } = contact;
  const found: Finding[] = [];
  let pairs = await examined(contact, "pairs");
  if (pairs.kind === "failed" && (pairs.failure.status === 404 || pairs.failure.status === 405)) {
    const other: Profile = { ...profile, tradingPairs: profile.tradingPairs === "get" ? "post" : "get" };
    const again = await examined(contact, "pairs", undefined, other);
    if (again.kind === "read") {
      found.push(setProfile("pairs", `the venue refuses ${profile.tradingPairs} (${pairs.failure.message})`, other));
      contact.profile = other;
      pairs = again;
    }
  }
  contact.pairs = pairs;
  return [...found, checkPairs(pairs, limitsOf(config).symbols, config.risk !== undefined)];
}

/**
 * With paper mode's default limits, which name pairs without a person's choice, a listed pair that is not online is
 * only a warning.
 */
function checkPairs(reading: Reading<readonly Instrument[]>, wanted: readonly string[], areNamed: boolean): Finding {
  if (reading.kind !== "read") return unread("pairs", reading);
  const online = new Set(reading.value.filter((pair) => pair.status === "online").map((pair): string => pair.symbol));
  const count = `${reading.value.length} listed, ${online.size} online`;
  const missing = missingPairs(wanted, reading.value, () => areNamed).map(({ symbol }) => symbol);
  if (missing.length > 0)
    return (areNamed || online.size === 0 ? problem : warning)(
      "pairs",
      `${missing.join(", ")} of ${areNamed ? "risk.symbols" : "paper mode's own limits"} cannot be traded now (${count})`,
      `pegbot pairs shows what can; ${areNamed ? "correct risk.symbols" : "name others in risk.symbols"}, or wait until the pair is online`,
    );
  if (online.size === 0) return problem("pairs", `no pair can be traded (${count})`, "ask the venue's support");
  const leftOut = reading.problems ?? [];
  if (leftOut.length === 0) return fine("pairs", count);
  const cause = `${count}; rows that cannot be read: ${leftOut.map(unreadText).join(", ")}`;
  return warning("pairs", cause, "these pairs cannot be traded with this version");
}

/** Not every venue has its own prices. */
async function checkQuotes(contact: Contact): Promise<readonly Finding[]> {
  const reading = await examined(contact, "quotes");
  if (reading.kind === "read") return [fine("quotes", `${reading.value.length} pairs have a price`)];
  if (reading.kind === "dropped" || reading.failure.code !== "not-available")
    return [unread("quotes", reading, warning)];
  contact.profile = { ...contact.profile, quotes: "absent" };
  const next = "set venue.profile.quotes to absent: that saves a request each time";
  return [
    fine(
      "quotes",
      "this venue has none; prices then come from reference feeds and from the outcomes of orders",
      reading.failure.status === undefined ? undefined : next,
    ),
  ];
}

/** `priced`: assets that may have a rate. Holding any other leaves equity unknown, and every order refused. */
function checkBalances(
  reading: Reading<readonly Balance[]> | undefined,
  priced: ReadonlySet<string>,
): readonly Finding[] {
  if (reading?.kind !== "read") return reading === undefined ? [] : [unread("balances", reading)];
  const held = reading.value.filter(({ available }) => !available.isZero());
  const cause = held.map(({ asset, available }) => `${available} ${asset}`).join(", ");
  const unpriced = held.filter(({ asset }) => !priced.has(asset)).map(({ asset }) => asset);
  if (unpriced.length > 0)
    return [
      warning(
        "balances",
        `${cause}; no pair of risk.symbols and no reference feed has ${unpriced.join(", ")}: without a rate of it equity is unknown, and every order is refused (RC05)`,
        "add a reference feed that has it to market.references, or a pair of it to risk.symbols, or take it off the account",
      ),
    ];
  if (held.length > 0) return [fine("balances", cause)];
  const next = "fund it: pegbot addresses --deposit ASSET@CHAIN shows where to send coins";
  return [warning("balances", "the account holds nothing that can be spent", next)];
}

async function checkAddresses(contact: Contact): Promise<readonly Finding[]> {
  const reading = await examined(contact, "addresses");
  if (reading.kind !== "read") return [unread("addresses", reading, isForbidden(reading) ? warning : problem)];
  const count = reading.value.length;
  const none = "none is whitelisted: coins can go to no wallet outside the account";
  return [fine("addresses", count > 0 ? `${count} whitelisted` : none)];
}

function isForbidden(reading: Unread): boolean {
  return reading.kind === "failed" && reading.failure.status === 403;
}

const CALLS = ["orders", "trades", "rails", "payments"] as const;
/** Without these two an order with a lost answer can never be resolved. */
const NEEDED: ReadonlySet<ListName> = new Set(["orders", "trades"]);

/** A key may lack permission for some of these calls and still work for all others. */
async function checkHistory(contact: Contact): Promise<readonly Finding[]> {
  const answered: string[] = [];
  const refused: Finding[] = [];
  for (const call of CALLS) {
    const reading: Reading<unknown> = await examined(contact, call);
    // Rows that cannot be read are the business of the check of shapes.
    if (reading.kind === "read" || (reading.kind === "failed" && reading.failure.code === "unreadable")) {
      answered.push(call);
      continue;
    }
    const need = NEEDED.has(call) ? "; an order whose answer was lost could not be looked up" : "";
    const { cause, next } = explainFailure(reading);
    refused.push((isForbidden(reading) ? warning : problem)("history", `${call}: ${cause}${need}`, next));
  }
  return [...(answered.length === 0 ? [] : [fine("history", `${answered.join(", ")} can be read`)]), ...refused];
}

/**
 * A call with fields shows whether fields are sent as a form or as JSON, and where they stand in the signing text. The
 * harmless one is querySupplyChanges; if it is refused, the other forms are tried, with permission.
 */
async function checkFields(contact: Contact): Promise<readonly Finding[]> {
  const { assets, pairs, profile } = contact;
  const asset =
    (pairs?.kind === "read" ? pairs.value[0]?.base : undefined) ??
    (assets?.kind === "read" ? (assets.value[0]?.asset as Asset | undefined) : undefined);
  if (asset === undefined) return [];
  const ask = (using: Profile): Promise<Reading<unknown>> => examined(contact, "supplyChanges", asset, using);
  const reading = await ask(profile);
  if (reading.kind === "read") return [fine("fields", `a call with fields is taken, sent as ${profile.formCalls}`)];
  const { cause, next } = explainFailure(reading);
  if (!isRefused(reading)) return [warning("fields", `querySupplyChanges: ${cause}`, next)];
  const said = `the venue refuses a call with fields, sent as ${profile.formCalls} (${cause})`;
  const others = fieldCandidates(profile);
  if (!(await mayTry(contact, others.length)))
    return [problem("fields", said, "pegbot doctor --try-signatures tries the other forms")];
  for (const other of others) {
    const answer = await ask(other);
    if (answer.kind === "read") {
      contact.profile = other;
      return [setProfile("fields", said, other)];
    }
    if (!isRefused(answer)) break;
  }
  const compare = "compare venue.profile with what the venue documents; orders and mints would be refused too";
  return [problem("fields", `${said}, and no other form was taken`, compare)];
}

function isRefused(reading: Reading<unknown>): boolean {
  return reading.kind === "failed" && ["unauthorized", "bad-request"].includes(reading.failure.code);
}

/** Sizes that a page of a list often has. */
export const PAGES: ReadonlySet<number> = new Set([10, 20, 25, 50, 100, 200, 500, 1_000]);

/**
 * What the answers looked like, list by list: recognised, unreadable with the switch that decides, cut off, or empty so
 * that nothing is known yet; and the profile lines that keep what was seen.
 */
export function checkShapes(contact: Contact): readonly Finding[] {
  const { shapes } = contact;
  const check = "shapes";
  const found: Finding[] = shapes.flatMap(({ list, unreadable }) =>
    unreadable.map((cause) =>
      (list === "pairs" || NEEDED.has(list) ? problem : warning)(
        check,
        `${list}: ${cause}`,
        "if it names a switch: set it in venue.profile",
      ),
    ),
  );
  for (const { list, rows, isAscending } of shapes.filter((one) => one.list !== "pairs" && one.list !== "quotes")) {
    const next = "ask the venue whether the list has pages: an order that is not on the first page would not be found";
    if (PAGES.has(rows)) found.push(warning(check, `${list}: exactly ${rows} rows, which may be a page of more`, next));
    if (isAscending)
      found.push(warning(check, `${list}: the oldest row comes first, so new ones may be cut off`, next));
  }
  const seen = shapes.filter(({ rows }) => rows > 0);
  if (seen.length > 0)
    found.push(fine(check, seen.map(({ list, rows, place }) => `${list}: ${rows} ${place}`).join("; ")));
  const empty = shapes.filter(({ rows, unreadable }) => rows === 0 && unreadable.length === 0).map(({ list }) => list);
  if (empty.length === 0) return found;
  const cause = `${empty.join(", ")}: no row yet, so nothing is known of their shape`;
  return [...found, warning(check, cause, "run pegbot doctor again after the first order, mint or rail")];
}
