// Rules between sections, which no single field can check, on settings that the schema accepted.

import type { Asset } from "../domain/asset.ts";
import { fiatOf } from "../domain/coin.ts";
import { exposureProblem } from "../domain/exposure.ts";
import { isLoopback } from "../domain/loopback.ts";
import { quoted } from "../domain/sanitise.ts";
import { type Limits, unlessOff } from "../risk/limits.ts";
import type { Path } from "./document.ts";
import type { Config } from "./schema.ts";
import { EVERY } from "./section/rebalancing.ts";
import { targetsOf } from "./targets-of.ts";

type Breach = { readonly path: Path; readonly text: string };
type Breaches = readonly Breach[];

export function brokenRules(config: Config): Breaches {
  const { key, notices, risk, server } = config;
  const exposure = exposureProblem(server);
  return [
    ...(config.mode === "live" ? liveRules(config) : []),
    ...(config.mode === "paper" ? paperRules(config) : realRules(config)),
    ...(key === undefined ? [] : exactlyOne(["key"], key, ["file", "env", "keystore"])),
    ...when(
      key?.passphraseFile !== undefined && key.keystore === undefined,
      ["key", "passphraseFile"],
      "key.passphraseFile belongs to key.keystore only",
    ),
    ...strayKeys(config),
    ...(risk === undefined ? [] : brokenLimitRules(risk)),
    ...marketRules(config),
    ...(notices.webhook ? exactlyOne(["notices", "webhook"], notices.webhook, ["url", "urlFile", "urlEnv"]) : []),
    ...(notices.telegram ? exactlyOne(["notices", "telegram"], notices.telegram, ["tokenFile", "tokenEnv"]) : []),
    ...approverRules(config),
    ...when(exposure !== undefined, ["server", "host"], exposure ?? ""),
    ...treasuryRules(config),
    ...conversionRules(config),
  ];
}

function when(isBroken: boolean, path: Path, text: string): Breaches {
  return isBroken ? [{ path, text }] : [];
}

/** One person with a token and a phone must not count as two. */
function approverRules({ notices: { telegram }, treasury: { approvals } }: Config): Breaches {
  if (telegram === undefined || telegram.approvers.length === 0) return [];
  const path = ["notices", "telegram", "approvers"];
  return [
    ...when(!telegram.commands, path, "notices.telegram.approvers needs notices.telegram.commands: true"),
    ...when(
      approvals.persons > 1 && approvals.people.length === 0,
      path,
      "notices.telegram.approvers with treasury.approvals.persons 2 needs treasury.approvals.people: who counts, each once",
    ),
  ];
}

/** With real money no setting may be less careful than this. */
const LIVE_PROTOCOL = [
  ["windowMsMin", "at least", 120_000],
  ["windowPerDelay", "at least", 10],
  ["negatives", "at least", 3],
  ["releaseBpsMax", "at most", 100],
  ["acknowledgedMin", "at least", 200],
  ["escalateAfterMs", "at most", 900_000],
  ["balancesMsMax", "at least", 120_000],
] as const;

function liveRules({ confirm, venue, protocol }: Config): Breaches {
  const sentence = `trade real money on ${venue.environment}`;
  return [
    ...when(confirm === undefined, ["mode"], `live mode needs confirm: "${sentence}"`),
    ...when(
      confirm !== undefined && confirm !== sentence,
      ["confirm"],
      `confirm must be "${sentence}", was ${quoted(confirm, 60)}`,
    ),
    ...LIVE_PROTOCOL.flatMap(([name, bound, value]) => {
      const isBroken = bound === "at least" ? protocol[name] < value : protocol[name] > value;
      const text = `protocol.${name} must be ${bound} ${value} in live mode, was ${protocol[name]}`;
      return when(isBroken, ["protocol", name], text);
    }),
  ];
}

