import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DEFAULT_PAIRS } from "../../../src/simulator/core/listing.ts";
import { DEFAULT_SETTINGS } from "../../../src/simulator/core/settings.ts";
import { DEFAULT_MARKET } from "../../../src/simulator/market/parameters.ts";
import { DEFAULT_REFERENCES } from "../../../src/simulator/market/reference.ts";

const page = readFileSync("docs/SIMULATOR.md", "utf8");
const { references, pegs, pairs, stress } = DEFAULT_MARKET;

describe("docs/SIMULATOR.md states the market as it is", () => {
  test.each(Object.entries(references))("value and volatility of %s", (name, { levelChf, volatilityPerYear }) => {
    expect(page).toContain(`| ${name} | ${levelChf} | ${Math.round(volatilityPerYear * 100)} % |`);
  });

  test.each(Object.entries(pegs))("the peg of %s", (name, { reference, deviationBps, halfLifeMs, stressed }) => {
    const halfLife = halfLifeMs / 60_000;
    expect(page).toContain(
      `| ${name} | ${reference} | ${deviationBps} bp | ${halfLife} min | ${stressed ? "yes" : "no"} |`,
    );
  });

  test.each(DEFAULT_PAIRS)("the pair $symbol", ({ symbol, quantityMin, quantityDecimals, priceDecimals }) => {
    const { halfSpreadBps, depth, noiseBps, noiseHalfLifeMs } = pairs[symbol] as (typeof pairs)[string];
    const market = `| ${symbol} | ${halfSpreadBps} bp | ${depth} | ${noiseBps} bp`;
    expect(page).toContain(`${market} | ${quantityMin} | ${quantityDecimals}, ${priceDecimals} |`);
    expect(noiseHalfLifeMs).toBe(5 * 60_000);
  });

  test.each(DEFAULT_REFERENCES)("the feed $name", ({ name, intervalMs, delayMs, noiseBps, halfSpreadBps }) => {
    const row = page.split("\n").find((line) => line.startsWith(`| \`${name}\``));
    expect(row).toContain(`| ${intervalMs} ms | ${delayMs} ms | ${noiseBps} bp | ${halfSpreadBps} bp |`);
  });

  test("stress and sizes", () => {
    const hours = (ms: number): number => ms / 3_600_000;
    expect(page).toContain(`chance ${stress.chancePerDay} a day`);
    expect(page).toContain(
      `${hours(stress.minMs)} to ${hours(stress.maxMs)} h long, ${stress.minBps} to ${stress.maxBps} bp`,
    );
    expect(page).toContain(`grow up to ${stress.spreadFactor} times`);
    expect(page).toContain(`shrink to ${stress.depthFactor} of normal`);
    expect(page).toContain(
      `every ${DEFAULT_MARKET.depthEpochMs / 1_000} s, log-normal with sigma ${DEFAULT_MARKET.depthSigma}`,
    );
    expect(page).toContain(`on a grid of ${DEFAULT_MARKET.gridMs} ms`);
  });

  test("every switch of the operator by name, with the countries served", () => {
    const missing = Object.keys(DEFAULT_SETTINGS).filter((name) => name !== "seed" && !page.includes(`\`${name}`));
    expect(missing).toEqual([]);
    expect(page).toContain(DEFAULT_SETTINGS.railCountries.join(" "));
  });
});
