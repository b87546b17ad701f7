// The page in a real browser: on a bot that trades on paper as a user starts it, and on a server whose every text is hostile.

import { existsSync, readFileSync } from "node:fs";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemTimers } from "../../../src/app/system/system-timers.ts";
import { millis } from "../../../src/domain/time.ts";
import { type DashboardServer, startServer } from "../../../src/watch/dashboard/server.ts";
import type { Status } from "../../../src/watch/status.ts";
import { type BotStage, botStage, said } from "../../cli/bot-stage.ts";
import { openBrowser } from "../../support/browser.ts";
import { areThere, needs } from "../../support/needs.ts";
import type { Program } from "../../support/program.ts";
import { modelWith, partsWith, statusAt, T0, TOKEN } from "./stage.ts";

let browser: Browser | undefined;
async function opened(): Promise<Browser> {
  browser ??= await openBrowser();
  return browser;
}
afterAll(() => browser?.close());

type Seen = { readonly page: Page; readonly troubles: string[] };

/** With all that goes wrong on it, and every request that leaves for elsewhere. */
async function visit(url: string, width = 1_280): Promise<Seen> {
  const page = await (await opened()).newPage({ viewport: { width, height: 900 } });
  const troubles: string[] = [];
  page.on("console", (message) => troubles.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && request.url() !== "data:,") troubles.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  return { page, troubles };
}

/** How much of the room for figures they fill, and which of them do not fit into their place. */
const TILES = `(() => {
  const room = document.getElementById("tiles");
  const tiles = [...room.children];
  const area = (one) => one.clientWidth * one.clientHeight;
  const cut = [...room.querySelectorAll("dt, dd")].filter((one) => one.scrollWidth > one.clientWidth);
  return { full: tiles.reduce((sum, one) => sum + area(one), 0) / area(room), cut: cut.map((one) => one.textContent) };
})()`;

/** How many different colours each chart shows: one that was not drawn shows none. */
const COLOURS = `Object.fromEntries([...document.querySelectorAll("[data-chart]")].map((place) => {
  const canvas = place.querySelector("canvas");
  if (canvas === null) return [place.dataset.chart, 0];
  const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] > 200) seen.add((data[at] << 16) | (data[at + 1] << 8) | data[at + 2]);
  return [place.dataset.chart, seen.size];
}))`;

const fillsOn = async (page: Page): Promise<number> => Number(await page.getAttribute("body", "data-fills"));

beforeEach(() => needs("chromium"));

