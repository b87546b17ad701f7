import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readHouse } from "./architecture/rule.ts";
import {
  FILES_MAX,
  HABITS,
  highFolders,
  isOurs,
  LINES_GOAL,
  LINES_OF_A_FILE_MAX,
  linesByRoom,
  linesOf,
  RETIRED,
  RETIRED_IN_PROSE,
  SLIVERS_MAX,
  SUMS_MAX,
  slivers,
  sums,
} from "./architecture/size.ts";

describe("the house stays small", () => {
  const house = readHouse(".");
  const ours = house.sources.map(({ path }) => path).filter(isOurs);

  test("code with pages, tests and docs keep their sums", () => {
    const rooms = linesByRoom();
    expect([...rooms.keys()].sort()).toEqual(Object.keys(LINES_GOAL).sort());
    const found = sums();
    const over = (["code", "tests", "words"] as const).filter((sum) => found[sum] > SUMS_MAX[sum]);
    const table = [...rooms].map(([room, lines]) => `${room}: ${lines}, goal ${LINES_GOAL[room]}`);
    expect(over, [JSON.stringify(found), ...table].join("\n")).toEqual([]);
    expect(ours.length).toBeLessThanOrEqual(FILES_MAX);
    expect(ours.filter((path) => linesOf(path) > LINES_OF_A_FILE_MAX)).toEqual([]);
  });

  test("a folder has six floors of value imports at most", () => {
    expect(highFolders(house)).toEqual({});
  });

  test("a small file with one importer belongs to it", () => {
    const found = slivers(house);
    expect(found.length, found.join("\n")).toBeLessThanOrEqual(SLIVERS_MAX);
  });

  test("retired names are in no file name and no identifier, retired words in no prose", () => {
    expect(ours.filter((path) => RETIRED.test(path))).toEqual([]);
    const identifiers = ours.flatMap((path) =>
      [...new Set(readFileSync(path, "utf8").match(/[A-Za-z_$][\w$]*/g))]
        .filter((name) => RETIRED.test(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(identifiers).toEqual([]);
    const pages = [...globSync("docs/**/*.md"), "README.md", "CHANGELOG.md"];
    const prose = pages.flatMap((page) =>
      readFileSync(page, "utf8")
        .split("\n")
        .flatMap((line, at) => (RETIRED_IN_PROSE.test(line) ? [`${page}:${at + 1} ${line}`] : [])),
    );
    expect(prose).toEqual([]);
  });

  test("no page has a habit word", () => {
    const pages = [...globSync("docs/**/*.md", { exclude: ["docs/reference/**"] }), "README.md"];
    const found = pages.flatMap((page) =>
      readFileSync(page, "utf8")
        .replace(/`[^`]*`/g, (code) => code.replace(/\S/g, "x"))
        .split("\n")
        .flatMap((line, at) => (HABITS.test(line) ? [`${page}:${at + 1} ${line}`] : [])),
    );
    expect(found).toEqual([]);
  });

  test("docs/inside/reading.md names files that exist", () => {
    const named = readFileSync("docs/inside/reading.md", "utf8").match(/(?<=`)(?:src|backtest|ops)\/[^`]+(?=`)/g) ?? [];
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((path) => !existsSync(path))).toEqual([]);
  });
});
