// What no single field can know: rules between sections. They look at the settings as written and pass over what is
// missing or malformed, so that they speak in the same round as the schema.

import { exposureProblem } from "../domain/exposure.ts";
import { isLoopback } from "../domain/loopback.ts";
import { Quantity } from "../domain/money/money.ts";
import { printable, quoted } from "../domain/outside-text.ts";
import type { Breach, Read } from "./breach.ts";
import { planRules } from "./plan-rule.ts";
import { referenceRules } from "./reference-rule.ts";

const ENVIRONMENT = "test";

export function brokenRules(data: unknown): Breach[] {
  const read = readerOf(data);
  const between = [
    ...liveRules(read),
    ...paperRules(read),
    ...keyRules(read),
    ...parRules(read),
    ...costRules(read),
    ...referenceRules(read),
  ];
  const sections = [...brokenLimitRules(data), ...protocolRules(read), ...noticeRules(read)];
  return [...between, ...sections, ...treasuryRules(read), ...planRules(read), ...serverRules(read)];
}

/** Those between limits alone. */
export function brokenLimitRules(data: unknown): Breach[] {
  const read = readerOf(data);
  return [...riskRules(read), ...limitRules(read)];
}

function readerOf(data: unknown): Read {
  return (...path) => path.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], data);
}

/** The first of each bounds a part of what the second bounds: above it, it would never hold. */
const NARROWER: readonly (readonly [narrow: string, wide: string])[] = [
  ["collarBps", "collarHardBps"],
  ["assetExposureMax", "grossExposureMax"],
  ["ordersPerMinuteMax", "ordersPerDayMax"],
  ["turnoverPerHourMax", "turnoverPerDayMax"],
  ["rejectsPerSymbolMax", "rejectsMax"],
  ["doubtsPerAssetMax", "doubtsMax"],
];

/** With real money nothing is less careful than this. */
const LIVE_PROTOCOL: readonly (readonly [key: string, bound: "at least" | "at most", value: number])[] = [
  ["windowMsMin", "at least", 120_000],
  ["windowPerDelay", "at least", 10],
  ["negatives", "at least", 3],
  ["releaseBpsMax", "at most", 100],
  ["acknowledgedMin", "at least", 200],
  ["escalateAfterMs", "at most", 900_000],
  ["balancesMsMax", "at least", 120_000],
];

function confirmation(environment: string): string {
  return `trade real money on ${environment}`;
}

function liveRules(read: Read): Breach[] {
  if (read("mode") !== "live") return [];
  const sentence = confirmation(String(read("venue", "environment") ?? ENVIRONMENT));
  const confirmed = read("confirm");
  const breaches: Breach[] = [];
  if (confirmed === undefined) breaches.push({ path: ["mode"], text: `live mode needs confirm: "${sentence}"` });
  else if (confirmed !== sentence)
    breaches.push({ path: ["confirm"], text: `confirm must be "${sentence}", was ${quoted(confirmed, 60)}` });
  const baseUrl = read("venue", "baseUrl");
  if (baseUrl === undefined) breaches.push({ path: ["mode"], text: "live mode needs venue.baseUrl" });
  // What is not even an address is the schema's business; plain http anywhere else too.
  const address = typeof baseUrl === "string" ? URL.parse(baseUrl) : null;
  if (address?.protocol === "http:" && isLoopback(address.hostname))
    breaches.push({
      path: ["venue", "baseUrl"],
      text: `venue.baseUrl must be https in live mode, was http on ${printable(address.host, 60)}`,
    });
  for (const section of ["key", "risk"])
    if (read(section) === undefined) breaches.push({ path: ["mode"], text: `live mode needs the section ${section}` });
  if (read("market", "source") !== undefined)
    breaches.push({ path: ["market", "source"], text: "market.source is a simulator's market: live mode takes none" });
  return breaches;
}

