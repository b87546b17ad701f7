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
import { millis } from "../../../src/domain/time.ts";
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
        "underwater",
        "price-VCHF-CHF",
        "price-VGBP-GBP",
        "premium-VCHF-CHF",
        "premium-VGBP-GBP",
        "waterfall",
        "markout",
        "histogram",
        "rolling-sharpe",
        "balance-CHF",
        "balance-VCHF",
        "balance-GBP",
        "balance-VGBP",
        "budget",
        "settlement",
      ].sort(),
    );
    // Ink of the chart itself beside that of axes and grid.
    for (const [id, count] of Object.entries(colours)) expect(count, id).toBeGreaterThan(3);
    expect(
      await page.locator("[data-heat=months] td.g1, [data-heat=months] td.g2, [data-heat=months] td.g3").count(),
    ).toBeGreaterThan(0);
    expect(troubles).toEqual([]);
  });
});

/** From the lower edge of the box to the upper one of what follows it. */
const GAP = `(() => {
  const box = document.querySelector(".stopped");
  return box.nextElementSibling.getBoundingClientRect().top - box.getBoundingClientRect().bottom;
})()`;

test("what is noted below the box of a bot that was stopped stands apart from it", async () => {
  needs("chromium");
  const { settings } = record;
  const ended = { state: "HALTED", since: settings.from, reason: "a rule" } as const;
  const run = { ...record, ended, settings: { ...settings, cautions: ["a caution"] } };
  await opened(report(run), 1_280, async ({ page }) => {
    expect(await page.evaluate(GAP)).toBeGreaterThanOrEqual(8);
  });
});

test("on a phone nothing is wider than the screen, and charts are drawn", async () => {
  needs("chromium");
  const compared = { label: "journal", record: other, figures: computeFigures(other) };
  await opened(reportPage(runReport(record, computeFigures(record), compared)), 390, async ({ page, troubles }) => {
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    const colours = (await page.evaluate(COLOURS)) as Record<string, number>;
    for (const [id, count] of Object.entries(colours)) expect(count, id).toBeGreaterThan(3);
    expect(troubles).toEqual([]);
  });
});

/** The narrowest value in the table of settings, as a part of the row that it stands in. */
const NARROWEST = `Math.min(...[...document.querySelectorAll(".facts tr")].map(
  (row) => row.lastElementChild.offsetWidth / row.closest(".facts").clientWidth,
))`;

test("on a phone a long name in the assumptions leaves room for what is said of it", async () => {
  needs("chromium");
  const hole = {
    name: "holes in recordings/GBP-CHF.csv and recordings-of-another/GBP-CHF.parquet",
    value: "from Friday evening on ".repeat(20),
  };
  const { settings } = record;
  const run = { ...record, settings: { ...settings, assumptions: [...settings.assumptions, hole] } };
  await opened(report(run), 390, async ({ page }) => {
    expect(await page.evaluate(NARROWEST)).toBeGreaterThan(0.5);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });
});

test("on a phone the returns by calendar scroll in their own boxes, by keys too, and the names of their rows stay", async () => {
  needs("chromium");
  await opened(report(record), 390, async ({ page }) => {
    for (const name of ["months", "days"]) {
      const box = page.locator(`[data-heat=${name}]`);
      const place = () =>
        box.evaluate((one) => {
          const [mine, row] = [one, one.querySelector("th[scope=row]") ?? one].map((part) =>
            part.getBoundingClientRect(),
          );
          return {
            left: one.scrollLeft,
            right: mine?.right ?? 0,
            name: Math.round((row?.left ?? 0) - (mine?.left ?? 0)),
          };
        });
      expect(await place()).toMatchObject({ left: 0, name: 1 });
      await box.press("ArrowRight");
      await expect.poll(async () => (await place()).left).toBeGreaterThan(0);
      await box.evaluate((one) => one.scrollTo({ left: 9_999, behavior: "instant" }));
      expect(await place()).toMatchObject({ name: 1 });
      expect((await place()).right).toBeLessThanOrEqual(390);
    }
    expect(await page.evaluate("[document.documentElement.scrollWidth, scrollX]")).toEqual([390, 0]);
  });
});

