// What README and docs/ show is true: every fence is run by a test. Pages with commands are followed word for word here.

import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { blocksOf, PAGES } from "./support/examples.ts";
import { isFollowed, Reader, serveCommands, stepsOf } from "./support/follow.ts";
import { needs } from "./support/needs.ts";

/** Marks that another test takes from all pages. */
const TAKEN: Readonly<Record<string, string>> = {
  "sh run": "test/readme.test.ts",
  "sh start": "test/readme.test.ts",
  "ts library": "test/readme.test.ts",
  "ts strategy": "test/strategy/load-file.test.ts",
  "json tsconfig": "test/strategy/editor.test.ts",
  "yaml config": "test/config/guide.test.ts",
  "yaml faults": "test/simulator/market/documented.test.ts",
};
const SKIPS_MAX = 5;

const START = PAGES.filter((page) => page.startsWith("docs/start/"));
/** The others with commands: each is followed where its reader has a bot. */
const GUIDES = PAGES.filter((page) => /^docs\/(?!start\/|guides\/shadow)/.test(page) && stepsOf(page).length > 0);
const PLACES = [
  ["test/fixture/beside-a-bot.md", ...GUIDES, "test/fixture/left-by-guides.md"],
  ...START.map((page) => (page.endsWith("/shadow.md") ? [page, "docs/guides/shadow.md"] : [page])),
];

const commands = serveCommands();
// Side by side.
vi.setConfig({ maxConcurrency: 3 });

test("there are seven pages to begin with, and each is followed to something that can be seen", () => {
  expect(START.filter((page) => stepsOf(page).some(({ printed }) => printed !== undefined))).toHaveLength(7);
});

test("every fence is run by a test, or says why none can", () => {
  const unrun = PAGES.flatMap(blocksOf).filter(
    ({ page, mark }) => mark !== "text" && TAKEN[mark] === undefined && (page === "README.md" || !isFollowed(mark)),
  );
  const skipped = unrun.filter(({ mark }) => /^sh skip \S+/.test(mark));
  expect(skipped.length).toBeLessThanOrEqual(SKIPS_MAX);
  const places = unrun.filter((block) => !skipped.includes(block)).map(({ page, line }) => `${page}:${line}`);
  expect(places, "no test runs what has this mark").toEqual([]);
  for (const [mark, by] of Object.entries(TAKEN)) expect(readFileSync(by, "utf8")).toContain(`marked("${mark}")`);
});

test.for(PAGES)("what is typed in %s stands in a fence that says so", (page) => {
  const text = readFileSync(page, "utf8");
  const blocks = blocksOf(page);
  expect(text.match(/^ *```/gm) ?? []).toHaveLength(2 * blocks.length);
  // Four blanks make a block too.
  expect(/^\n {4,}\S.*/m.exec(text.replace(/^( *)```.*?^\1```$/gms, ""))?.[0]).toBeUndefined();
  const typed = blocks.filter(({ mark, text }) => mark === "text" && /^(\$ |npx |pegbot |node |curl )/m.test(text));
  expect(typed.map(({ line }) => `${page}:${line}`)).toEqual([]);
});

test.concurrent.for(PLACES.map((pages) => [pages.join(", "), pages] as const))("%s", async ([, pages], context) => {
  needs("curl", "openssl");
  const reader = new Reader(commands);
  context.onTestFinished(() => reader.end());
  for (const page of pages) await reader.follow(page);
});
