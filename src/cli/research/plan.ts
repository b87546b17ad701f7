// Plans a backtest from its flags and, if one is named, a configuration: strategy, limits, span and market.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { watchingLoad } from "../../../backtest/check/outside-world.ts";
import { type BacktestOptions, backtestTerms, ROLES, type Role } from "../../../backtest/options.ts";
import { isOfTheMarket, type Recording, recordedPairs } from "../../../backtest/recording.ts";
import { depositIn } from "../../../backtest/run-backtest.ts";
import { loadStrategy } from "../../app/bot/load-strategy.ts";
import { PAPER_FUNDS } from "../../app/config/paper-funds.ts";
import { startConfig } from "../../app/config/start-config.ts";
import { hasQuotes, parOf } from "../../app/feeds/par.ts";
import { priceRulesOf } from "../../app/feeds/price-rules.ts";
import { CONFIG_FILE, type Shell } from "../../app/shell.ts";
import { versionText } from "../../app/version.ts";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import type { Asset } from "../../domain/asset.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { jsonOf } from "../../domain/json-of.ts";
import { DAY_MS, type Millis, millis } from "../../domain/time.ts";
import { isoText } from "../../domain/time-text.ts";
import { DEFAULT_SETTINGS } from "../../execution/parameters.ts";
import type { Limits } from "../../risk/limits.ts";
import type { MarketParameters } from "../../simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../../simulator/market/reference.ts";
import { AS_SHOWN } from "../../simulator/market/scenario.ts";
import { whyNotFunded } from "../../simulator/stage.ts";
import { builtInNames, isBuiltIn, removedText } from "../../strategy/built-in-names.ts";
import type { Strategy } from "../../strategy/prepare.ts";
import { parseFunds } from "../option/funds.ts";
import {
  MARKET_HELP,
  type MarketFlags,
  marketParameters,
  marketSettings,
  quotesOption,
} from "../option/market-parameters.ts";
import { collected, days, duration, moment, namedValues, seed } from "../option/values.ts";

export type PlanFlags = MarketFlags & {
  readonly strategy?: string;
  readonly param: readonly string[];
  readonly data: string;
  readonly as?: Role;
  readonly halfSpreadBps?: number;
  readonly syntheticToo?: true;
  readonly from?: Millis;
  readonly to?: Millis;
  readonly days?: number;
  readonly seed: number;
  readonly funds?: string;
  readonly limit: readonly string[];
  readonly market: readonly string[];
  readonly latency?: number;
  readonly decision: number;
  readonly pace: number;
  readonly quotesEvery?: number;
  readonly feeBps: number;
  readonly publication: number;
};

export type Span = { readonly from: Millis; readonly to: Millis };

const DAYS = 30;
/** Spare time for slots that better wants take first. */
const AGE_SPARE_MS = 15_000;
/** A cap on the spare time, so that no pace has much more than the next. */
const AGE_TIMES = 2.5;
/** The maximum in the limits' schema. */
const AGE_MS_MAX = 60_000;
/** The default start of synthetic time. */
export const FIRST_DAY = millis(Date.UTC(2026, 0, 5));

export async function planOf(
  shell: Shell,
  flags: PlanFlags,
  recordings: readonly Recording[],
): Promise<BacktestOptions> {
  const { isConfigNamed } = shell;
  if (!isConfigNamed && existsSync(CONFIG_FILE))
    shell.terminal.note(`${CONFIG_FILE} in this folder is not used: --config ${CONFIG_FILE} takes it`);
  const config = await configOf(shell);
  const span = spanOf(flags, recordings);
  const funds = flags.funds === undefined ? PAPER_FUNDS : fundsOf(flags.funds);
  const isWritten = isConfigNamed || flags.limit.some((text) => text.startsWith("referenceAgeMsMax="));
  const { quotesEvery: quotesMs = backtestTerms.quotesMs } = flags;
  const limits = believed(await wantedLimits(flags, config), quotesMs, isWritten);
  if (quotesMs >= limits.referenceAgeMsMax || (!isWritten && quotesMs + AGE_SPARE_MS > AGE_MS_MAX))
    shell.terminal.note(
      `prices are read every ${quotesMs} ms and believed for ${limits.referenceAgeMsMax} ms (referenceAgeMsMax): where a read waits for its slot nothing can be decided`,
    );
  const traded = tradedOf(flags, recordings, limits);
  const market = syntheticBeside(flags.market, shownBy(flags, config), { ...span, ...traded });
  if (!market.venue.quotesShown && recordings.some(({ role, source }) => role === "venue" && source.kind === "bars"))
    throw usageFailure("bars of the venue are its prices, which a venue without quotes does not show");
  return {
    ...span,
    strategy: await strategyOf(flags, config, !market.venue.quotesShown),
    limits,
    ...traded,
    par: parOf(config),
    prices: pricesOf(config, market),
    protocol: { ...DEFAULT_SETTINGS, ...config.protocol },
    funds,
    seed: flags.seed,
    market,
    references: referencesOf(recordings),
    recordings,
    terms: {
      latencyMs: flags.latency ?? market.venue.latencyMs,
      decisionMs: flags.decision,
      paceMs: flags.pace,
      quotesMs,
      feeBps: flags.feeBps,
      publicationMs: flags.publication,
    },
    codeVersion: versionText(),
    ...(await rebalancerOf(config, flags.seed, limits)),
  };
}