describe("the page of a bot that trades on paper", () => {
  let stage: BotStage;
  let bot: Program;
  let url: string;
  let seen: Seen;

  async function listening(started: Program): Promise<string> {
    const line = await said(started, /listening on http:\S+: /);
    return /http:\S+(?=:)/.exec(line)?.[0] ?? "";
  }

  beforeAll(async () => {
    if (!areThere("chromium")) return;
    stage = await botStage({}, afterAll);
    bot = stage.run();
    url = await listening(bot);
    seen = await visit(url);
  });
  afterAll(async () => {
    if (!areThere("chromium") || !existsSync(stage.folder)) return;
    bot.kill("SIGTERM");
    await bot.ended();
  });

  test("has its charts drawn, and fills appear without loading it again", async () => {
    const { page } = seen;
    await page.evaluate("window.loadedOnce = true");
    await expect.poll(() => fillsOn(page)).toBeGreaterThan(0);
    await page.evaluate("(window.pressed = document.querySelector('#price-rows button')).focus()");
    const before = await fillsOn(page);
    await expect.poll(() => fillsOn(page)).toBeGreaterThan(before);
    // A slow hand is still on it.
    expect(await page.evaluate("document.activeElement === window.pressed")).toBe(true);
    await expect
      .poll(async () => Math.min(...Object.values((await page.evaluate(COLOURS)) as Record<string, number>)))
      .toBeGreaterThan(3);
    const colours = (await page.evaluate(COLOURS)) as Record<string, number>;
    expect(Object.keys(colours).sort()).toEqual([
      "equity",
      "premium VCHF/CHF",
      "premium VGBP/GBP",
      "price VCHF/CHF",
      "price VGBP/GBP",
    ]);
    expect(await page.locator("[data-chart='price VCHF/CHF'] .mark-sell").textContent()).toMatch(/sells \(\d+\)/);
    await expect.poll(() => page.locator("#tape-rows [data-outcome=confirmed]").count()).toBeGreaterThan(0);
    expect(await page.locator("#tape-rows").textContent()).toContain("a little at every quote");
    expect(await page.locator("#strip .k-order").count()).toBeGreaterThan(0);
    expect(await page.locator("#tiles").textContent()).toMatch(/Profit per request[+\u2212]?\d/);
    const size = page.viewportSize();
    for (const width of [1_440, 1_280, 700, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const { full, cut } = (await page.evaluate(TILES)) as { full: number; cut: string[] };
      expect({ width, isFull: full > 0.97, cut }).toEqual({ width, isFull: true, cut: [] });
    }
    if (size !== null) await page.setViewportSize(size);
    expect(await page.locator(".limit").count()).toBeGreaterThan(8);
    expect(await page.locator(".holding:not(.heads)").count()).toBe(4);
    expect(await page.textContent("#settlement-rows")).toContain("no mint and no rail so far");
    expect(await page.evaluate("window.loadedOnce")).toBe(true);
    expect(seen.troubles).toEqual([]);
  });

  test("does not halt without the token, or with a wrong one, and says that it did not", async () => {
    const { page, troubles } = seen;
    await page.click("#halt");
    await page.fill("#reason", "looks odd");
    await page.click("#dialog-do");
    expect(await page.textContent("#dialog-problem")).toBe("the token is needed");
    await page.fill("#token", "6".repeat(64));
    await page.click("#dialog-do");
    await expect.poll(() => page.textContent("#dialog-problem")).toMatch(/^NOT STOPPED: the token is wrong/);
    await expect.poll(() => page.textContent("#state")).toBe("ACTIVE");
    expect(existsSync(`${stage.journal}.KILL`)).toBe(false);
    // The browser itself notes an answer of 401; nothing else may be there.
    expect(troubles.splice(0).filter((line) => !line.includes("401"))).toEqual([]);
  });

  test("halts with the token, and resumes with it and the typed word; the token is kept in no store", async () => {
    const { page, troubles } = seen;
    await page.fill("#token", readFileSync(`${stage.journal}.token`, "utf8").trim());
    await page.click("#dialog-do");
    await expect.poll(() => page.textContent("#state")).toBe("HALTED");
    expect(await page.textContent("#banners")).toContain("looks odd");
    expect(existsSync(`${stage.journal}.KILL`)).toBe(true);
    expect(await page.isHidden("#halt")).toBe(true);
    expect(await page.evaluate("document.activeElement.id")).toBe("resume");
    // Its way out can be marked and copied, and is read aloud once.
    await page.evaluate("window.banner = document.querySelector('#banners code').firstChild");
    const heard = await page.textContent("#link");
    await expect.poll(() => page.textContent("#link")).not.toBe(heard);
    expect(await page.evaluate("document.querySelector('#banners code').firstChild === window.banner")).toBe(true);
    expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie, location.href]")).toEqual(
      [0, 0, "", url],
    );
    expect(await page.inputValue("#token")).toBe("");
    await page.click("#resume");
    expect(await page.isHidden("#token")).toBe(true);
    expect(await page.textContent("#dialog-stops")).toMatch(/^HALTED by .*, \d\d:\d\d:\d\d UTC: looks odd$/);
    await page.fill("#reason", "looked at it");
    await page.click("#dialog-do");
    expect(await page.textContent("#dialog-problem")).toBe("type the word resume to go on");
    await page.fill("#confirm", "resume");
    await page.click("#dialog-do");
    await expect.poll(() => page.textContent("#state")).toBe("ACTIVE");
    expect(existsSync(`${stage.journal}.KILL`)).toBe(false);
    await expect
      .poll(() => page.textContent("#note-rows"))
      .toMatch(/resume by .*: looked at it.*kill by .*: looks odd/);
    const before = await fillsOn(page);
    await expect.poll(() => fillsOn(page)).toBeGreaterThan(before);
    expect(troubles).toEqual([]);
  });

  test("survives a restart of the bot: says that it hears nothing, then goes on with what it knew", async () => {
    const { page, troubles } = seen;
    const boot = await page.getAttribute("body", "data-boot");
    bot.kill("SIGTERM");
    await bot.ended();
    await expect.poll(() => page.textContent("#banners")).toContain("No contact with the bot");
    const known = await fillsOn(page);
    bot = stage.run("--port", new URL(url).port);
    await expect.poll(() => page.getAttribute("body", "data-boot")).not.toBe(boot);
    await expect.poll(() => fillsOn(page)).toBeGreaterThan(known);
    expect(await page.textContent("#banners")).toBe("");
    expect(await page.evaluate("window.loadedOnce")).toBe(true);
    // While there was nobody, the browser noted that connections were refused.
    expect(
      troubles.filter((line) => !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/.test(line)),
    ).toEqual([]);
    // A page that is opened now begins with the decisions and fills of the earlier process.
    const fresh = await visit(url);
    await expect.poll(() => fillsOn(fresh.page)).toBeGreaterThanOrEqual(known);
    expect(fresh.troubles).toEqual([]);
  });
});