/** Shadow is asked for what live is, so that one word leads from one to the other. */
function realRules({ mode, venue, key, risk, market }: Config): Breaches {
  const address = venue.baseUrl === undefined ? null : URL.parse(venue.baseUrl);
  return [
    ...when(venue.baseUrl === undefined, ["mode"], `${mode} mode needs venue.baseUrl`),
    // The schema refuses plain http elsewhere.
    ...when(
      mode === "live" && address?.protocol === "http:" && isLoopback(address.hostname),
      ["venue", "baseUrl"],
      `venue.baseUrl must be https in live mode, was http on ${address?.host}`,
    ),
    ...when(key === undefined, ["mode"], `${mode} mode needs the section key`),
    ...when(risk === undefined, ["mode"], `${mode} mode needs the section risk`),
    ...when(
      market.source !== undefined,
      ["market", "source"],
      `market.source is a simulator's market: ${mode} mode takes none`,
    ),
    ...market.references.flatMap(({ kind }, place) =>
      when(
        kind === "recorded",
        ["market", "references", place, "kind"],
        `market.references[${place}] is recorded: ${mode} mode rests on no prices of the past`,
      ),
    ),
  ];
}

function paperRules({ venue, market }: Config): Breaches {
  const host = venue.baseUrl === undefined ? undefined : URL.parse(venue.baseUrl)?.hostname;
  if (host === undefined) return [];
  const text = `paper mode talks to loopback only, venue.baseUrl was ${host}`;
  const source = "market.source must not be set beside venue.baseUrl: the prices are those of the simulator there";
  return [
    ...when(!isLoopback(host), ["venue", "baseUrl"], text),
    ...when(market.source !== undefined, ["market", "source"], source),
  ];
}

function exactlyOne(section: readonly string[], written: object, names: readonly string[]): Breaches {
  const given = names.filter((name) => (written as Readonly<Record<string, unknown>>)[name] !== undefined);
  const were = given.length === 0 ? "there is none" : `there are ${given.join(", ")}`;
  const text = `${section.join(".")} needs exactly one of ${names.join(", ")}, ${were}`;
  return when(given.length !== 1, section, text);
}

/** A key that no other setting refers to is a misspelling. Without limits of its own the pairs are those of the simulator. */
function strayKeys({ market, journal, treasury, risk, shadow }: Config): Breaches {
  const symbols: readonly string[] | undefined = risk?.symbols;
  const fed = market.references.flatMap((feed) => [...feed.symbols, ...("derive" in feed ? feed.derive : [])]);
  const isPair = (symbol: string): boolean => symbols?.includes(symbol) !== false;
  const isTraded = (asset: string): boolean => symbols?.some((symbol) => symbol.split("/").includes(asset)) !== false;
  const isPriced = (symbol: string): boolean => isPair(symbol) || fed.includes(symbol);
  const unlisted = ", which neither risk.symbols nor a reference feed lists";
  const untraded = ", which no symbol of risk.symbols has";
  const { mint, planning, rails } = treasury;
  return [
    ...stray(["market", "par"], market.par, isPair, ", which risk.symbols does not list"),
    ...stray(["market", "bands"], market.bands, isPriced, unlisted),
    ...stray(["market", "sourcesMin"], market.sourcesMin, isPriced, unlisted),
    ...stray(["shadow", "funds"], shadow.funds, isTraded, untraded),
    ...stray(["journal", "openingCosts"], journal.openingCosts, isTraded, ", which is in no pair of risk.symbols"),
    ...stray(["treasury", "mint", "quantityMax"], mint.quantityMax, isTraded, untraded),
    ...stray(["treasury", "mint", "perDayMax"], mint.perDayMax, isTraded, untraded),
    ...stray(
      ["treasury", "planning", "rails"],
      planning.rails,
      (name) => Object.hasOwn(rails, name),
      ", which treasury.rails does not have",
    ),
    // An asset that stands for no fiat cannot be minted.
    ...stray(
      ["treasury", "planning", "mints"],
      planning.mints,
      (coin) => fiatOf(coin as Asset) !== undefined,
      ": only a coin that stands for its fiat, like VCHF, is minted",
    ),
  ];
}