/** The configured profile decides unless the flag does. */
export function shownBy(flags: MarketFlags, config: Config): MarketFlags {
  return flags.quotes !== undefined || hasQuotes(config) ? flags : { ...flags, quotes: "absent" };
}

const NO_STRESS = ["chancePerDay", "lesserPerYear", "flashesPerYear", "collapsesPerYear", "endsPerYear"].map(
  (name) => `stress.${name}=0`,
);

/**
 * If only recorded pairs are traded, their prices are shown as recorded, and synthetic coins stay near par, unless a
 * flag asks otherwise: an invented episode would leave pairs without a fair value, and refuse orders at prices recorded
 * in quiet times.
 */
export function syntheticBeside(
  settings: readonly string[],
  flags: MarketFlags,
  { to, traded }: Pick<BacktestOptions, "to" | "traded">,
): MarketParameters {
  const unless = (asked: RegExp, own: readonly string[]): readonly string[] =>
    traded === undefined || settings.some((setting) => asked.test(setting)) ? [] : own;
  const beside = [...unless(/^stress\.|\.stressed=/, NO_STRESS), ...unless(/^dealing\.shown/, AS_SHOWN)];
  return marketParameters("--market", [...beside, ...settings], flags, to);
}

/**
 * If the synthetic market closes, the price rules close as well, as in live mode, unless the configuration sets its own
 * weekend rule.
 */
export function pricesOf(
  { mode, market }: Config,
  { weekendCloses }: BacktestOptions["market"],
): NonNullable<BacktestOptions["prices"]> {
  const weekend = market.weekend ?? (weekendCloses ? "closed" : undefined);
  return priceRulesOf({ mode, market: { ...market, weekend } });
}

/** Those of paper; recorded prices of USDC are used alone. */
function referencesOf(recordings: readonly Pick<Recording, "source">[]): BacktestOptions["references"] {
  const isOfUsdc = (symbol: string): boolean => symbol.split("/").includes("USDC");
  if (!recordings.some(({ source }) => isOfUsdc(source.symbol))) return DEFAULT_REFERENCES;
  return DEFAULT_REFERENCES.map((feed) => ({ ...feed, symbols: feed.symbols.filter((symbol) => !isOfUsdc(symbol)) }));
}

/**
 * With recorded venue prices of some pairs only those are traded: the others are synthetic, and earn by construction.
 */
function tradedOf(
  { syntheticToo }: PlanFlags,
  recordings: readonly Recording[],
  { symbols }: Limits,
): Pick<BacktestOptions, "traded"> {
  const recorded = recordedPairs(recordings);
  if (syntheticToo === true && recorded.length === 0)
    throw usageFailure("--synthetic-too needs --data with the venue's prices of a pair");
  if (syntheticToo === true || recorded.length === 0) return {};
  const traded = recorded.filter((symbol) => symbols.includes(symbol));
  if (traded.length === 0)
    throw usageFailure(
      `of the pairs with data one must be among those that may be traded (${symbols.join(", ")}), was ${recorded.join(", ")}`,
      "--config with it in risk.symbols, or --synthetic-too to trade synthetic prices of the others",
    );
  return { traded };
}

function fundsOf(given: string): BacktestOptions["funds"] {
  const funds = parseFunds("--funds", given);
  const wrong = whyNotFunded(funds);
  if (wrong !== undefined) throw usageFailure(`--funds: ${wrong}`);
  return Object.fromEntries(funds);
}