describe("the page of a bot that hangs", () => {
  let server: DashboardServer;
  let page: Page;

  /** It says everything once and never again; the browser's time is turned by hand. */
  beforeAll(async () => {
    if (!areThere("chromium")) return;
    server = await startServer(partsWith({ timers: { ...systemTimers, after: () => () => {} } }));
    page = await (await opened()).newPage({ viewport: { width: 390, height: 900 } });
    await page.clock.install();
    await page.goto(server.url);
    await page.waitForSelector("#state[data-state=ACTIVE]");
  });
  afterAll(() => server?.close());

  test("shows no state as standing that it has not heard of for some seconds", async () => {
    const bright = await page.evaluate("getComputedStyle(state).backgroundColor");
    await page.clock.fastForward(5_000);
    // At one moment: a page that is looked at slowly has asked again, and heard, in between.
    const seen = "[state.textContent, doing.textContent, document.title, getComputedStyle(state).backgroundColor]";
    const [state, doing, title, colour] = (await page.evaluate(seen)) as readonly string[];
    expect([state, doing]).toEqual(["was ACTIVE", "not heard of since 08:00:00 UTC"]);
    expect(title).toMatch(/^was ACTIVE/);
    expect(colour).not.toBe(bright);
  });

  test("says that a halt is out, then that nobody knows whether it was done, and lets it be sent again", async () => {
    const held: Route[] = [];
    const sent = (): number => held.length;
    await page.route("**/api/halt", (route) => void held.push(route));
    const refuse = async (one: Route | undefined, error: string): Promise<void> => {
      const heard = page.waitForResponse("**/api/halt");
      await one?.fulfill({ status: 409, body: JSON.stringify({ error }) });
      await (await heard).finished();
    };
    await page.click("#halt");
    await page.fill("#reason", "hangs");
    await page.fill("#token", TOKEN);
    await page.click("#dialog-do");
    expect(await page.textContent("#dialog-do")).toBe("Sending\u2026");
    expect(await page.isDisabled("#dialog-do")).toBe(true);
    await expect.poll(sent).toBe(1);
    await page.clock.fastForward(5_000);
    const unknown =
      "NOT KNOWN whether it was done, or will be: no answer from the bot; stop it with pegbot halt, the kill file or SIGUSR2";
    expect(await page.textContent("#dialog-problem")).toBe(unknown);
    expect(await page.textContent("#dialog-do")).toBe("Halt");
    await page.click("#dialog-do");
    await expect.poll(sent).toBe(2);
    expect(await page.textContent("#dialog-do")).toBe("Sending\u2026");
    // Whoever closed it meanwhile is told all the same; answers to what was sent before say nothing of what is out now.
    await page.click("#dialog-close");
    await page.clock.fastForward(5_000);
    expect([await page.isVisible("#dialog"), await page.textContent("#dialog-problem")]).toEqual([true, unknown]);
    await refuse(held[0], "too early");
    expect(await page.textContent("#dialog-problem")).toBe(unknown);
    await refuse(held[1], "the disk is full");
    await expect.poll(() => page.textContent("#dialog-problem")).toBe("NOT STOPPED: the disk is full");
    await page.fill("#reason", "still hangs");
    await page.fill("#token", TOKEN);
    await page.click("#dialog-do");
    await expect.poll(sent).toBe(3);
    await page.clock.fastForward(5_000);
    await page.click("#dialog-close");
    await page.clock.fastForward(15_000);
    expect(await page.isVisible("#dialog")).toBe(false);
  });
});

