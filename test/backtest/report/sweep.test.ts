import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import type { WorthSeries } from "../../../backtest/metric/worth.ts";
import { type Report, reportPage } from "../../../backtest/report/report.ts";
import { type Sweep, sweepReport } from "../../../backtest/report/sweep-report.ts";
import type { Axis } from "../../../backtest/search/parameter-space.ts";
import { rankedRows } from "../../../backtest/search/ranking.ts";
import type { Explored } from "../../../backtest/search/sweep.ts";
import type { SweepPlan } from "../../../backtest/search/sweep-plan.ts";
import type { TrialResult } from "../../../backtest/search/trial-result.ts";
import { openBrowser } from "../../support/browser.ts";
import { needs } from "../../support/needs.ts";
import { trialOf } from "../search/stage.ts";
import { MINUTE, optionsOf, pegArbitrage } from "../stage.ts";

let browser: Browser | undefined;
afterAll(() => browser?.close());

const HOSTILE = `</script><img src=x onerror="document.title='owned'">`;
const EDGES = [1, 2, 3, 4];
const NAMES = ["plain", HOSTILE];
const SIZES = Array.from({ length: 25 }, (_, i) => 100 + i);

/** Earns the edge, twice that with the second name; a little less with size. */
function resultOf(edge: number, name: string, size: number): TrialResult {
  const netProfit = edge * (name === "plain" ? 1 : 2) - size / 10_000;
  const figures = { netProfit, profitOverHolding: netProfit, sharpe: null, drawdown: 0.01 * edge };
  return {
    kind: "ran",
    trial: "t",
    traceHash: "h",
    state: "ACTIVE",
    orders: 9,
    fills: edge,
    figures,
    returns: {},
  } as unknown as TrialResult;
}

function reportOf(
  series?: WorthSeries,
  judged = (result: TrialResult) => result,
  chosen = (result: TrialResult) => result,
): Report {
  const axes: Axis[] = [
    { target: "param", name: "edgeBps", choice: { kind: "list", values: EDGES } },
    { target: "param", name: "style", choice: { kind: "list", values: NAMES } },
    { target: "param", name: "size", choice: { kind: "list", values: SIZES } },
  ];
  const points = EDGES.flatMap((edge) => NAMES.flatMap((name) => SIZES.map((size) => [edge, name, size] as const)));
  const plan: SweepPlan = {
    base: trialOf(),
    axes,
    points,
    search: "grid",
    objective: "profit",
    split: { kind: "time", share: 0.3 },
    marketOf: () => ({ market: trialOf().market }),
  };
  const explored: Explored[] = points.map((point, index) => ({
    index,
    point,
    inSample: [chosen(resultOf(...point))],
    outOfSample: [judged(resultOf(...point))],
  }));
  const rows = rankedRows(plan, explored);
  const sweep = {
    plan,
    rows,
    superior: { kind: "known", value: { p: 0.031, sets: 200, periods: 30 } },
    overfit: { kind: "n/a", reason: "" },
    series,
  } as const;
  const report = sweepReport({
    ...sweep,
    options: optionsOf(pegArbitrage(), MINUTE),
    cautions: [],
    leftOut: undefined,
  } as Sweep);
  return { ...report, title: `sweep ${HOSTILE}` };
}

async function opened(width: number, look: (page: Page, troubles: readonly string[]) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-sweep-page-"));
  const file = join(folder, "sweep.html");
  writeFileSync(file, reportPage(reportOf()));
  browser ??= await openBrowser();
  const tab = await browser.newPage({ viewport: { width, height: 900 } });
  const troubles: string[] = [];
  tab.on("console", (message) => troubles.push(message.text()));
  tab.on("pageerror", (error) => troubles.push(error.message));
  tab.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href && request.url() !== "data:,") troubles.push(request.url());
  });
  try {
    await tab.goto(pathToFileURL(file).href);
    await tab.locator("#map[data-drawn=yes]").waitFor();
    await look(tab, troubles);
  } finally {
    await tab.close();
    rmSync(folder, { recursive: true });
  }
}

test("a sweep's page has no rank out-of-sample where nothing was found there, and says so at its head", () => {
  const unknown = (result: TrialResult): TrialResult =>
    ({ ...result, figures: { ...(result as { figures: object }).figures, netProfit: null } }) as TrialResult;
  const rankIn = ({ parts }: Report): string | undefined =>
    parts
      .flatMap((part) => (part.kind === "tiles" ? part.lines : []))
      .find(({ label }) => label === "its rank out-of-sample")?.text;
  const titlesIn = ({ parts }: Report) => parts.flatMap((part) => (part.kind === "table" ? part.title : []));
  expect(rankIn(reportOf())).toMatch(/^1 of 200/);
  expect(titlesIn(reportOf())).toEqual(["Ranking, out-of-sample first"]);
  const without = reportOf(undefined, unknown);
  expect(rankIn(without)).toBe("n/a");
  expect(titlesIn(without)).toEqual(["Ranking, in-sample: nothing judges"]);
  expect(without.notes[0]).toContain("no run has a figure for profit out-of-sample");
});

const cells = (tab: Page) => tab.locator("#map td").allTextContents();

test("a sweep's page maps any two parameters, the mean or the best of the others, and shows hostile names as text", async () => {
  needs("chromium");
  await opened(1_280, async (tab, troubles) => {
    // Edge across, style down, the mean over 25 sizes around 112: 1 - 0.0112 and so on.
    expect(await cells(tab)).toEqual(["0.99", "1.99", "2.99", "3.99", "1.99", "3.99", "5.99", "7.99"]);
    await tab.selectOption("#map-y", { label: "nothing" });
    expect(await cells(tab)).toEqual(["1.49", "2.99", "4.49", "5.99"]);
    await tab.selectOption("#map-others", { label: "the best" });
    expect(await cells(tab)).toEqual(["1.99", "3.99", "5.99", "7.99"]);
    await tab.selectOption("#map-figure", { label: "drawdown out-of-sample" });
    expect(await cells(tab)).toEqual(["1.000 %", "2.000 %", "3.000 %", "4.000 %"]);
    const shades = (await tab.evaluate(
      `[...document.querySelectorAll("#map td")].map((cell) => cell.style.background)`,
    )) as string[];
    expect(new Set(shades).size).toBe(4);
    await tab.selectOption("#map-x", { label: "size" });
    expect(await tab.locator("#map thead th").allTextContents()).toEqual([
      "",
      "100 … 102",
      "103 … 104",
      "105 … 107",
      "108 … 109",
      "110 … 112",
      "113 … 114",
      "115 … 117",
      "118 … 119",
      "120 … 122",
      "123 … 124",
    ]);
    expect(await tab.locator(".scroll:not(.flat) tbody tr").first().locator("td").allTextContents()).toEqual([
      "1",
      "4",
      HOSTILE,
      "100",
      ...["7.99 CHF", "7.99 CHF", "7.99 CHF", "7.99 CHF"],
      "n/a",
      "4.000 %",
      "4",
      "9",
      "ACTIVE",
    ]);
    expect(await tab.locator("img").count()).toBe(0);
    expect(await tab.title()).toBe(`sweep ${HOSTILE}`);
    expect(troubles).toEqual([]);
  });
});
