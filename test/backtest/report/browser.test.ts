import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { computeFigures } from "../../../backtest/metric/figures.ts";
import type { RunRecord } from "../../../backtest/record/run-record.ts";
import { reportPage } from "../../../backtest/report/report.ts";
import { runReport } from "../../../backtest/report/run-report.ts";
import { openBrowser } from "../../support/browser.ts";
import { needs } from "../../support/needs.ts";
import { syntheticRun } from "../../support/synthetic-run.ts";

const record = syntheticRun({ seed: 7, days: 31, treasury: true });
const other = syntheticRun({ seed: 8, days: 20 });

let browser: Browser | undefined;
afterAll(() => browser?.close());

type Seen = { readonly page: Page; readonly troubles: string[] };

/** Opens a report from a file and hands over the page and all that went wrong on it. */
async function opened<T>(text: string, width: number, look: (seen: Seen) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-report-"));
  const file = join(folder, "report.html");
  writeFileSync(file, text);
  browser ??= await openBrowser();
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  try {
    const troubles: string[] = [];
    page.on("console", (message) => troubles.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href && request.url() !== "data:,")
        troubles.push(`request: ${request.url()}`);
    });
    await page.goto(pathToFileURL(file).href);
    await page.locator("[data-drawn=yes]").last().waitFor();
    // Charts are painted at the end of the task that made them.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    return await look({ page, troubles });
  } finally {
    await page.close();
    rmSync(folder, { recursive: true });
  }
}

/** How many different colours a chart shows: one that was not drawn shows none or its axes alone. */
const COLOURS = `Object.fromEntries([...document.querySelectorAll("[data-chart]")].map((place) => {
  const canvas = place.querySelector("canvas");
  if (canvas === null) return [place.dataset.chart, 0];
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) seen.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
  return [place.dataset.chart, seen.size];
}))`;

const report = (run: RunRecord) => reportPage(runReport(run, computeFigures(run)));

test("a report in a browser has all its charts drawn, no error, and asks nobody for anything", async () => {
  needs("chromium");
  await opened(report(record), 1_280, async ({ page, troubles }) => {
    const colours = (await page.evaluate(COLOURS)) as Record<string, number>;
    expect(Object.keys(colours).sort()).toEqual(
      [
        "equity",
        "over-holding",
        "underwater",
        "price-VCHF-CHF",
        "price-VGBP-GBP",
        "histogram",
        "round-trips",
        "balance-CHF",
        "balance-VCHF",
        "balance-GBP",
        "balance-VGBP",
      ].sort(),
    );
    // Ink of the chart itself beside that of axes and grid.
    for (const [id, count] of Object.entries(colours)) expect(count, id).toBeGreaterThan(3);
    expect(await page.locator("[data-heat=months] td[title]").count()).toBeGreaterThan(0);
    expect(troubles).toEqual([]);
  });
});

test("hostile texts are shown as text and run nothing", async () => {
  needs("chromium");
  const hostile = `</script><script>document.title="owned"</script><img src=x onerror="document.title='owned'">'"&\u202e`;
  const { settings, fills } = other;
  const run: RunRecord = {
    ...other,
    settings: {
      ...settings,
      title: hostile,
      data: hostile,
      strategy: hostile,
      assumptions: [{ name: hostile, value: hostile }],
    },
    fills: { ...fills, reason: fills.reason.map(() => hostile) },
    refusals: { [hostile]: 1 },
  };
  await opened(report(run), 1_280, async ({ page, troubles }) => {
    expect(await page.locator("h1").textContent()).toBe(hostile.replace("\u202e", "\\u202e"));
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toContain("</script>");
    expect(await page.locator("script").count()).toBe(2);
    expect(troubles).toEqual([]);
  });
});
