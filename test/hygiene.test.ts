import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, type TestContext, test } from "vitest";
import { needs } from "./support/needs.ts";

// Built from parts, so that this file does not find itself.
const REGISTRY = new RegExp(["registry", "(npmjs|yarnpkg)", "(org|com)"].join("\\."));
/** /home/user and /home/<file> are nobody's: examples may use them. */
const MACHINE_PATH = new RegExp(
  `(^|[\\s"'\`(=])/(${["home/(?!user\\b)[\\w-]+", "root", "Users", "tmp", "work"].join("|")})/[\\w.-]`,
  "m",
);
const SECRET = new RegExp(["-----BEGIN", "(EC |ENCRYPTED )?PRIVATE KEY-----\\s+[A-Za-z0-9+/]{20}"].join(" "));

/** A pattern has no properties of its own, so that any text has them all. */
const BARE_PATTERN = /toMatchObject\([^;]*?[{,]\s*\w+: \/(?![/*])/;

/** A machine that is busy makes a number of one test's own a matter of luck; a database waits for a lock, and that is its own. */
const OWN_BOUND = /^(?!.*DatabaseSync).*\btimeout: \d|^ *\}, \d+_000\);$/m;

/** What git tracks, not what lies around: a developer's own configuration and keys are nobody's business. */
function trackedFiles(context: TestContext): readonly string[] {
  needs("git");
  if (!existsSync(".git")) context.skip("this copy of the tree is no git checkout");
  const { status, stdout, stderr } = spawnSync("git", ["ls-files", "-z"], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return stdout.split("\0").filter((file) => file !== "" && existsSync(file));
}

function filesWith(pattern: RegExp, files: readonly string[]): readonly string[] {
  return files.filter((file) => pattern.test(readFileSync(file, "utf8")));
}

test("no tracked file names a package registry or a path of somebody's machine", (context) => {
  const files = trackedFiles(context);
  expect(files.length).toBeGreaterThan(20);
  expect(filesWith(REGISTRY, files)).toEqual([]);
  expect(filesWith(MACHINE_PATH, files)).toEqual([]);
});

test("no test gives a bare pattern within an object, which anything matches, where expect.stringMatching is meant", (context) => {
  const isBare = (text: string): boolean => BARE_PATTERN.test(text);
  expect(
    ["error: /no/", "ok: false,\n  error: /no/", "error: expect.stringMatching(/no/)"].map((one) =>
      isBare(`${"toMatchObject"}({ ${one} })`),
    ),
  ).toEqual([true, true, false]);
  expect(
    filesWith(
      BARE_PATTERN,
      trackedFiles(context).filter((file) => file.endsWith(".test.ts")),
    ),
  ).toEqual([]);
});

test("no test has a bound of its own: what is hung is the same everywhere, in test/support/patience.ts", (context) => {
  const bounds = [
    "it('is', { TIMEOUT: 9 }, () => {",
    "  TIMEOUT: 120_000,",
    "}, 120_000);",
    "{ TIMEOUT: TEST_MS_MAX }",
  ];
  const found = bounds.map((bound) => OWN_BOUND.test(bound.replace("TIMEOUT", "timeout")));
  expect(found).toEqual([true, true, true, false]);
  const tests = trackedFiles(context).filter((file) => /^test\/(?!fixture\/).*\.test\.ts$/.test(file));
  expect(filesWith(OWN_BOUND, tests)).toEqual([]);
});

test("no tracked file but a fixture holds a private key", (context) => {
  const files = trackedFiles(context).filter((file) => !file.startsWith("test/fixture/"));
  expect(filesWith(SECRET, files)).toEqual([]);
});

test("every link from a page to a file of ours leads somewhere, and every decision is linked", (context) => {
  const pages = trackedFiles(context).filter((file) => file.endsWith(".md"));
  const links = pages.flatMap((page) => {
    const targets = [...readFileSync(page, "utf8").matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)];
    return targets.map((target) => ({ page, target: posix.join(posix.dirname(page), target[1] ?? "") }));
  });
  expect(links.filter(({ target }) => !existsSync(target))).toEqual([]);
  const decisions = pages.filter((page) => page.startsWith("docs/adr/"));
  expect(decisions.filter((page) => !links.some(({ target }) => target === page))).toEqual([]);
});

test("every link to a heading of a page of ours finds it, also from sources and alerts", (context) => {
  const files = trackedFiles(context).filter((file) => /\.(md|ts|yml)$/.test(file));
  const links = files.flatMap((file) => headingLinks(file, readFileSync(file, "utf8")));
  expect(links.length).toBeGreaterThan(200);
  const lost = links.filter(({ page, heading }) => existsSync(page) && !headingsOf(page).includes(heading));
  expect(lost).toEqual([]);
});

/** On a page links are relative to it, or to itself; elsewhere a page is named from the root. */
function headingLinks(file: string, text: string) {
  const pattern = file.endsWith(".md") ? /\]\((?![a-z]+:)([^)#\s]*)#([^)\s]+)\)/g : /(docs\/[\w/-]+\.md)#([\w-]+)/g;
  return [...text.matchAll(pattern)].map(([, name = "", heading = ""]) => {
    const fromPage = name === "" ? file : posix.join(posix.dirname(file), name);
    return { file, page: file.endsWith(".md") ? fromPage : name, heading };
  });
}

/** As forges name them: lower case, blanks as hyphens, all other signs left out. */
function headingsOf(page: string): readonly string[] {
  const prose = readFileSync(page, "utf8").replace(/^```.*?^```/gms, "");
  return [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("the patterns find what they are for", () => {
  expect(REGISTRY.test(`from ${["registry", "npmjs", "org"].join(".")}/undici`)).toBe(true);
  expect(MACHINE_PATH.test(`open("/${"home"}/someone/keys.pem")`)).toBe(true);
  expect(MACHINE_PATH.test('read("/home/user/keys.pem"), read("/home/prices.csv")')).toBe(false);
  expect(MACHINE_PATH.test("GET /api/v1/work/x and http://h/home/y")).toBe(false);
  expect(SECRET.test(`-----BEGIN ${"PRIVATE KEY"}-----\nMIGHAgEAMBMGByqGSM49AgEGCCqG`)).toBe(true);
});