function stray(path: Path, mapping: object = {}, isKnown: (key: string) => boolean, why: string): Breaches {
  const unknown = Object.keys(mapping).filter((key) => !isKnown(key));
  return unknown.map((key) => ({ path: [...path, key], text: `${path.join(".")} names ${key}${why}` }));
}

/** The places of a list that repeat an earlier text. */
function repeated(texts: readonly string[]): readonly (readonly [place: number, text: string])[] {
  return [...texts.entries()].filter(([place, text]) => texts.indexOf(text) < place);
}

/** The first of each bounds a part of the second: above the second it would never apply. */
const NARROWER = [
  ["collarBps", "collarHardBps"],
  ["assetExposureMax", "grossExposureMax"],
  ["ordersPerMinuteMax", "ordersPerDayMax"],
  ["turnoverPerHourMax", "turnoverPerDayMax"],
  ["rejectsPerSymbolMax", "rejectsMax"],
  ["doubtsPerAssetMax", "doubtsMax"],
] as const;

/** Only the rules between limits. */
export function brokenLimitRules(limits: Limits): Breaches {
  const { symbols } = limits;
  const quantities = unlessOff(limits.orderQuantityMax);
  const path = ["risk", "orderQuantityMax"];
  return [
    ...repeated(symbols).map(([place, symbol]) => ({
      path: ["risk", "symbols", place],
      text: `risk.symbols[${place}] must be a pair of its own, ${symbol} is there twice`,
    })),
    ...[...new Set(symbols)].flatMap((symbol) =>
      when(
        quantities !== undefined && !Object.hasOwn(quantities, symbol),
        path,
        `risk.orderQuantityMax must name ${symbol}`,
      ),
    ),
    ...stray(path, quantities, (symbol) => symbols.includes(symbol), ", which risk.symbols does not list"),
    ...NARROWER.flatMap(([narrow, wide]) => {
      const [value, most] = [unlessOff(limits[narrow]), unlessOff(limits[wide])];
      // A limit that is off is no number, and no comparison with it is true.
      return when(
        Number(String(value)) > Number(String(most)),
        ["risk", narrow],
        `risk.${narrow} must be at most risk.${wide}, ${most}, was ${value}`,
      );
    }),
  ];
}

function marketRules({ market, risk }: Config): Breaches {
  const { references, par, parFair = [], weekend } = market;
  const names = repeated(references.map(({ name }) => name));
  const [isOff, isCollarOff] = [
    typeof risk?.depegLossBpsMax === "string",
    typeof risk?.collarBps === "string" && typeof risk.collarHardBps === "string",
  ];
  const path = ["market", "parFair"];
  const peg = "needs risk.depegLossBpsMax: without quotes nothing else bounds the loss of a coin off its peg";
  return [
    ...names.map(([place, name]) => ({
      path: ["market", "references", place, "name"],
      text: `market.references[${place}].name must be its own, ${name} is there twice`,
    })),
    ...references.flatMap((feed, place) =>
      // A feed does not derive a pair that it asks for.
      ("derive" in feed ? feed.derive : []).flatMap((symbol) =>
        when(
          feed.symbols.includes(symbol),
          ["market", "references", place, "derive"],
          `market.references[${place}].derive names ${symbol}, which is in its symbols`,
        ),
      ),
    ),
    // The weekend's collar narrows the normal one, which must therefore be on.
    ...when(
      weekend === "collar" && isCollarOff,
      ["market", "weekend"],
      "market.weekend is collar, but risk.collarBps and risk.collarHardBps are off",
    ),
    ...parFair.flatMap((symbol) =>
      when(!Object.hasOwn(par ?? {}, symbol), path, `names ${quoted(symbol)}, which market.par gives no band`),
    ),
    // Par alone sees no coin leave its peg: only the de-peg limit bounds what that may cost.
    ...when(parFair.length > 0 && isOff, path, peg),
  ];
}

