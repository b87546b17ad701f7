// Rules between sections, which no single field can check. They read the settings as written and ignore missing or
// malformed ones, so that they report together with the schema.

import type { Asset } from "../domain/asset.ts";
import { fiatOf } from "../domain/coin.ts";
import { exposureProblem } from "../domain/exposure.ts";
import { isLoopback } from "../domain/loopback.ts";
import { Quantity } from "../domain/money/money.ts";
import { printable, quoted } from "../domain/sanitise.ts";
import type { Path } from "./document.ts";

/** A broken rule. */
type Breach = { readonly path: Path; readonly text: string };

/** Reads a setting as written; undefined if absent. */
type Read = (...path: string[]) => unknown;

const ENVIRONMENT = "test";

export function brokenRules(data: unknown): Breach[] {
  const read = readerOf(data);
  const modes = [...liveRules(read), ...paperRules(read), ...keyRules(read)];
  const sections = [...referenceRules(read), ...protocolRules(read), ...noticeRules(read), ...serverRules(read)];
  const treasury = [...bandRules(read), ...railRules(read), ...peopleRules(read)];
  return [...modes, ...strayKeys(read), ...brokenLimitRules(data), ...sections, ...treasury];
}

/** Only the rules between limits. */
export function brokenLimitRules(data: unknown): Breach[] {
  const read = readerOf(data);
  return [...riskRules(read), ...limitRules(read)];
}

function readerOf(data: unknown): Read {
  return (...path) => path.reduce<unknown>((value, key) => (value as Record<string, unknown>)?.[key], data);
}

function mappingOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Par alone sees no coin leave its peg: only the de-peg limit bounds what that may cost. */
function parFairRules(read: Read): Breach[] {
  const named = listOf(read("market", "parFair")).map(String);
  const path: Path = ["market", "parFair"];
  const bandless = named.filter((symbol) => !Object.hasOwn(mappingOf(read("market", "par")), symbol));
  const limit = read("risk", "depegLossBpsMax");
  return [
    ...bandless.map((symbol) => ({ path, text: `names ${quoted(symbol)}, which market.par gives no band` })),
    ...(named.length > 0 && typeof limit === "string"
      ? [
          {
            path,
            text: "needs risk.depegLossBpsMax: without quotes nothing else bounds the loss of a coin off its peg",
          },
        ]
      : []),
  ];
}

/**
 * A key that no other setting refers to is a misspelling. If that other setting is absent or malformed, nothing is
 * compared.
 */
function strayKeys(read: Read): Breach[] {
  const symbols = read("risk", "symbols");
  const feeds = listOf(read("market", "references")).map(mappingOf);
  const fed = feeds.flatMap((feed) => [...listOf(feed.symbols), ...listOf(feed.derive)]);
  const isPair = (symbol: string): boolean => !Array.isArray(symbols) || symbols.includes(symbol);
  const isTraded = (asset: string): boolean =>
    !Array.isArray(symbols) || symbols.some((symbol) => String(symbol).split("/").includes(asset));
  const isPriced = (symbol: string): boolean => isPair(symbol) || fed.includes(symbol);
  const rails = mappingOf(read("treasury", "rails"));
  return [
    ...stray(read, "market.par", isPair, ", which risk.symbols does not list"),
    ...parFairRules(read),
    ...["market.bands", "market.sourcesMin"].flatMap((path) =>
      stray(read, path, isPriced, ", which neither risk.symbols nor a reference feed lists"),
    ),
    ...stray(read, "journal.openingCosts", isTraded, ", which is in no pair of risk.symbols"),
    ...["treasury.mint.quantityMax", "treasury.mint.perDayMax"].flatMap((path) =>
      stray(read, path, isTraded, ", which no symbol of risk.symbols has"),
    ),
    ...stray(
      read,
      "treasury.planning.rails",
      (name) => Object.hasOwn(rails, name),
      ", which treasury.rails does not have",
    ),
    // An asset that stands for no fiat cannot be minted.
    ...stray(
      read,
      "treasury.planning.mints",
      (coin) => fiatOf(coin as Asset) !== undefined,
      ": only a coin that stands for its fiat, like VCHF, is minted",
    ),
  ];
}

function stray(read: Read, path: string, isKnown: (key: string) => boolean, why: string): Breach[] {
  const keys = path.split(".");
  return Object.keys(mappingOf(read(...keys)))
    .filter((key) => !isKnown(key))
    .map((key) => ({ path: [...keys, key], text: `${path} names ${printable(key, 40)}${why}` }));
}

