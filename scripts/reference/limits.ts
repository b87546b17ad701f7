// The limits, from their schema, with what paper trading and the preset `cautious` set them to, and the rules that read them.

import { readFileSync } from "node:fs";
import { z } from "zod";
import { riskSchema } from "../../src/risk/limits.ts";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { withPreset } from "../../src/risk/preset.ts";
import { code, table } from "./table.ts";

type Schema = {
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly amount?: { readonly low: string; readonly high: string };
};

/** The amounts of the preset are shares of this. */
const EQUITY = "100000";

export function limitsPage(): string {
  const { properties = {} } = z.toJSONSchema(riskSchema, { io: "input" }) as Schema;
  const written = withPreset({ preset: "cautious", equity: EQUITY, symbols: ["VCHF/CHF"] }).risk as object;
  const cautious = { ...written, currency: "CHF" } as Record<string, unknown>;
  const rules = rulesByKey();
  const rows = Object.entries(properties).flatMap(([key, schema]) => {
    const inner = Object.entries(schema.properties ?? {}).map(([name, one]) => [`${key}.${name}`, one] as const);
    return [[key, schema] as const, ...inner];
  });
  return [
    "# Limits",
    `Every limit of the section \`risk\`, from the schema that reads it. [Set the limits](../guides/limits.md) says how, and what each rule does. Every limit that takes \`"off: reason"\` can be loosened by name. Durations are milliseconds, \`Bps\` are 1/10000. The preset's amounts are those of an equity of 100,000.`,
    table(
      ["limit", "rule", "meaning", "takes", "off", "paper", "cautious"],
      rows.map(([key, schema]) => {
        const { description = "", ...plain } = schema.anyOf?.[0] ?? schema;
        return [
          code(key),
          rules.get(key.split(".")[0] ?? "") ?? "",
          description.replace(/; a quoted decimal.*/, ""),
          rangeOf(plain),
          schema.anyOf === undefined ? "" : "yes",
          settingOf(paperLimits, key),
          settingOf(cautious, key),
        ];
      }),
    ),
  ].join("\n\n");
}

function rangeOf({ minimum, maximum, amount }: Schema): string {
  if (amount !== undefined) return `"${grouped(amount.low)}" to "${grouped(amount.high)}"`;
  return minimum === undefined || maximum === undefined ? "" : `${grouped(minimum)} to ${grouped(maximum)}`;
}

function settingOf(limits: object, key: string): string {
  const value = key
    .split(".")
    .reduce<unknown>((one, name) => (one as Record<string, unknown> | undefined)?.[name], limits);
  if (value === undefined) return "";
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? "pair" : "pairs"}`;
  const text = String(value);
  if (text.startsWith("off: ")) return "off";
  if (/^[\d.]+$/.test(text)) return grouped(text);
  if (text !== "[object Object]") return text;
  const amounts = new Set(Object.values(value as object).map(String));
  return key === "orderQuantityMax" ? grouped([...amounts][0] ?? "") : "";
}

function grouped(value: number | string): string {
  return Number(value).toLocaleString("en");
}

/** By the guide's table of rules. */
function rulesByKey(): ReadonlyMap<string, string> {
  const rows = readFileSync("docs/guides/limits.md", "utf8").matchAll(/^\| (RC\w+) \| .*?(?<!\\)\| (.*?) \|/gm);
  const found = new Map<string, string>();
  for (const [, rule = "", keys = ""] of rows)
    for (const [, key = ""] of keys.matchAll(/`(\w+)`/g))
      found.set(key, [found.get(key), rule].filter(Boolean).join(", "));
  return found;
}