/** Configured targets also apply in a backtest, limited to steps that need no approval. */
async function rebalancerOf(
  written: Config,
  seed: number,
  { referenceAgeMsMax }: Limits,
): Promise<Pick<BacktestOptions, "rebalancer" | "whitelist">> {
  if (Object.keys({ ...written.treasury.targets, ...written.conversions }).length === 0) return {};
  const config = withOwnDeposits(written, seed);
  const { Rebalancer } = await import("../../treasury/rebalancer/rebalancer.ts");
  const { rebalancerParts } = await import("../../app/owner/owner-parts.ts");
  const parts = rebalancerParts(config, seed);
  if (parts === undefined) return {};
  return {
    rebalancer: (writer) => new Rebalancer({ ...parts, quoteAgeMsMax: referenceAgeMsMax, writer }),
    whitelist: whitelistOf(config),
  };
}

/** In a backtest the venue's whitelist has the configured destinations, for the coins of the rails that lead there. */
function whitelistOf({ treasury }: Config): NonNullable<BacktestOptions["whitelist"]> {
  const travelRule = { originator: "us", beneficiary: "us" };
  return Object.values(treasury.rails).flatMap(({ to, asset }) => {
    const wallet = treasury.destinations[to];
    if (wallet?.kind !== "wallet") return [];
    const { chain: blockchain, address, label = "own" } = wallet;
    return [{ asset: asset as Asset, blockchain, address, label, status: "Confirmed" as const, travelRule }];
  });
}

/**
 * Holdings have a value only while their prices are fresh: where quotes are read seldom, paper limits follow the pace.
 * Configured limits stay.
 */
function believed(limits: Limits, quotesMs: number, isWritten: boolean): Limits {
  const believedMs = Math.min(AGE_MS_MAX, quotesMs + AGE_SPARE_MS, Math.floor(AGE_TIMES * quotesMs));
  return isWritten || believedMs <= limits.referenceAgeMsMax ? limits : { ...limits, referenceAgeMsMax: believedMs };
}

/** The limit schema is loaded only if a limit is named. */
async function wantedLimits({ limit }: PlanFlags, config: Config): Promise<Limits> {
  const limits = limitsOf(config);
  return limit.length === 0 ? limits : (await import("../option/changed-limits.ts")).changedLimits(limits, limit);
}

async function strategyOf(flags: PlanFlags, config: Config, isBlind: boolean): Promise<Strategy> {
  const { strategy } = flags;
  const removed = strategy === undefined ? undefined : removedText(strategy);
  if (removed !== undefined) throw usageFailure(removed);
  const loaded = await watchingLoad(() => loadStrategy(strategyNamed(flags, config), undefined, isBlind));
  if (loaded.ok) return loaded.value;
  const isName = strategy !== undefined && !strategy.includes(".");
  throw usageFailure(loaded.error, isName && !isBuiltIn(strategy) ? `built in: ${builtInNames.join(", ")}` : undefined);
}

/** The strategy and its parameters, from flags and configuration. */
export function strategyNamed({ strategy, param }: PlanFlags, { strategy: configured }: Config): Config["strategy"] {
  const use = strategy === undefined ? configured.use : isBuiltIn(strategy) ? strategy : resolve(strategy);
  const kept = use === configured.use ? configured.params : {};
  // Unchecked: the strategy's own schema validates it.
  return { use, params: { ...kept, ...paramsOf(param) } as Config["strategy"]["params"] };
}

/** The named configuration, or that of paper trading. The file reader is loaded only for the first. */
export async function configOf(shell: Shell): Promise<Config> {
  if (!shell.isConfigNamed) return startConfig();
  return (await import("../../app/config/load-config.ts")).requireConfig(shell).config;
}

/** JSON if it parses (`3`, `true`, `["VCHF/CHF"]`, `"3"`), text otherwise. */
function paramsOf(given: readonly string[]): Record<string, unknown> {
  const jsonOrText = (text: string): unknown => {
    const value = jsonOf(text);
    return value === undefined ? text : value;
  };
  const values = namedValues("--param", "edgeBps=2", given);
  return Object.fromEntries([...values].map(([name, text]) => [name, jsonOrText(text)]));
}

/** The requested span, otherwise that of the data, otherwise thirty days. */
export function spanOf(flags: Pick<PlanFlags, "from" | "to" | "days">, recordings: readonly Recording[]): Span {
  if (flags.to !== undefined && flags.days !== undefined)
    throw usageFailure("--to and --days say the same: give one of them");
  const covered = coveredBy(recordings);
  const from = flags.from ?? covered?.from ?? FIRST_DAY;
  const end =
    covered !== undefined && flags.days === undefined && (flags.from === undefined || from < covered.to)
      ? covered.to
      : undefined;
  const to = flags.to ?? end ?? millis(from + (flags.days ?? DAYS) * DAY_MS);
  if (!(from < to))
    throw usageFailure(
      flags.days === undefined && flags.to === undefined && flags.from === undefined
        ? "the data must have more than one moment in common: pegbot data inspect shows what each file covers"
        : `--to must be after ${isoText(from)}, was ${isoText(to)}`,
    );
  // A currency rate holds for the whole market: before its first row it would have no value.
  const market = coveredBy(recordings.filter(isOfTheMarket));
  if (market !== undefined && (from < market.from || to > market.to))
    throw usageFailure(
      `the data cover ${isoText(market.from)} to ${isoText(market.to)}, asked for was ${isoText(from)} to ${isoText(to)}`,
      "--from and --to choose a part",
    );
  return { from, to };
}

