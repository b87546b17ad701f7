// One run among many, as plain data: everything that its result depends on, with files named by the hash of their
// content. Two trials with the same digest have the same result, byte for byte, on any machine.

import type { PriceRules } from "../../src/bot/core.ts";
import type { PairSymbol } from "../../src/domain/asset.ts";
import { invariant } from "../../src/domain/invariant.ts";
import { unwrap } from "../../src/domain/result.ts";
import type { Millis } from "../../src/domain/time.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/execution/parameters.ts";
import { FxWeek } from "../../src/market/fx-week.ts";
import { type Limits, riskSchema } from "../../src/risk/limits.ts";
import type { MarketParameters } from "../../src/simulator/market/parameters.ts";
import type { ReferenceFeedParameters } from "../../src/simulator/market/reference.ts";
import { prepareBuiltIn } from "../../src/strategy/built-in.ts";
import { isBuiltIn } from "../../src/strategy/built-in-names.ts";
import { loadStrategyFile } from "../../src/strategy/load-file.ts";
import type { Strategy } from "../../src/strategy/prepare.ts";
import { memorySource } from "../data/source.ts";
import type { BacktestOptions, BacktestTerms, Role } from "../options.ts";
import { canonicalDigest } from "./identity.ts";
import { strategyDigest, type TrialFiles } from "./trial-files.ts";

export type Trial = {
  readonly strategy: StrategyUse;
  /** As the strategy's schema accepts them. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly data: readonly TrialData[];
  readonly market: MarketParameters;
  readonly references: readonly ReferenceFeedParameters[];
  readonly seed: number;
  readonly from: Millis;
  readonly to: Millis;
  readonly funds: Readonly<Record<string, string>>;
  readonly terms: BacktestTerms;
  /** Like the section `risk` of a configuration: amounts are decimal text. */
  readonly limits: Readonly<Record<string, unknown>>;
  /** Only these of the allowed pairs are traded; all by default. */
  readonly traded?: readonly string[];
  /** Where par is a source of fair value: the band around it, in basis points. */
  readonly par: Readonly<Record<string, number>>;
  /** Other price rules; the bot's defaults if absent. */
  readonly prices?: PlainPriceRules;
  /** Differences from the protocol's defaults. */
  readonly protocol: Partial<Settings>;
  /** Of the code that ran it, where results of several codes share a file. */
  readonly code?: string;
};

export type StrategyUse =
  | { readonly kind: "built-in"; readonly name: string }
  | { readonly kind: "file"; readonly digest: string };

export type TrialData = {
  /** Of the columns, not of the file from which they were read. */
  readonly digest: string;
  readonly name: string;
  readonly role: Role;
  readonly halfSpreadBps: number;
};

export function trialDigest(trial: Trial): string {
  return canonicalDigest(trial);
}

/** Limits in the form of a trial. */
export function limitsText(limits: Limits): Trial["limits"] {
  return JSON.parse(JSON.stringify(limits)) as Trial["limits"];
}

/** The backtest options of a trial. Throws when a file is missing, or the strategy refuses its parameters. */
export async function optionsOf(trial: Trial, files: TrialFiles): Promise<BacktestOptions> {
  const { seed, from, to, funds, market, references, terms } = trial;
  return {
    ...{ seed, from, to, funds, market, references, terms },
    strategy: await strategyOf(trial, files),
    limits: riskSchema.parse(trial.limits),
    ...(trial.traded === undefined ? {} : { traded: trial.traded as readonly PairSymbol[] }),
    par: new Map(Object.entries(trial.par).map(([symbol, bandBps]) => [symbol as PairSymbol, { bandBps }])),
    ...(trial.prices === undefined ? {} : { prices: priceRules(trial.prices) }),
    protocol: { ...DEFAULT_SETTINGS, ...trial.protocol },
    recordings: trial.data.map(({ digest, name, role, halfSpreadBps }) => {
      const found = files.columns.find((one) => one.digest === digest);
      invariant(found !== undefined, `the columns ${digest} of ${name} must be at hand`);
      return { name, role, source: memorySource(found.subject, found.columns), halfSpreadBps, digest };
    }),
    codeVersion: files.codeVersion,
  };
}

/** A file is loaded again for every trial, so that no module state outlives one. */
async function strategyOf({ strategy: use, params }: Trial, files: TrialFiles): Promise<Strategy> {
  if (use.kind === "built-in") {
    invariant(isBuiltIn(use.name), `there must be a strategy ${use.name}`);
    return unwrap(prepareBuiltIn(use.name, params));
  }
  const path = files.strategies.find(({ digest }) => digest === use.digest)?.path;
  invariant(path !== undefined, `the strategy file ${use.digest} must be at hand`);
  const loaded = unwrap(await loadStrategyFile(path, params));
  const now = strategyDigest(path);
  invariant(
    now.ok && now.value === use.digest,
    `${path} and the packages that it imports must stay as they are while it is run, and were changed`,
  );
  return loaded;
}

/** Maps become objects and sets become lists; a week is represented by its holidays. */
export type PlainPriceRules = {
  readonly rules: Readonly<Record<string, unknown>>;
  /** Undefined: the markets never close. */
  readonly weekend?: { readonly holidays: readonly string[]; readonly collarBps?: number | undefined };
};

/** `holidays` are those from which the week was created. */
export function plainPriceRules({ weekend, ...rules }: PriceRules, holidays: readonly string[]): PlainPriceRules {
  const plain = (rule: unknown): unknown =>
    rule instanceof Map ? Object.fromEntries(rule) : rule instanceof Set ? [...rule] : rule;
  return {
    rules: Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, plain(rule)])),
    ...(weekend === undefined ? {} : { weekend: { holidays, collarBps: weekend.collarBps } }),
  };
}

/** A week caches its last lookup, so every run has its own. */
export function priceRules({ rules, weekend }: PlainPriceRules): PriceRules {
  const made = (rule: unknown): unknown =>
    Array.isArray(rule) ? new Set(rule) : typeof rule === "object" ? new Map(Object.entries(rule ?? {})) : rule;
  return {
    ...Object.fromEntries(Object.entries(rules).map(([name, rule]) => [name, made(rule)])),
    ...(weekend === undefined ? {} : { weekend: { week: new FxWeek(weekend.holidays), collarBps: weekend.collarBps } }),
  };
}