function paperRules(read: Read): Breach[] {
  const baseUrl = read("venue", "baseUrl");
  if ((read("mode") ?? "paper") !== "paper" || typeof baseUrl !== "string") return [];
  const breaches: Breach[] = [];
  const host = URL.parse(baseUrl)?.hostname;
  if (host !== undefined && !isLoopback(host))
    breaches.push({ path: ["venue", "baseUrl"], text: `paper mode talks to loopback only, venue.baseUrl was ${host}` });
  if (read("market", "source") !== undefined)
    breaches.push({
      path: ["market", "source"],
      text: "market.source must not be set beside venue.baseUrl: the prices are those of the simulator there",
    });
  return breaches;
}

function keyRules(read: Read): Breach[] {
  const key = read("key");
  if (typeof key !== "object" || key === null) return [];
  const breaches: Breach[] = [];
  if (read("key", "passphraseFile") !== undefined && read("key", "keystore") === undefined)
    breaches.push({ path: ["key", "passphraseFile"], text: "key.passphraseFile belongs to key.keystore only" });
  const given = ["file", "env", "keystore"].filter((name) => read("key", name) !== undefined);
  if (given.length === 1) return breaches;
  const were = given.length === 0 ? "there is none" : `there are ${given.join(", ")}`;
  return [...breaches, { path: ["key"], text: `key needs exactly one of file, env and keystore, ${were}` }];
}

/** A price of what may not be traded is a misspelling. */
function parRules(read: Read): Breach[] {
  const symbols = read("risk", "symbols");
  const par = read("market", "par");
  if (!Array.isArray(symbols) || typeof par !== "object" || par === null) return [];
  return Object.keys(par)
    .filter((symbol) => !symbols.includes(symbol))
    .map((symbol) => ({
      path: ["market", "par", symbol],
      text: `market.par names ${printable(symbol, 40)}, which risk.symbols does not list`,
    }));
}

/** The cost of a coin in no pair is a misspelling. */
function costRules(read: Read): Breach[] {
  const symbols = read("risk", "symbols");
  const costs = read("journal", "openingCosts");
  if (!Array.isArray(symbols) || typeof costs !== "object" || costs === null) return [];
  return Object.keys(costs)
    .filter((asset) => !symbols.some((symbol) => String(symbol).split("/").includes(asset)))
    .map((asset) => ({
      path: ["journal", "openingCosts", asset],
      text: `journal.openingCosts names ${printable(asset, 40)}, which is in no pair of risk.symbols`,
    }));
}

function riskRules(read: Read): Breach[] {
  const symbols = read("risk", "symbols");
  if (!Array.isArray(symbols)) return [];
  const twice = symbols.flatMap((symbol, place) =>
    typeof symbol === "string" && symbols.indexOf(symbol) < place
      ? [
          {
            path: ["risk", "symbols", place],
            text: `risk.symbols[${place}] must be a pair of its own, ${printable(symbol, 40)} is there twice`,
          },
        ]
      : [],
  );
  return [...twice, ...quantityRules(read, symbols)];
}

function quantityRules(read: Read, symbols: readonly unknown[]): Breach[] {
  const quantities = read("risk", "orderQuantityMax");
  if (typeof quantities !== "object" || quantities === null) return [];
  const unlimited = [...new Set(symbols)]
    .filter((symbol) => typeof symbol === "string")
    .filter((symbol) => !Object.hasOwn(quantities, symbol))
    .map((symbol) => ({
      path: ["risk", "orderQuantityMax"],
      text: `risk.orderQuantityMax must name ${printable(symbol, 40)}`,
    }));
  const unlisted = Object.keys(quantities)
    .filter((symbol) => !symbols.includes(symbol))
    .map((symbol) => ({
      path: ["risk", "orderQuantityMax", symbol],
      text: `risk.orderQuantityMax names ${printable(symbol, 40)}, which risk.symbols does not list`,
    }));
  return [...unlimited, ...unlisted];
}

/** A limit that is off bounds nothing, and what is malformed is the schema's business. */
function limitRules(read: Read): Breach[] {
  return NARROWER.flatMap(([narrow, wide]) => {
    const [written, bound] = [read("risk", narrow), read("risk", wide)];
    const [value, most] = [sizeOf(written), sizeOf(bound)];
    if (typeof written !== typeof bound || value === undefined || most === undefined || value.atMost(most)) return [];
    const text = `risk.${narrow} must be at most risk.${wide}, ${most}, was ${value}`;
    return [{ path: ["risk", narrow], text }];
  });
}

