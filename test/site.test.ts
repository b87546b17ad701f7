// The documentation as a site: it builds from every page without a dead link, and its search answers what people ask.

import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const VITEPRESS = "site/node_modules/vitepress/bin/vitepress.js";
const isInstalled = existsSync(VITEPRESS);
/** What a reader sees without scrolling. */
const ON_FIRST_SCREEN = 8;

const QUESTIONS: readonly (readonly [question: string, page: string])[] = [
  ["stop everything", "operate/stop"],
  ["resume after halt", "operate/stop"],
  ["outcome unknown", "concepts/unknown"],
  ["journal-full", "operate/stops"],
  ["PegbotJournalSlow", "operate/alerts"],
  ["PegbotDown", "operate/alerts"],
  ["nonce-ahead", "operate/key-file"],
  ["RC05 daily loss", "operate/stops"],
  ["balances differ", "operate/stops"],
  ["backup restore", "operate/maintain"],
  ["systemd", "operate/machine"],
  ["exit code 4", "operate/run"],
  ["first bot paper", "start/first-run"],
  ["write a strategy", "guides/strategy"],
  ["backtest year episode", "guides/backtest"],
  ["go live confirm", "start/go-live"],
  ["mint minimum", "guides/treasury"],
  ["telegram messages", "guides/monitoring"],
  ["orderValueMax", "reference/limits"],
  ["signature refused 401", "guides/doctor"],
];

type Found = { readonly id: string };
type Index = { readonly search: (question: string) => readonly Found[] };
let built: string;
let index: Index;

beforeAll(() => {
  if (!isInstalled) return;
  built = mkdtempSync(join(tmpdir(), "pegbot-site-"));
  const made = spawnSync(process.execPath, [VITEPRESS, "build", "site", "--outDir", built], { encoding: "utf8" });
  expect(made.status, made.stdout + made.stderr).toBe(0);
});
afterAll(() => built && rmSync(built, { recursive: true }));

beforeAll(async () => {
  if (!isInstalled) return;
  const [chunk = ""] = globSync(join(built, "assets/chunks/@localSearchIndexroot.*.js"));
  const { default: text } = (await import(pathToFileURL(chunk).href)) as { default: string };
  const MiniSearch = createRequire(resolve("site/package.json"))("minisearch");
  // As the theme asks it.
  const searchOptions = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } };
  index = MiniSearch.loadJSON(text, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions,
  });
});

test.for(QUESTIONS)("a search for %s shows %s on the first screen", ([question, page], { skip }) => {
  if (!isInstalled && process.env.CI !== "true") skip("npm run site installs what builds the site");
  const found = index.search(question).slice(0, ON_FIRST_SCREEN);
  const pages = found.map(({ id }) => id.replace(/^\/docs\/|(?:\.html)?(?:#.*)?$/g, ""));
  expect(pages).toContain(page);
});

test("every page of docs/ is a page of the site", ({ skip }) => {
  if (!isInstalled && process.env.CI !== "true") skip("npm run site installs what builds the site");
  const pages = globSync("docs/**/*.md").map((path) => path.replace(/^docs\//, "").replace("README", "index"));
  expect(pages.filter((page) => !existsSync(join(built, page.replace(/\.md$/, ".html"))))).toEqual([]);
  expect(readFileSync(join(built, "index.html"), "utf8")).not.toMatch(/<(?:script|link)[^>]+(?:src|href)="https?:/);
});