/** The places of a list that repeat an earlier text. */
function repeated(texts: readonly unknown[]): readonly (readonly [place: number, text: string])[] {
  return texts.flatMap((text, place) =>
    typeof text === "string" && texts.indexOf(text) < place ? [[place, printable(text, 40)] as const] : [],
  );
}

/** The first of each bounds a part of the second: above the second it would never apply. */
const NARROWER: readonly (readonly [narrow: string, wide: string])[] = [
  ["collarBps", "collarHardBps"],
  ["assetExposureMax", "grossExposureMax"],
  ["ordersPerMinuteMax", "ordersPerDayMax"],
  ["turnoverPerHourMax", "turnoverPerDayMax"],
  ["rejectsPerSymbolMax", "rejectsMax"],
  ["doubtsPerAssetMax", "doubtsMax"],
];

/** With real money no setting may be less careful than this. */
const LIVE_PROTOCOL: readonly (readonly [key: string, bound: "at least" | "at most", value: number])[] = [
  ["windowMsMin", "at least", 120_000],
  ["windowPerDelay", "at least", 10],
  ["negatives", "at least", 3],
  ["releaseBpsMax", "at most", 100],
  ["acknowledgedMin", "at least", 200],
  ["escalateAfterMs", "at most", 900_000],
  ["balancesMsMax", "at least", 120_000],
];

function liveRules(read: Read): Breach[] {
  if (read("mode") !== "live") return [];
  const sentence = `trade real money on ${read("venue", "environment") ?? ENVIRONMENT}`;
  const confirmed = read("confirm");
  const breaches: Breach[] = [];
  if (confirmed === undefined) breaches.push({ path: ["mode"], text: `live mode needs confirm: "${sentence}"` });
  else if (confirmed !== sentence)
    breaches.push({ path: ["confirm"], text: `confirm must be "${sentence}", was ${quoted(confirmed, 60)}` });
  const baseUrl = read("venue", "baseUrl");
  if (baseUrl === undefined) breaches.push({ path: ["mode"], text: "live mode needs venue.baseUrl" });
  // The schema checks that it is an address, and refuses plain http elsewhere.
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
  const path = ["key", "passphraseFile"];
  const isStray = read(...path) !== undefined && read("key", "keystore") === undefined;
  return [
    ...(isStray ? [{ path, text: "key.passphraseFile belongs to key.keystore only" }] : []),
    ...exactlyOne(read, ["key"], ["file", "env", "keystore"]),
  ];
}

/** For a section that is present. */
function exactlyOne(read: Read, section: readonly string[], names: readonly string[]): Breach[] {
  const given = names.filter((name) => read(...section, name) !== undefined);
  const written = read(...section);
  if (typeof written !== "object" || written === null || given.length === 1) return [];
  const were = given.length === 0 ? "there is none" : `there are ${given.join(", ")}`;
  return [{ path: section, text: `${section.join(".")} needs exactly one of ${names.join(", ")}, ${were}` }];
}

function riskRules(read: Read): Breach[] {
  const symbols = read("risk", "symbols");
  if (!Array.isArray(symbols)) return [];
  const quantities = read("risk", "orderQuantityMax");
  const twice = repeated(symbols).map(([place, symbol]) => ({
    path: ["risk", "symbols", place],
    text: `risk.symbols[${place}] must be a pair of its own, ${symbol} is there twice`,
  }));
  if (typeof quantities !== "object" || quantities === null) return twice;
  const unlimited = [...new Set(symbols)]
    .filter((symbol) => typeof symbol === "string")
    .filter((symbol) => !Object.hasOwn(quantities, symbol))
    .map((symbol) => ({
      path: ["risk", "orderQuantityMax"],
      text: `risk.orderQuantityMax must name ${printable(symbol, 40)}`,
    }));
  const isListed = (symbol: string): boolean => symbols.includes(symbol);
  const why = ", which risk.symbols does not list";
  return [...twice, ...unlimited, ...stray(read, "risk.orderQuantityMax", isListed, why)];
}

/** A limit that is off bounds nothing, and the schema reports malformed ones. */
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
  const reads = read("server", "reads");
  const problem = exposureProblem({
    host: printable(host, 60),
    reads: reads === "open" || reads === "token" ? reads : undefined,
    tls: read("server", "tls"),
    names: Array.isArray(names) ? names : [],
  });
  return problem === undefined ? [] : [{ path: ["server", "host"], text: problem }];
}

