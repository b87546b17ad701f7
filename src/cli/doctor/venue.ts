// All checks that ask the venue, in order: first those without a key, then the signature, then those that need a valid
// signature. One request at a time, each through the key's budget.

import { checkClock } from "../../app/bot/check-clock.ts";
import { limitsOf } from "../../app/bot/core-of.ts";
import { missingPairs } from "../../app/config/missing-pairs.ts";
import { assetsWithPrices } from "../../app/config/oddities.ts";
import { type DoctorReport, type Finding, fine, problem, skipped, warning } from "../../app/finding.ts";
import type { VenueLine } from "../../app/key/open-exchange.ts";
import type { Config } from "../../config/schema.ts";
import type { Asset } from "../../domain/asset.ts";
import type { Balance } from "../../domain/balance.ts";
import type { Instrument } from "../../domain/instrument.ts";
import { type Clock, mono } from "../../domain/time.ts";
import type { KeyBudget } from "../../exchange/budget/budget.ts";
import type { Examined } from "../../exchange/client.ts";
import { type ListedAsset, type Reading, unreadText, type Want, type WithdrawAddress } from "../../exchange/port.ts";
import type { Profile } from "../../exchange/profile.ts";
import { fieldCandidates } from "../../exchange/profile-candidates.ts";
import { type Shape, withShapes } from "../../exchange/shape.ts";
import { checkShapes } from "./shapes.ts";
import { checkSignature, explainFailure, type SearchHooks, setProfile, type Unread } from "./signature.ts";

/** A key that is busy for longer is a finding; doctor does not wait for ever. */
const WAIT_MS_MAX = 90_000;

type Venue = {
  readonly line: VenueLine;
  readonly budget: KeyBudget;
  readonly clock: Clock;
  readonly base: URL;
  readonly config: Config;
  /** As configured, with the key's curve. */
  readonly profile: Profile;
};

export async function checkVenue(venue: Venue, hooks: SearchHooks, report: DoctorReport): Promise<void> {
  const { line, budget, clock, base, config } = venue;
  let { profile } = venue;
  const want = (): Want => ({ class: "other", deadline: mono(clock.monotonic() + WAIT_MS_MAX) });
  let exchange = line.speaking(profile);
  const assets = await exchange.assets(want());
  report.add(checkConnection(assets, base, config.venue.proxy));
  if (assets.kind !== "read" && !wasAnswered(assets)) {
    const cause = "clock, pairs, quotes, signature, balances, addresses and history need a connection";
    return report.add(skipped("venue", cause));
  }
  report.add(checkClock(skewMs(assets, budget)), checkAssets(assets));
  const shapes: Shape[] = [];
  const noted = <R>({ reading, shape }: Examined<R>): Reading<readonly R[]> => {
    if (shape !== undefined) shapes.push(shape);
    return reading;
  };
  let pairs = noted(await exchange.examine("pairs", want()));
  if (pairs.kind === "failed" && (pairs.failure.status === 404 || pairs.failure.status === 405)) {
    const other: Profile = { ...profile, tradingPairs: profile.tradingPairs === "get" ? "post" : "get" };
    const again = await line.speaking(other).examine("pairs", want());
    if (again.reading.kind === "read") {
      report.add(setProfile("pairs", `the venue refuses ${profile.tradingPairs} (${pairs.failure.message})`, other));
      pairs = noted(again);
      profile = other;
      exchange = line.speaking(profile);
    }
  }
  report.add(checkPairs(pairs, limitsOf(config).symbols, config.risk !== undefined));
  const quotes = noted(await exchange.examine("quotes", want()));
  report.add(checkQuotes(quotes));
  const signature = await checkSignature((using) => line.speaking(using).balances(want()), profile, hooks);
  report.add(signature.finding);
  const { works } = signature;
  if (works === undefined)
    return report.add(skipped("account", "balances, addresses and history need a signature that the venue takes"));
  report.add(checkBalances(works.balances, assetsWithPrices(config)));
  let taken = works.profile;
  const account = line.speaking(works.profile);
  report.add(checkAddresses(noted(await account.examine("addresses", want()))));
  report.add(...(await checkHistory(async (list) => noted<unknown>(await account.examine(list, want())))));
  const asset =
    (pairs.kind === "read" ? pairs.value[0]?.base : undefined) ??
    (assets.kind === "read" ? assets.value[0]?.asset : undefined);
  if (asset !== undefined) {
    const ask = async (using: Profile): Promise<Reading<unknown>> =>
      noted(await line.speaking(using).examine("supplyChanges", want(), asset as Asset));
    const fields = await checkFields(ask, taken, hooks);
    report.add(fields.finding);
    taken = fields.profile;
  }
  report.add(...checkShapes(shapes, taken));
  const { profile: found } = withShapes(taken, shapes);
  hooks.found?.(isWithout(quotes) ? { ...found, quotes: "absent" } : found);
}

