// Markets from settings: the name of a scenario, and single parameters by name (`pegs.VCHF.deviationBps=20`). Only
// existing parameters can be set, and only to a number, or to true or false.

import { err, ok, type Result } from "../../domain/result.ts";
import { quoted } from "../../domain/sanitise.ts";
import { SCENARIO_NAMES } from "../../domain/scenario.ts";
import { DEFAULT_MARKET, type MarketParameters, SCENARIOS } from "./parameters.ts";

type Tree = { [name: string]: unknown };

/** Parameters that must be positive. */
const POSITIVE = /(?:^gridMs|^depthEpochMs|HalfLifeMs|halfLifeMs|levelChf|depth|spreadFactor|depthFactor|minMs|maxMs)$/;

/** Settings beside a recording: its prices are those that were shown. */
export const AS_SHOWN = ["dealing.shownBetterBps=0", "dealing.shownNoiseBps=0"];

/** The scenario that the settings name, if any, and the other settings. */
export function scenarioIn(settings: readonly string[]): {
  readonly base: MarketParameters;
  readonly rest: readonly string[];
} {
  const name = SCENARIO_NAMES.find((scenario) => settings.includes(scenario));
  return name === undefined
    ? { base: DEFAULT_MARKET, rest: settings }
    : { base: SCENARIOS[name], rest: settings.filter((setting) => setting !== name) };
}

export function marketIn(settings: readonly string[]): Result<MarketParameters> {
  const { base, rest } = scenarioIn(settings);
  return setParameters(base, rest);
}

export function setParameters(parameters: MarketParameters, settings: readonly string[]): Result<MarketParameters> {
  const tree = structuredClone(parameters) as unknown as Tree;
  const paths = new Set<string>();
  for (const setting of settings) {
    const path = pathOf(setting);
    if (path === "")
      return err(
        `must be ${SCENARIO_NAMES.join(", ")}, or look like pegs.VCHF.deviationBps=20, was ${quoted(setting)}`,
      );
    const done = set(tree, path, setting.slice(path.length + 1));
    if (!done.ok) return done;
    if (paths.has(path)) return err(`${path} is there twice`);
    paths.add(path);
  }
  const made = tree as unknown as MarketParameters;
  const wrong = reversed(tree);
  return wrong === undefined ? ok(made) : err(wrong);
}

/** Empty where the setting has no path. */
function pathOf(setting: string): string {
  return setting.slice(0, Math.max(0, setting.indexOf("=")));
}

const DAY = 86_400_000;

/** Values are drawn between a minimum and its maximum; an episode of stress begins and ends on one day (UTC). */
function reversed(tree: Tree, place = ""): string | undefined {
  for (const [name, value] of Object.entries(tree)) {
    const path = `${place}${name}`;
    if (isTree(value)) {
      const wrong = reversed(value, `${path}.`);
      if (wrong !== undefined) return wrong;
    }
    const most = name.replace(/^min(?=[A-Z])/, "max").replace(/Min(?=[A-Z])/, "Max");
    if (most !== name && (value as number) > (tree[most] as number))
      return `${path} must be at most ${place}${most}, ${tree[most]}, was ${value}`;
    if (path === "stress.maxMs" && (value as number) > DAY)
      return `${path} must be at most a day, ${DAY}, was ${value}`;
  }
  return undefined;
}

function set(tree: Tree, path: string, text: string): Result<undefined> {
  const names = path.split(".");
  const last = names.pop() as string;
  let branch = tree;
  for (const [depth, name] of names.entries()) {
    const next = Object.hasOwn(branch, name) ? branch[name] : undefined;
    if (!isTree(next)) return noParameter(path, branch, names.slice(0, depth));
    branch = next;
  }
  if (!Object.hasOwn(branch, last)) return noParameter(path, branch, names);
  if (isTree(branch[last])) return noParameter(path, branch[last], [...names, last]);
  const value = readValue(branch[last], text);
  if (value === undefined) return err(`${path} must be like ${String(branch[last])}, was ${quoted(text)}`);
  if (typeof value === "number" && last !== "impactBps" && (value < 0 || (value === 0 && POSITIVE.test(path))))
    return err(`${path} must ${POSITIVE.test(path) ? "be above zero" : "not be negative"}, was ${text}`);
  if (typeof value === "number" && /chancePerDay|Share|correlation|impactKept|sharedWeight/.test(last) && value > 1)
    return err(`${path} is a share or a chance and must be at most 1, was ${text}`);
  branch[last] = value;
  return ok(undefined);
}

/** Lists the names that exist at the point where the path fails. */
function noParameter(path: string, branch: Tree, place: readonly string[]): Result<never> {
  const where = place.length === 0 ? "there are" : `${place.join(".")} has`;
  return err(`${quoted(path)} is no parameter; ${where} ${Object.keys(branch).join(", ")}`);
}

function readValue(present: unknown, text: string): number | boolean | undefined {
  if (typeof present === "boolean") return text === "true" ? true : text === "false" ? false : undefined;
  if (typeof present !== "number" || !/^-?[0-9]+(?:\.[0-9]+)?$/.test(text)) return undefined;
  return Number(text);
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null;
}