/** A band, or set times; and nothing twice, because a slot is known by what is converted and when. */
function conversionRules({ conversions, treasury }: Config): Breaches {
  const entries = Object.entries(conversions);
  const of = (name: string, isBroken: boolean, text: string): Breaches =>
    when(isBroken, ["conversions", name], `conversions.${name} ${text}`);
  const own = entries.map(([, { keep, from, to, every, at }]) =>
    keep === undefined ? daysOf(every).map((day) => [from, to, day, at].join(" ")) : [keep],
  );
  return entries.flatMap(([name, { keep, low, target, high, from, to, amount, every, at }], place) => {
    const timed = [from, to, amount, every, at];
    const isTimed = timed.every((one) => one !== undefined) && [low, target, high].every((one) => one === undefined);
    const isKept = keep !== undefined && timed.every((one) => one === undefined);
    const isBank = from?.includes("@") === true && amount === "all";
    const places = [keep, from, to].filter((one) => one?.includes("@") === true && !one.endsWith("@BANK"));
    return [
      ...of(
        name,
        isKept === (isTimed && keep === undefined),
        "must name either keep with low and high, or from, to, amount, every and at",
      ),
      ...of(
        name,
        keep !== undefined && Object.hasOwn(treasury.targets, keep),
        `keeps ${keep}, which treasury.targets has`,
      ),
      ...of(
        name,
        own.slice(0, place).some((other) => other.some((key) => own[place]?.includes(key))),
        "must be its own: another has the same holding, or the same holdings and time on the same days",
      ),
      ...of(name, from !== undefined && from === to, "must lead from one holding to another"),
      ...of(name, isBank, `must name an amount: what there is of ${from} is not known`),
      ...of(name, places.length > 0, `names ${places[0]}: conversions lead to the venue and to banks`),
      ...of(
        name,
        keep?.includes("@") === true,
        `keeps ${keep}: what lies outside the venue is stated by people, in treasury.targets`,
      ),
    ];
  });
}

function daysOf(every: string | undefined): readonly (string | undefined)[] {
  const [, , ...days] = EVERY;
  return every === "day" ? days : every === "weekday" ? days.slice(0, 5) : [every];
}

/** No edge of a band may be above a later one. */
const EDGES = ["low", "target", "high"] as const;

function treasuryRules(config: Config): Breaches {
  const { rails, destinations, approvals } = config.treasury;
  const targets = Object.entries(targetsOf(config));
  const { people, persons } = approvals;
  const [twice] = repeated(people.map(({ name }) => name));
  const at = ["treasury", "approvals"];
  return [
    ...targets.flatMap(([holding, band]) => {
      const kept = Object.entries(config.conversions).find(([, { keep }]) => keep === holding);
      const path = kept === undefined ? ["treasury", "targets", holding] : ["conversions", kept[0]];
      const name = path.join(".");
      const isEmpty = EDGES.every((edge) => band[edge] === undefined);
      const crossed = EDGES.flatMap((lower, i) =>
        EDGES.slice(i + 1).flatMap((upper) => {
          const [least, most] = [band[lower], band[upper]];
          const isAbove = least !== undefined && most !== undefined && least.moreThan(most);
          return when(isAbove, [...path, lower], `${name}: ${lower} must not be above ${upper}`);
        }),
      );
      return [...when(isEmpty, path, `${name} must name at least one of low, target and high`), ...crossed];
    }),
    // A rail to an unknown destination is a misspelling.
    ...Object.entries(rails).flatMap(([name, { to, direction }]) => {
      const kind = direction === "off" ? "bank" : "wallet";
      const found = Object.hasOwn(destinations, to) ? destinations[to]?.kind : undefined;
      const was = found === undefined ? "there is none" : `it is a ${found}`;
      const text = `treasury.rails.${name}.to must name a ${kind} of treasury.destinations: ${to}, ${was}`;
      return when(found !== kind, ["treasury", "rails", name, "to"], text);
    }),
    ...when(
      twice !== undefined,
      [...at, "people"],
      `treasury.approvals.people must be different, was ${twice?.[1]} twice`,
    ),
    ...when(
      persons > 1 && people.length < persons,
      [...at, "persons"],
      `treasury.approvals.persons is ${persons}, and ${people.length} may approve: name them in people`,
    ),
  ];
}
