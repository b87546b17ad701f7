// Generated over the whole schema: nothing misspelt, left out, out of range or in a wrong unit gets through.

import { describe, expect, test } from "vitest";
import { configDescription, type Description } from "../../src/config/description.ts";
import { completeConfig, mappingAt, mistakesOf, type Plain } from "./complete.ts";

type Field = { readonly path: readonly string[]; readonly description: Description & Bounds };
type Bounds = {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly amount?: { readonly low: string; readonly high: string };
  readonly description?: string;
  readonly required?: readonly string[];
};

/** What a preset adds is not in a section that names every limit. */
const ofPreset = ["risk.equity", "risk.preset"];
const fields = fieldsOf(configDescription(), []).filter(({ path }) => !ofPreset.includes(path.join(".")));
const numbers = fields.filter(({ description }) => description.type === "integer" || description.type === "number");
const amounts = fields.filter(({ description }) => description.amount !== undefined);

describe("the complete configuration", () => {
  test("is accepted", () => {
    expect(mistakesOf(completeConfig())).toEqual([]);
  });

  test("names every key of the schema, but for the alternatives of files with secrets and the market of a simulator", () => {
    const named = keyPaths(completeConfig(), []).map((path) => path.join("."));
    const missing = fields.map(({ path }) => path.join(".")).filter((path) => !named.includes(path));
    const secrets = ["telegram.tokenEnv", "webhook.url", "webhook.urlFile"];
    const key = ["key.env", "key.keystore", "key.passphraseFile"];
    expect(missing.sort()).toEqual([
      ...key,
      "market.source",
      ...secrets.map((name) => `notices.${name}`),
      "venue.authority",
    ]);
  });
});

describe("a key misspelt by one letter", () => {
  /** Names that people give, or that only the venue knows: a strategy's parameters, holdings, coins and templates. */
  const NAMED = [
    "paper.funds",
    "venue.instruments",
    "strategy.params",
    "treasury.targets",
    "treasury.planning.elsewhere",
    "treasury.planning.mints",
    "treasury.planning.rails",
    "conversions",
  ];
  const paths = keyPaths(completeConfig(), []).filter((path) => {
    const parent = path.slice(0, -1).join(".");
    return !NAMED.includes(parent);
  });

  test.each([0, 3])("is refused by name, every one of them, however it is misspelt (%i)", (way) => {
    /** Beside the right ones, all in one file; those that are not named as unknown. */
    const passed = (some: readonly (readonly string[])[]): readonly (readonly string[])[] => {
      const settings = completeConfig();
      const wrongs = some.map((path, index) => {
        const [key = "", parent] = [path.at(-1), path.slice(0, -1)];
        const mapping = mappingAt(settings, parent);
        const ways = misspellings(key).filter((word) => !Object.hasOwn(mapping, word));
        const wrong = ways[(way * 7 + index) % ways.length] as string;
        mapping[wrong] = mapping[key];
        return { path, wrong, full: [...parent, wrong].join(".") };
      });
      const words = new Set(mistakesOf(JSON.stringify(settings)).flatMap((line) => line.split(/[\s,;]+/)));
      return wrongs.filter(({ wrong, full }) => !words.has(wrong) && !words.has(full)).map(({ path }) => path);
    };
    // What other sections do not know is found once the schema accepts the file.
    let left: readonly (readonly string[])[] = paths;
    for (let round = 0; round < 6; round++) left = passed(left);
    expect(left).toEqual([]);
  });

  test("is answered with the key that was meant", () => {
    const settings = completeConfig();
    rename(mappingAt(settings, ["risk"]), "feeBpsMax", "feeBspMax");
    expect(mistakesOf(settings)).toContainEqual(
      expect.stringContaining("unknown key risk.feeBspMax; did you mean feeBpsMax?"),
    );
  });
});