/** What reaches beyond the panel it is in, names in limits that were broken up, and buttons too low for a finger. */
const NARROW = `(() => {
  const top = (id) => document.getElementById(id).getBoundingClientRect().top + scrollY;
  const beyond = [...document.querySelectorAll(".panel")].flatMap((panel) => {
    const { right } = panel.getBoundingClientRect();
    return [...panel.querySelectorAll("*")]
      .filter((one) => one.closest("canvas, .u-wrap") === null && one.getBoundingClientRect().right > right + 1)
      .map((one) => panel.id + ": " + one.className + " " + one.textContent.slice(0, 40));
  });
  const shown = [...document.querySelectorAll("button")].filter((one) => one.offsetHeight > 0);
  return {
    width: document.documentElement.scrollWidth,
    beyond,
    shattered: [...document.querySelectorAll(".limit")].filter((one) => one.offsetHeight > 60).length,
    low: shown.filter((one) => one.offsetHeight < 30).map((one) => one.textContent),
    isFirst: top("waiting") < top("equity"),
  };
})()`;

/** Ink in the first columns of a chart: a label that was cut. */
const CUT_LABELS = `(() => {
  const canvas = document.querySelector("[data-chart=equity] canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, 2, canvas.height);
  return data.filter((_, at) => at % 4 === 3).filter((alpha) => alpha > 0).length;
})()`;

const HELD_MINT = {
  ...{ id: "T-05ace6c8f86e469b9e0d5f6ecc721d46-1", kind: "mint", state: "confirmed", what: "109999.16 VGBP on ETH" },
  ...{ isDoubt: false, since: T0, venueWord: "held", venueReason: "review", venueId: "6a42-0b1e" },
} as const;

describe("the page of a large account on a small phone", () => {
  let server: DashboardServer;

  const told = (at: number): Status => {
    const status = statusAt({ at: millis(at) });
    const limit = (name: string) => ({ ...status.limits[0], name, used: 3_182_727, limit: 100_000_000 });
    return {
      ...status,
      equity: { ...status.equity, now: String(1_200_000 + (at % 2_000) / 10), turnover: "3182727.31" },
      holdings: ["CHF", "VCHF"].map((asset) => ({
        ...(status.holdings[0] as Status["holdings"][number]),
        ...{ asset, held: "1591238.21", reserved: "136450", value: "1591238.21" },
      })),
      quotes: status.quotes.map((quote) => ({ ...quote, ageMs: 12_345 })),
      open: [{ ...HELD_MINT, heldSince: T0 }],
      limits: ["loss of the day", "largest exposure VCHF", "turnover of the day"].map(limit) as Status["limits"],
      treasury: {
        plans: [],
        awaited: [{ id: "expected:L-1:1", rail: "L-1", pays: "3509 VCHF", since: T0 }],
        railsFrozen: undefined,
      },
    };
  };

  beforeAll(async () => {
    if (!areThere("chromium")) return;
    let at = Date.now() - 60_000;
    const model = modelWith(() => {
      at += 1_000;
      return told(at);
    });
    for (let tick = 0; tick < 20; tick += 1) model.tick();
    server = await startServer(partsWith({ model }));
  });
  afterAll(() => server?.close());

  test("is read without scrolling sideways, with whole names and whole numbers, and begins with what a person has to do", async () => {
    for (const width of [320, 360]) {
      const { page, troubles } = await visit(server.url, width);
      await page.locator("#equity [data-drawn=yes]").waitFor();
      const seen = await page.evaluate(NARROW);
      expect(seen).toEqual({ width, beyond: [], shattered: 0, low: [], isFirst: true });
      expect(await page.evaluate(CUT_LABELS)).toBe(0);
      const waiting = await page.textContent("#waiting-rows");
      expect(waiting).toContain("3,509 VCHF");
      expect(waiting).toMatch(
        /heldmint 109999\.16 VGBP on ETHby the venue since .* \(review\): .* with the id 6a42-0b1e/,
      );
      expect(troubles).toEqual([]);
      await page.close();
    }
  });
});

