// `--limit name=value` of research commands: single limits on top of those of paper or of a configuration, validated
// like a configuration. The running bot has no such flag.

import type { Path } from "../../config/document.ts";
import { explainIssues, valueAt } from "../../config/explain-issue.ts";
import { brokenLimitRules } from "../../config/rule.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { jsonOf } from "../../domain/json-of.ts";
import { suggestion } from "../../domain/suggestion.ts";
import { type Limits, riskSchema } from "../../risk/limits.ts";
import { namedValues } from "./values.ts";

const NAMES = Object.keys(riskSchema.shape);

export function changedLimits(limits: Limits, given: readonly string[]): Limits {
  // As in a file: amounts are text again.
  const written = JSON.parse(JSON.stringify(limits)) as Record<string, unknown>;
  const settings = settingsIn(given);
  for (const [name, text] of settings) written[name] = settingOf(name, text);
  const { symbols, orderQuantityMax } = written;
  if (settings.has("symbols") && !settings.has("orderQuantityMax"))
    Object.assign(written, { orderQuantityMax: onlyOf(symbols, orderQuantityMax) });
  const parsed = riskSchema.safeParse(written);
  const issues = parsed.success
    ? []
    : parsed.error.issues.map((issue) => ({ ...issue, path: ["risk", ...issue.path] }));
  const lookup = (path: Path) => ({ value: valueAt({ risk: written }, path), source: undefined });
  const wrong = parsed.success ? brokenLimitRules(parsed.data) : explainIssues(issues, lookup);
  const first = wrong[0]?.text.replaceAll("risk.", "");
  if (first !== undefined || !parsed.success) throw usageFailure(`--limit ${first}`);
  return parsed.data;
}

/** Naming fewer pairs drops the quantities of the others. */
function onlyOf(symbols: unknown, quantities: unknown): unknown {
  if (!Array.isArray(symbols) || typeof quantities !== "object" || quantities === null) return quantities;
  return Object.fromEntries(Object.entries(quantities).filter(([symbol]) => symbols.includes(symbol)));
}

function settingsIn(given: readonly string[]): ReadonlyMap<string, string> {
  const settings = namedValues("--limit", "referenceAgeMsMax=60000", given);
  const name = [...settings.keys()].find((one) => !NAMES.includes(one));
  if (name === undefined) return settings;
  throw usageFailure(`--limit ${name} is no limit${suggestion(name, NAMES) || `: there are ${NAMES.join(", ")}`}`);
}

/** JSON if the limit accepts it, text otherwise: amounts are quoted in a file but not on a command line. */
function settingOf(name: string, text: string): unknown {
  const value = jsonOf(text);
  const field = riskSchema.shape[name as keyof typeof riskSchema.shape];
  return value === undefined || (!field.safeParse(value).success && field.safeParse(text).success) ? text : value;
}