describe("a limit", () => {
  const all = [
    ...new Set(fields.filter(({ path }) => path[0] === "risk" && path.length === 2).map(({ path }) => path[1] ?? "")),
  ];
  const required = all
    .filter((key) => key !== "heartbeatMsMax" && key !== "exit")
    .map((key) => ({ path: ["risk", key] }));
  /** What no reason can loosen: what everything is counted in, what may be traded, and freshness. The rest belongs to others. */
  const FIRM = [
    "currency",
    "symbols",
    "referenceAgeMsMax",
    "referenceSourcesMin",
    "rejectFreezeMs",
    "lossFreezeMs",
    "decisionAgeMsMax",
    "rampSizeBps",
    "markAgeMsMax",
    "markHaircutBps",
    "depegAssumedBps",
    "issuerEndBps",
    // market.parFair needs it.
    "depegLossBpsMax",
  ];

  test("cannot be left out, not one of them", () => {
    for (let i = 0; i < required.length; i += 3) {
      const some = required.slice(i, i + 3);
      const settings = completeConfig();
      for (const { path } of some) delete mappingAt(settings, ["risk"])[path.at(-1) ?? ""];
      const lines = mistakesOf(settings).join("\n");
      for (const { path } of some) expect(lines).toContain(`${path.join(".")} is missing`);
    }
  });

  test("is loosened by name and with a reason, or not at all", () => {
    const reason = () => "off: it is a test account";
    const isFirm = ({ path }: (typeof required)[number]): boolean => FIRM.includes(path.at(-1) ?? "");
    expect(
      mistakesOf(
        changed(
          required.filter((one) => !isFirm(one)),
          reason,
        ),
      ),
    ).toEqual([]);
    for (const one of required.filter(isFirm))
      expect(mistakesOf(changed([one], reason)), one.path.join(".")).not.toEqual([]);
  });

  test.each(["off", "off: why", "OFF: it is a test", false])("is not loosened by %j, none of them", (wrong) => {
    const lines = mistakesOf(changed(required, () => wrong));
    expect(required.filter(({ path }) => !lines.some((line) => line.includes(`: ${path.join(".")} `)))).toEqual([]);
  });

  test("cannot be left out together with its whole section in live mode", () => {
    const { risk: _, ...settings } = completeConfig();
    expect(mistakesOf(settings)).toEqual(["pegbot.yaml:1:7: live mode needs the section risk"]);
  });
});

describe("a number", () => {
  test.each(["minimum", "maximum"] as const)("is accepted at the %s of its range, all of them in one file", (end) => {
    const mistakes = mistakesOf(changed(numbers, ({ description }) => description[end]));
    // Live mode has bounds of its own for the protocol: test/config/protocol.test.ts.
    expect(mistakes.filter((line) => !line.includes(" in live mode"))).toEqual([]);
  });

  test.each<readonly [string, (minimum: number, maximum: number) => unknown]>([
    ["one below its range", (minimum) => minimum - 1],
    ["one above its range", (_, maximum) => maximum + 1],
    ["its minimum in quotes", String],
    ["infinity", () => Number.POSITIVE_INFINITY],
  ])("is refused as %s, with its range: all of them in one file, each by name", (_, wrongOf) => {
    const wrong = ({ description: { minimum = Number.NaN, maximum = Number.NaN } }: Field) => wrongOf(minimum, maximum);
    const lines = mistakesOf(changed(numbers, wrong));
    const passed = numbers.filter(({ path, description: { minimum, maximum } }) => {
      const said = new RegExp(`: ${path.join(".")} must be a whole number.* from ${minimum} to ${maximum}, was `);
      return !lines.some((line) => said.test(line));
    });
    expect(numbers.length).toBeGreaterThan(40);
    expect(passed).toEqual([]);
  });

  test("cannot be given in a neighbouring unit", () => {
    for (const { path, description } of numbers) {
      const { minimum = 0, maximum = Number.POSITIVE_INFINITY } = description;
      const name = path.join(".");
      // Seconds for milliseconds are a factor of 1,000 away, percent for basis points a factor of 100.
      if (/Ms/.test(name)) expect(maximum / minimum, name).toBeLessThan(1_000);
      if (/Bps/.test(name)) expect(maximum / minimum, name).toBeLessThan(100);
    }
  });
});

describe("an amount", () => {
  const wrongs = [12.5, "12,5", "1e3", "-1", "0", "9".repeat(40), null];

  test.each<readonly [unknown, (high: string) => unknown]>([
    ...wrongs.map((wrong) => [wrong, () => wrong] as const),
    ["a millionth too much", (high) => `${high}.000001`],
  ])("is refused as %j, with its range: all of them in one file, each by name", (_, wrongOf) => {
    const lines = mistakesOf(changed(amounts, ({ description }) => wrongOf(description.amount?.high ?? "")));
    const passed = amounts.filter(({ path, description: { amount } }) => {
      const said = `: ${path.join(".")} must be a quoted decimal from "${amount?.low}" to "${amount?.high}"`;
      return !lines.some((line) => line.includes(said));
    });
    expect(amounts.length).toBeGreaterThan(10);
    expect(passed).toEqual([]);
  });

  test.each(["low", "high"] as const)("is accepted at the %s end of its range, all of them in one file", (end) => {
    expect(mistakesOf(changed(amounts, ({ description }) => description.amount?.[end]))).toEqual([]);
  });
});