export function coveredBy(recordings: readonly Recording[]): Span | undefined {
  if (recordings.length === 0) return undefined;
  const from = Math.max(...recordings.map(({ source }) => source.firstAt));
  const to = Math.min(...recordings.map(({ source }) => source.lastAt));
  return { from: millis(from), to: millis(to) };
}

/**
 * An on-ramp with `toVenue` leads to the account's deposit address, which in a backtest differs from the user's: the
 * configured address would be a foreign wallet.
 */
function withOwnDeposits<C extends Pick<Config, "treasury">>(config: C, seed: number): C {
  const { treasury } = config;
  const rails = { ...treasury.rails };
  const destinations = { ...treasury.destinations };
  for (const [name, { toVenue }] of Object.entries(treasury.planning.rails)) {
    const rail = rails[name];
    const wallet = rail && destinations[rail.to];
    if (!toVenue || rail === undefined || rail.direction !== "on" || wallet?.kind !== "wallet") continue;
    const to = `${rail.to}, of the backtest for ${name}`;
    destinations[to] = { ...wallet, address: depositIn(seed, rail.asset as Asset, wallet.chain) };
    rails[name] = { ...rail, to };
  }
  return { ...config, treasury: { ...treasury, rails, destinations } };
}

const FIRST_SEED = 1;

export function declarePlan(command: Command): Command {
  return command
    .option(
      "--strategy <name>",
      "a built-in strategy or a .ts or .js file; otherwise that of --config, or peg-arbitrage",
    )
    .option("--param <name=value>", "a parameter of the strategy; may be repeated", collected, [])
    .option("--data <path>", "synthetic, or a column file or folder of them", "synthetic")
    .addOption(new Option("--as <role>", "the data are the venue's prices, or a free reference feed").choices(ROLES))
    .option("--synthetic-too", "trade pairs without data as well, on synthetic prices")
    .option(
      "--from <time>",
      "begin: 2026-01-31 or 2026-01-31T12:00 (both UTC), or with an offset, 2026-01-31T14:00+02:00; otherwise 2026-01-05 or the data's",
      moment,
    )
    .option("--to <time>", "end, as --from", moment)
    .option("--days <n>", "how long, instead of --to", days)
    .option("--seed <n>", "of the synthetic market and the network", seed, FIRST_SEED)
    .option("--funds <list>", "what the account has: CHF=100000,VCHF=100000")
    .option("--limit <name=value>", "one limit on top of those in force; may be repeated", collected, [])
    .option("--market <name>", MARKET_HELP, marketSettings, [])
    .option("--no-edge", "a synthetic market with nothing to earn")
    .addOption(quotesOption())
    .option("--weekends", "synthetic currency markets close from Friday to Sunday")
    .option("--latency <time>", "to the venue, one way, in the median; otherwise the scenario's", duration)
    .option("--decision <time>", "from a decision to when its order may have a slot; none otherwise", duration, 0)
    .option("--pace <time>", "from an answer to the next request", duration, backtestTerms.paceMs)
    .option(
      "--quotes-every <time>",
      "the venue's quotes at most so often; otherwise with every free slot, as live",
      duration,
    )
    .option("--fee-bps <n>", "what the venue keeps of a trade", fee, backtestTerms.feeBps)
    .option("--publication <time>", "trades are listed at most so late; otherwise at once", duration, 0)
    .option("--half-spread-bps <n>", "of bars, which have one price: bid and ask so far from it", halfSpread);
}

function halfSpread(text: string): number {
  if (!/^[0-9]{1,3}(?:\.[0-9]{1,6})?$/.test(text)) throw new InvalidArgumentError("must be a number from 0 to 999");
  return Number(text);
}

/** In the format of a pair's listing. */
function fee(text: string): number {
  const value = /^[0-9]{1,3}(?:\.[0-9]{1,2})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 100))
    throw new InvalidArgumentError(`must be a number from 0 to 100 with at most 2 decimals, was ${text.slice(0, 40)}`);
  return value;
}
