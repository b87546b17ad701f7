import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { SCENARIO_NAMES, type ScenarioName } from "../../../src/domain/scenario.ts";
import { DEFAULT_PAIRS } from "../../../src/simulator/core/listing.ts";
import { COUNTRIES_SERVED } from "../../../src/simulator/core/rail-form.ts";
import { DEFAULT_SETTINGS } from "../../../src/simulator/core/settings.ts";
import { faultsSchema } from "../../../src/simulator/fault.ts";
import { type MarketParameters, SCENARIOS } from "../../../src/simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../../../src/simulator/market/reference.ts";
import { OF_VENUE } from "../../../src/simulator/switches.ts";
import { marked } from "../../support/examples.ts";

const market = readFileSync("docs/guides/market.md", "utf8");
const simulator = readFileSync("docs/guides/simulator.md", "utf8");
const { pegs, pairs, references, stress, fx, dealing, venue, ...rest } = SCENARIOS.calibrated;

describe("docs/guides/market.md states the market as it is", () => {
  test("every parameter by name", () => {
    const inner = [pegs, pairs, references].flatMap((each) => Object.keys(Object.values(each)[0] ?? {}));
    const names = [...Object.keys({ ...rest, ...stress, ...fx, ...dealing, ...venue }), ...inner].filter(
      (name) => !["name", "anchor", "kind", "reference"].includes(name),
    );
    expect(names.filter((name) => !market.includes(`${name}\``))).toEqual([]);
  });

  test("every scenario", () => {
    expect(SCENARIO_NAMES.filter((name) => !market.includes(`\n| \`${name}\` |`))).toEqual([]);
    expect(Object.entries(SCENARIOS).filter(([name, parameters]) => name !== parameters.name)).toEqual([]);
  });

  test.each([
    [
      "volatile",
      ({ fx }) => `clusters (${fx.clusterSigma}); ${fx.jumpsPerYear} jumps and ${fx.crashesPerYear} crashes`,
    ],
    ["volatile", ({ fx }) => `gaps of ${fx.gapBps} bp`],
    ["depeg", ({ stress }) => `${stress.collapsesPerYear} collapses, ${stress.endsPerYear} ends`],
    ["depeg", ({ stress }) => `${stress.lesserPerYear} lesser de-pegs`],
    ["outage", ({ venue }) => `${venue.outagesPerWeek} outages a week, ${venue.errorShare * 100} % failing`],
    [
      "outage",
      ({ venue }) => `${venue.slowShare * 100} % slow requests, ${venue.heldShare * 100} % of settlements held`,
    ],
    ["one-sided", ({ dealing }) => `${dealing.oneSidedShare * 100} % of hours`],
    ["toxic", ({ dealing }) => `against us by ${-dealing.impactBps} bp for good`],
  ] as const satisfies [ScenarioName, (parameters: MarketParameters) => string][])("%s: %s", (name, textOf) => {
    const row = market.split("\n").find((line) => line.startsWith(`| \`${name}\``));
    expect(row).toContain(textOf(SCENARIOS[name]));
  });

  test("the values of calibrated", () => {
    const hours = (ms: number): number => ms / 3_600_000;
    for (const text of [
      `${references.GBP?.levelChf}, ${(references.GBP?.volatilityPerYear ?? 0) * 100} %`,
      `| ${fx.correlation} | 0 | measured |`,
      `${fx.clusterSigma}, half-life ${hours(fx.clusterHalfLifeMs) / 24} days`,
      `${fx.slowSigma}, half-life ${hours(fx.slowHalfLifeMs) / 24} days`,
      `Student's t with ${fx.tailDegrees}`,
      `${fx.gapBps} bp over a weekend`,
      `${fx.jumpsPerYear} of ${fx.jumpMinBps} to ${fx.jumpMaxBps} bp`,
      `${fx.crashesPerYear} of ${fx.crashMinBps} bp`,
      `${pegs.VCHF?.deviationBps} bp, ${hours(pegs.VCHF?.halfLifeMs ?? 0)} h`,
      `par - ${pegs.VCHF?.floorBps} bp`,
      `${stress.lesserPerYear} a year and issuer, ${stress.lesserMinBps} to ${stress.lesserMaxBps} bp, log-normal ${hours(stress.lesserMinMs)} to ${hours(stress.lesserMaxMs)} h`,
      `| ${stress.flashesPerYear} of 300 to 1,300 bp over ${hours(stress.flashMinMs)} to ${hours(stress.flashMaxMs)} h`,
      `more than ${dealing.withdrawBps} bp from that rate`,
      `per ${dealing.waryBps} bp of 10,000`,
      `spreads x ${stress.spreadFactor}, sizes x ${stress.depthFactor}`,
      `${pairs["VCHF/CHF"]?.halfSpreadBps} bp; cross pairs ${pairs["VGBP/VCHF"]?.halfSpreadBps}, USDC/CHF ${pairs["USDC/CHF"]?.halfSpreadBps}`,
      `${dealing.impactBps} bp per 10,000, half-life ${dealing.impactHalfLifeMs / 60_000} min, ${dealing.impactKept * 100} % stays`,
      `last look: ${dealing.holdMs} ms, ${dealing.toleranceBps} bp; ${dealing.refusedShare * 100} % refused`,
      `${venue.latencyMs} ms one way`,
      `| ${venue.slowShare * 100} %, `,
      `| ${venue.errorShare * 100} %; `,
      `${venue.heldShare * 100} % for 1 to 3 days`,
    ])
      expect(market).toContain(text);
  });

  test.each(DEFAULT_REFERENCES)("the feed $name", ({ name, intervalMs, delayMs, noiseBps, halfSpreadBps }) => {
    const row = market.split("\n").find((line) => line.startsWith(`| \`${name}\``));
    expect(row).toContain(`| ${intervalMs} ms | ${delayMs} ms | ${noiseBps} bp | ${halfSpreadBps} bp |`);
  });
});

describe("docs/guides/simulator.md states the venue as it is", () => {
  test.each(DEFAULT_PAIRS)("the pair $symbol", ({ symbol, quantityMin, quantityDecimals, priceDecimals }) => {
    expect(simulator).toContain(`| ${symbol} | ${quantityMin} | ${quantityDecimals}, ${priceDecimals} |`);
  });

  test("every switch of the operator by name, with the countries served", () => {
    const missing = Object.keys(DEFAULT_SETTINGS).filter((name) => name !== "seed" && !simulator.includes(`\`${name}`));
    expect(missing).toEqual([]);
    expect(simulator).toContain(COUNTRIES_SERVED.join(" "));
    expect(Object.keys(OF_VENUE).filter((name) => !simulator.includes(`\`${name.split(".")[0]}`))).toEqual([]);
  });

  test("the fault rules of the document are good rules, and every fault is in its table", () => {
    for (const { text } of marked("yaml faults")) expect(faultsSchema.safeParse(parse(text)).success).toBe(true);
    const kinds = faultsSchema.shape.rules.element.options.map((option) => [...option.shape.fault.values][0] as string);
    expect(kinds.length).toBeGreaterThan(15);
    for (const kind of kinds) expect(simulator).toMatch(new RegExp(`^\\| .*\`${kind}\`.* \\|`, "m"));
  });
});