test("on a phone the returns by calendar begin where there are some", async () => {
  needs("chromium");
  const figures = computeFigures(record);
  if (figures.periods.kind !== "known") throw new Error("a run of a month has returns by calendar");
  const { months, days } = figures.periods.value;
  const late = <T extends { from: number }>(all: readonly T[]): T[] =>
    all.slice(0, 1).map((one) => ({ ...one, from: millis(Date.UTC(2026, 10, 17)) }));
  const value = { ...figures.periods.value, months: late(months), days: late(days) };
  const page = reportPage(runReport(record, { ...figures, periods: { kind: "known", value } }));
  await opened(page, 390, async ({ page }) => {
    for (const name of ["months", "days"]) {
      const seen = await page.locator(`[data-heat=${name}]`).evaluate((box) => {
        const [cell] = [...box.querySelectorAll("td")].filter(({ textContent }) => textContent !== "");
        const [mine, its] = [box, cell ?? box].map((part) => part.getBoundingClientRect());
        const names = box.querySelector("th[scope=row]")?.getBoundingClientRect();
        return [(its?.left ?? 0) - (names?.right ?? 0), (mine?.right ?? 0) - (its?.right ?? 0)];
      });
      for (const room of seen) expect(room, name).toBeGreaterThanOrEqual(-1);
    }
    expect(await page.evaluate("[scrollX, scrollY]")).toEqual([0, 0]);
  });
});

test("dragging over one chart zooms the others in time, and a double click brings all of it back", async () => {
  needs("chromium");
  await opened(report(record), 1_280, async ({ page, troubles }) => {
    const picture = () => page.evaluate(`document.querySelector("[data-chart=underwater] canvas").toDataURL()`);
    const whole = await picture();
    const over = page.locator("[data-chart=equity] .u-over");
    const box = await over.boundingBox();
    if (box === null) throw new Error("the chart must have a place to drag on");
    await page.mouse.move(box.x + box.width * 0.4, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 4 });
    await page.mouse.up();
    await expect.poll(picture).not.toBe(whole);
    await over.dblclick({ position: { x: 20, y: 40 } });
    await expect.poll(picture).toBe(whole);
    expect(troubles).toEqual([]);
  });
});

test("light and dark change the charts too", async () => {
  needs("chromium");
  await opened(report(record), 1_280, async ({ page, troubles }) => {
    const look = () =>
      page.evaluate(
        `[getComputedStyle(document.body).backgroundColor, document.querySelector("[data-chart=equity] canvas").toDataURL()]`,
      );
    const [paper, picture] = (await look()) as [string, string];
    await page.click("#theme");
    await expect.poll(async () => ((await look()) as [string, string])[1]).not.toBe(picture);
    expect(((await look()) as [string, string])[0]).not.toBe(paper);
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

/** Of each chart the width of its frame and its own. */
const DRAWN = `({
  widths: [...document.querySelectorAll("[data-chart]")].map((place) => [place.clientWidth, place.querySelector("canvas").clientWidth]),
  theme: document.documentElement.dataset.theme,
  body: document.body.clientWidth,
})`;

test("on paper every chart is as wide as its frame, in light inks, and on the screen as before afterwards", async () => {
  needs("chromium");
  await opened(report(record), 1_280, async ({ page, troubles }) => {
    const drawn = () => page.evaluate(DRAWN) as Promise<{ readonly widths: readonly (readonly [number, number])[] }>;
    const before = await drawn();
    await page.emulateMedia({ media: "print" });
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    const printed = await drawn();
    expect(printed).toMatchObject({ theme: "light", body: 690 });
    expect(Math.max(...printed.widths.flat())).toBeLessThanOrEqual(690);
    for (const [frame, chart] of printed.widths) expect(chart).toBe(frame);
    await page.emulateMedia({ media: "screen" });
    await page.evaluate('dispatchEvent(new Event("afterprint"))');
    expect(await drawn()).toEqual(before);
    expect(troubles).toEqual([]);
  });
});