describe("the page of a bot that is told hostile texts", () => {
  const hostile = `</td><img src=x onerror="document.title='owned'"><script>document.title="owned"</script>'"&\u202e\u0007`;
  let server: DashboardServer;

  const told = (): Status => {
    const status = statusAt({ at: millis(Date.now()) });
    const [decision] = status.decisions;
    const stop = { state: "HALTED", reason: hostile, wayOut: hostile, by: hostile, since: T0 } as const;
    return {
      ...status,
      venue: hostile,
      strategy: hostile,
      said: { at: T0, text: hostile },
      freshStart: { at: T0, text: hostile },
      standing: { ...stop, also: [stop] },
      decisions:
        decision === undefined ? [] : [{ ...decision, reason: hostile, note: hostile, symbol: hostile, side: hostile }],
      open: status.open.map((one) => ({
        ...one,
        what: hostile,
        id: hostile,
        state: hostile,
        venueWord: hostile,
        decide: hostile,
      })),
      feeds: [{ name: hostile, kind: "reference", ageMs: 1, trouble: hostile }],
      notes: [{ at: T0, text: hostile }],
      holdings: status.holdings.map((one) => ({ ...one, asset: hostile })),
      treasury: {
        plans: [{ id: "R-1", at: T0, expiresAt: T0, by: hostile, persons: 2, approvedBy: ["anna"], steps: [hostile] }],
        awaited: [{ id: "expected:L-1:1", rail: hostile, pays: hostile, since: T0 }],
        railsFrozen: hostile,
        rest: { until: T0, why: hostile },
        expired: [{ id: hostile, at: T0, why: hostile }],
        left: [{ holding: hostile, why: hostile }],
      },
    };
  };

  beforeAll(async () => {
    if (!areThere("chromium")) return;
    const model = modelWith(told);
    const slot = { at: millis(Date.now()), class: hostile, what: hostile, waitedMs: 1, tookMs: 1, end: hostile };
    model.slot(slot as unknown as Parameters<typeof model.slot>[0]);
    server = await startServer(partsWith({ model }));
  });
  afterAll(() => server?.close());

  test("shows them as text, runs nothing, and stays inside a phone's screen", async () => {
    const { page, troubles } = await visit(server.url, 390);
    await expect.poll(() => page.textContent("#note-rows")).toContain("<img src=x onerror=");
    for (const place of [
      "#banners",
      "#tape-rows",
      "#open-rows",
      "#feed-rows",
      "#inventory-rows",
      "#facts",
      "#waiting-rows",
      "#says",
    ]) {
      const text = await page.textContent(place);
      expect(text, place).toContain("<script>");
      expect(text, place).toContain("\\u202e\\x07");
      expect(text, place).not.toMatch(/[\u202e\u0007]/);
    }
    const waiting = await page.textContent("#waiting");
    for (const says of [
      "fresh start",
      "to decide",
      "pegbot approve R-1 or pegbot decline R-1, 1 of 2 have approved",
      "pegbot rails --acknowledge",
      "expected:L-1:1",
    ])
      expect(waiting).toContain(says);
    expect(await page.locator("img, main script, header script").count()).toBe(0);
    expect(await page.title()).toMatch(/^HALTED/);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(troubles).toEqual([]);
  });

  test("is forbidden by its policy to run or load anything but its own files", async () => {
    const { page } = await visit(server.url);
    const answer = await page.request.get(server.url);
    const policy = answer.headers()["content-security-policy"] ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    expect(await answer.text()).not.toMatch(/<script>|<style|style=|onclick=|https?:/);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement("style"), { textContent: "body { display: none }" }))`,
    );
    expect(await page.evaluate("getComputedStyle(document.body).display")).toBe("block");
    const markup = await page.evaluate(
      `(() => { try { document.body.innerHTML = "<p>"; return "made"; } catch { return "refused"; } })()`,
    );
    expect(markup).toBe("refused");
  });
});