/** A rail to an unknown destination is a misspelling. */
function railRules(read: Read): Breach[] {
  const destinations = mappingOf(read("treasury", "destinations"));
  return Object.entries(mappingOf(read("treasury", "rails"))).flatMap(([name, rail]) => {
    const { to, direction } = mappingOf(rail);
    if (typeof to !== "string") return [];
    const kind = direction === "off" ? "bank" : "wallet";
    const found = Object.hasOwn(destinations, to) ? mappingOf(destinations[to]).kind : undefined;
    if (found === kind) return [];
    const was = found === undefined ? "there is none" : `it is a ${printable(String(found), 20)}`;
    const text = `treasury.rails.${printable(name, 40)}.to must name a ${kind} of treasury.destinations: ${printable(to, 40)}, ${was}`;
    return [{ path: ["treasury", "rails", name, "to"], text }];
  });
}

/** No edge of a band may be above a later one. */
const EDGES = ["low", "target", "high"] as const;

function bandRules(read: Read): Breach[] {
  return Object.entries(mappingOf(read("treasury", "targets"))).flatMap(([holding, written]) => {
    const band = mappingOf(written);
    const name = `treasury.targets.${printable(holding, 40)}`;
    const path = ["treasury", "targets", holding];
    if (band === written && EDGES.every((edge) => band[edge] === undefined))
      return [{ path, text: `${name} must name at least one of low, target and high` }];
    return EDGES.flatMap((lower, i) =>
      EDGES.slice(i + 1)
        .filter((upper) => isAbove(band[lower], band[upper]))
        .map((upper) => ({ path: [...path, lower], text: `${name}: ${lower} must not be above ${upper}` })),
    );
  });
}

function isAbove(one: unknown, other: unknown): boolean {
  const [least, most] = [Quantity.parse(one), Quantity.parse(other)];
  return least.ok && most.ok && least.value.moreThan(most.value);
}

function peopleRules(read: Read): Breach[] {
  const persons = read("treasury", "approvals", "persons");
  const people = listOf(read("treasury", "approvals", "people")).map(mappingOf);
  const breaches: Breach[] = repeated(people.map(({ name }) => name))
    .slice(0, 1)
    .map(([, text]) => ({
      path: ["treasury", "approvals", "people"],
      text: `treasury.approvals.people must be different, was ${text} twice`,
    }));
  if (typeof persons !== "number" || persons <= 1 || people.length >= persons) return breaches;
  const text = `treasury.approvals.persons is ${persons}, and ${people.length} may approve: name them in people`;
  return [...breaches, { path: ["treasury", "approvals", "persons"], text }];
}

/** The names of feeds must differ, and live mode must not use recorded prices. */
function referenceRules(read: Read): Breach[] {
  const feeds = listOf(read("market", "references")).map(mappingOf);
  const at = (place: number, key: string, text: string): Breach => ({
    path: ["market", "references", place, key],
    text: `market.references[${place}]${text}`,
  });
  const names = repeated(feeds.map(({ name }) => name));
  const isLive = read("mode") === "live";
  const isOff = ["collarBps", "collarHardBps"].every((key) => typeof read("risk", key) === "string");
  // The weekend's collar narrows the normal one, which must therefore be on.
  const text = "market.weekend is collar, but risk.collarBps and risk.collarHardBps are off";
  return [
    ...names.map(([place, name]) => at(place, "name", `.name must be its own, ${name} is there twice`)),
    ...feeds.flatMap(({ kind, symbols, derive }, place) => [
      ...(isLive && kind === "recorded"
        ? [at(place, "kind", " is recorded: live mode rests on no prices of the past")]
        : []),
      // A feed does not derive a pair that it asks for.
      ...listOf(derive)
        .filter((symbol) => listOf(symbols).includes(symbol))
        .map((symbol) =>
          at(place, "derive", `.derive names ${printable(String(symbol), 40)}, which is in its symbols`),
        ),
    ]),
    ...(read("market", "weekend") === "collar" && isOff ? [{ path: ["market", "weekend"], text }] : []),
  ];
}

/** Amounts are quoted, counts and basis points are not. */
function sizeOf(written: unknown): Quantity | undefined {
  const isNumber = typeof written === "number" && Number.isSafeInteger(written);
  const size = Quantity.parse(isNumber ? String(written) : written);
  return size.ok ? size.value : undefined;
}

/** Each secret has exactly one source. */
function noticeRules(read: Read): Breach[] {
  return [
    ...exactlyOne(read, ["notices", "webhook"], ["url", "urlFile", "urlEnv"]),
    ...exactlyOne(read, ["notices", "telegram"], ["tokenFile", "tokenEnv"]),
  ];
}