/** From this answer's Date; a failed reading does not carry it, but the ledger has recorded the skew. */
function skewMs(reading: Reading<unknown>, budget: KeyBudget): number | undefined {
  if (reading.kind !== "read") return budget.ledger.urgently(() => budget.ledger.status()).skewMs;
  return reading.at === undefined ? undefined : reading.receivedAt - reading.at;
}

/** Whether the venue itself answered, with any status. */
function wasAnswered(reading: Unread): boolean {
  return reading.kind === "failed" && reading.failure.status !== undefined;
}

function unread(check: string, reading: Unread, found: typeof problem = problem): Finding {
  const { cause, next } = explainFailure(reading);
  return found(check, cause, next);
}

/** From the first request, the list of assets: name, address, TLS, and an answer in the form of the API. */
function checkConnection(
  reading: Reading<readonly ListedAsset[]>,
  { protocol, host }: URL,
  proxy: string | undefined,
): Finding {
  if (reading.kind !== "read" && !wasAnswered(reading)) return unread("connection", reading);
  const way = proxy === undefined ? "" : ` through ${proxy}`;
  return fine(
    "connection",
    `${host} answers${way}, ${protocol === "https:" ? "TLS in order" : "without TLS, on loopback"}`,
  );
}

function checkAssets(reading: Reading<readonly ListedAsset[]>): Finding {
  if (reading.kind !== "read") return unread("assets", reading);
  if (reading.value.length === 0) return problem("assets", "the venue lists no asset", "check venue.baseUrl");
  return fine("assets", reading.value.map(({ asset }) => asset).join(", "));
}

/**
 * With paper mode's default limits, which name pairs without a person's choice, a listed pair that is not online is
 * only a warning.
 */