function protocolRules(read: Read): Breach[] {
  if (read("mode") !== "live") return [];
  return LIVE_PROTOCOL.flatMap(([key, bound, value]) => {
    const written = read("protocol", key);
    if (typeof written !== "number" || (bound === "at least" ? written >= value : written <= value)) return [];
    return [
      { path: ["protocol", key], text: `protocol.${key} must be ${bound} ${value} in live mode, was ${written}` },
    ];
  });
}

function serverRules(read: Read): Breach[] {
  const host = read("server", "host");
  if (typeof host !== "string") return [];
  const names = read("server", "names");
  const problem = exposureProblem({
    host: printable(host, 60),
    exposed: read("server", "exposed") === true,
    tls: read("server", "tls"),
    names: Array.isArray(names) ? names : [],
  });
  return problem === undefined ? [] : [{ path: ["server", "host"], text: problem }];
}

/** A bound of a coin that is not traded, and a rail to nowhere, are misspellings. */
function treasuryRules(read: Read): Breach[] {
  const symbols = read("risk", "symbols");
  const traded = Array.isArray(symbols) ? symbols.flatMap((symbol) => String(symbol).split("/")) : undefined;
  const bounds = ["quantityMax", "perDayMax"].flatMap((name) =>
    Object.keys(mappingOf(read("treasury", "mint", name)))
      .filter((coin) => traded !== undefined && !traded.includes(coin))
      .map((coin) => ({
        path: ["treasury", "mint", name, coin],
        text: `treasury.mint.${name} names ${printable(coin, 40)}, which no symbol of risk.symbols has`,
      })),
  );
  const destinations = mappingOf(read("treasury", "destinations"));
  const rails = Object.entries(mappingOf(read("treasury", "rails"))).flatMap(([name, rail]) => {
    const { to, direction } = mappingOf(rail);
    if (typeof to !== "string") return [];
    const kind = direction === "off" ? "bank" : "wallet";
    const found = Object.hasOwn(destinations, to) ? mappingOf(destinations[to]).kind : undefined;
    if (found === kind) return [];
    const was = found === undefined ? "there is none" : `it is a ${printable(String(found), 20)}`;
    const text = `treasury.rails.${printable(name, 40)}.to must name a ${kind} of treasury.destinations: ${printable(to, 40)}, ${was}`;
    return [{ path: ["treasury", "rails", name, "to"], text }];
  });
  return [...bounds, ...rails];
}

function mappingOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Amounts are quoted, counts and basis points are not. */
function sizeOf(written: unknown): Quantity | undefined {
  const isNumber = typeof written === "number" && Number.isSafeInteger(written);
  const size = Quantity.parse(isNumber ? String(written) : written);
  return size.ok ? size.value : undefined;
}

// Rules between settings of the messages to people.

/** Each secret stands in one place, and mail leaves this machine encrypted only. */
function noticeRules(read: Read): Breach[] {
  const breaches: Breach[] = [];
  const one = (section: string, names: readonly string[]): void => {
    if (read("notices", section) === undefined) return;
    const given = names.filter((name) => read("notices", section, name) !== undefined);
    if (given.length === 1) return;
    const were = given.length === 0 ? "there is none" : `there are ${given.join(", ")}`;
    breaches.push({
      path: ["notices", section],
      text: `notices.${section} needs exactly one of ${names.join(", ")}, ${were}`,
    });
  };
  one("webhook", ["url", "urlFile", "urlEnv"]);
  one("telegram", ["tokenFile", "tokenEnv"]);
  if (read("notices", "email", "user") !== undefined) one("email", ["passwordFile", "passwordEnv"]);
  const host = read("notices", "email", "host");
  if (read("notices", "email", "security") === "none" && typeof host === "string" && !isLoopback(host))
    breaches.push({
      path: ["notices", "email", "security"],
      text: `notices.email.security may be none only on this machine, notices.email.host was ${printable(host, 60)}`,
    });
  return breaches;
}