test("every setting says what it is, and no mapping takes keys that it does not know", () => {
  for (const { path, description } of fields.filter(({ path }) => path[0] !== "venue" || path[1] !== "profile"))
    expect(description.description, path.join(".")).toBeTruthy();
  const open = fields.filter(
    ({ description }) => description.type === "object" && description.additionalProperties !== false,
  );
  expect([...new Set(open.map(({ path }) => path.join(".")))]).toEqual([
    "venue.profile.fields",
    "venue.profile.statuses",
    "venue.instruments",
    "shadow.funds",
    "paper.funds",
    "market.sourcesMin",
    "market.bands",
    "market.par",
    "strategy.params",
    "risk.orderQuantityMax",
    "treasury.targets",
    "treasury.planning.elsewhere",
    "treasury.planning.mints",
    "treasury.planning.rails",
    "treasury.mint.quantityMax",
    "treasury.mint.perDayMax",
    "treasury.destinations",
    "treasury.rails",
    "conversions",
    "journal.openingCosts",
  ]);
});

function fieldsOf(description: Description, path: readonly string[]): Field[] {
  const choices = description.anyOf ?? [description];
  return choices.flatMap((choice) =>
    Object.entries(choice.properties ?? {}).flatMap(([key, inner]) => [
      // A choice is as many fields as it has shapes.
      ...(inner.anyOf ?? [inner]).map((shape) => ({ path: [...path, key], description: shape })),
      ...fieldsOf(inner, [...path, key]),
    ]),
  );
}

function keyPaths(value: unknown, path: readonly string[]): string[][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [[...path, key], ...keyPaths(inner, [...path, key])]);
}

/** One letter left out, doubled, replaced or swapped with its neighbour, at every place; and one too many. */
function misspellings(word: string): string[] {
  const letters = [...word].map((_, i) => i);
  const words = [
    ...letters.map((i) => word.slice(0, i) + word.slice(i + 1)),
    ...letters.map((i) => word.slice(0, i) + word.slice(i, i + 1).repeat(2) + word.slice(i + 1)),
    ...letters.map((i) => `${word.slice(0, i)}Q${word.slice(i + 1)}`),
    ...letters.slice(1).map((i) => word.slice(0, i - 1) + word.charAt(i) + word.charAt(i - 1) + word.slice(i + 1)),
    `${word}s`,
  ];
  return [...new Set(words)].filter((wrong) => wrong !== word && wrong !== "");
}

function rename(mapping: Plain, from: string, to: string): void {
  mapping[to] = mapping[from];
  delete mapping[from];
}

const BOUND_BY = [
  ["collarBps", "collarHardBps"],
  ["assetExposureMax", "grossExposureMax"],
  ["ordersPerMinuteMax", "ordersPerDayMax"],
  ["turnoverPerHourMax", "turnoverPerDayMax"],
  ["rejectsPerSymbolMax", "rejectsMax"],
  ["doubtsPerAssetMax", "doubtsMax"],
];

/** As JSON, which is YAML too and costs half of it, and has no word for a number that is none. */
function changed<T extends Pick<Field, "path">>(some: readonly T[], wrongFor: (one: T) => unknown): Plain | string {
  const settings = completeConfig();
  // The rules between limits have tests of their own: here each stands alone.
  const names = some.map(({ path }) => path.at(-1) ?? "");
  for (const pair of BOUND_BY)
    for (const other of pair.some((one) => names.includes(one)) ? pair : [])
      mappingAt(settings, ["risk"])[other] = "off: it stands alone";
  const values = some.map((one) => wrongFor(one));
  for (const [i, { path }] of some.entries()) mappingAt(settings, path.slice(0, -1))[path.at(-1) ?? ""] = values[i];
  const isPlain = values.every((value) => typeof value !== "number" || Number.isFinite(value));
  return isPlain ? JSON.stringify(settings) : settings;
}