export function checkPairs(
  reading: Reading<readonly Instrument[]>,
  wanted: readonly string[],
  areNamed: boolean,
): Finding {
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

function isWithout(reading: Reading<unknown>): reading is Extract<Reading<unknown>, { kind: "failed" }> {
  return reading.kind === "failed" && reading.failure.code === "not-available";
}

/** Not every venue has its own prices. */
function checkQuotes(reading: Reading<readonly unknown[]>): Finding {
  if (reading.kind === "read") return fine("quotes", `${reading.value.length} pairs have a price`);
  if (!isWithout(reading)) return unread("quotes", reading, warning);
  return fine(
    "quotes",
    "this venue has none; prices then come from reference feeds and from the outcomes of orders",
    reading.failure.status === undefined
      ? undefined
      : "set venue.profile.quotes to absent: that saves a request each time",
  );
}

/** `priced`: assets that may have a rate. Holding any other leaves equity unknown, and every order refused. */
export function checkBalances(reading: Reading<readonly Balance[]>, priced: ReadonlySet<string>): Finding {
  if (reading.kind !== "read") return unread("balances", reading);
  const held = reading.value.filter(({ available }) => !available.isZero());
  const cause = held.map(({ asset, available }) => `${available} ${asset}`).join(", ");
  const unpriced = held.filter(({ asset }) => !priced.has(asset)).map(({ asset }) => asset);
  if (unpriced.length > 0)
    return warning(
      "balances",
      `${cause}; no pair of risk.symbols and no reference feed has ${unpriced.join(", ")}: without a rate of it equity is unknown, and every order is refused (RC05)`,
      "add a reference feed that has it to market.references, or a pair of it to risk.symbols, or take it off the account",
    );
  if (held.length > 0) return fine("balances", cause);
  return warning(
    "balances",
    "the account holds nothing that can be spent",
    "fund it: pegbot addresses --deposit ASSET@CHAIN shows where to send coins",
  );
}

function checkAddresses(reading: Reading<readonly WithdrawAddress[]>): Finding {
  if (reading.kind !== "read") return unread("addresses", reading, isForbidden(reading) ? warning : problem);
  const count = reading.value.length;
  return fine(
    "addresses",
    count > 0 ? `${count} whitelisted` : "none is whitelisted: coins can go to no wallet outside the account",
  );
}

function isForbidden(reading: Unread): boolean {
  return reading.kind === "failed" && reading.failure.status === 403;
}

const CALLS = ["orders", "trades", "rails", "payments"] as const;
/** Without these two an order with a lost answer can never be resolved. */
const NEEDED: ReadonlySet<string> = new Set(["orders", "trades"]);

/** A key may lack permission for some of these calls and still work for all others. */
async function checkHistory(
  look: (list: (typeof CALLS)[number]) => Promise<Reading<unknown>>,
): Promise<readonly Finding[]> {
  const answered: string[] = [];
  const refused: Finding[] = [];
  for (const call of CALLS) {
    const reading = await look(call);
    // Rows that cannot be read are the business of the check of shapes.
    if (reading.kind === "read" || (reading.kind === "failed" && reading.failure.code === "unreadable")) {
      answered.push(call);
      continue;
    }
    const { cause, next } = explainFailure(reading);
    const need = NEEDED.has(call) ? "; an order whose answer was lost could not be looked up" : "";
    refused.push(
      isForbidden(reading)
        ? warning("history", `${call}: ${cause}${need}`, next)
        : problem("history", `${call}: ${cause}`, next),
    );
  }
  return [...(answered.length === 0 ? [] : [fine("history", `${answered.join(", ")} can be read`)]), ...refused];
}

/**
 * A call with fields shows whether fields are sent as a form or as JSON, and where they stand in the signing text. The
 * harmless one is querySupplyChanges; if it is refused, the other forms are tried, with permission.
 */
async function checkFields(
  ask: (using: Profile) => Promise<Reading<unknown>>,
  profile: Profile,
  { permission }: Pick<SearchHooks, "permission">,
): Promise<{ readonly finding: Finding; readonly profile: Profile }> {
  const as = (finding: Finding, taken = profile) => ({ finding, profile: taken });
  const reading = await ask(profile);
  if (reading.kind === "read") return as(fine("fields", `a call with fields is taken, sent as ${profile.formCalls}`));
  const explained = explainFailure(reading);
  if (!isRefused(reading)) return as(warning("fields", `querySupplyChanges: ${explained.cause}`, explained.next));
  const said = `the venue refuses a call with fields, sent as ${profile.formCalls} (${explained.cause})`;
  const others = fieldCandidates(profile);
  if (!(await permission(others.length)))
    return as(problem("fields", said, "pegbot doctor --try-signatures tries the other forms"));
  for (const other of others) {
    const answer = await ask(other);
    if (answer.kind === "read") return as(setProfile("fields", said, other), other);
    if (!isRefused(answer)) break;
  }
  const next = "compare venue.profile with what the venue documents; orders and mints would be refused too";
  return as(problem("fields", `${said}, and no other form was taken`, next));
}

function isRefused(reading: Reading<unknown>): boolean {
  return reading.kind === "failed" && ["unauthorized", "bad-request"].includes(reading.failure.code);
}
