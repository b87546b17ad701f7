// docs/reference/ is written by the program: `npm run reference`.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { referencePages } from "../scripts/reference/pages.ts";
import { codePage } from "../src/app/code-page.ts";
import { REJECTION_CODES } from "../src/domain/event.ts";
import { STOP_CAUSES } from "../src/domain/stop-cause.ts";
import { RULES } from "../src/watch/metrics/meters.ts";

const pages = await referencePages();

test.each([...pages])("%s is what npm run reference writes", (path, wanted) => {
  expect(readFileSync(path, "utf8")).toBe(wanted);
});

describe("the page of codes", () => {
  const listed = [...(pages.get("docs/reference/codes.md") ?? "").matchAll(/^### `?([\w-]+)`?$/gm)].map(
    ([, one]) => one,
  );

  test("has every code of a rule, a refusal, a stop, the journal and the key's file", () => {
    const inSources = (path: string): readonly string[] =>
      [...readFileSync(path, "utf8").matchAll(/"((?:journal|anchor|key)-[a-z]+)"/g)].map(([, one = ""]) => one);
    const files = ["src/journal/journal.ts", "src/journal/file/sqlite-failure.ts", "src/exchange/port.ts"];
    const known = [...RULES, ...REJECTION_CODES, ...STOP_CAUSES, ...files.flatMap(inSources)];
    expect(known.length).toBeGreaterThan(70);
    expect(known.filter((one) => one !== "other" && !listed.includes(one))).toEqual([]);
  });

  test("is where a failure leads that names a code, and words that are none lead nowhere", () => {
    const named = [...RULES, ...REJECTION_CODES, "key-held", "dns"].filter((one) => !/^(other|rejected)$/.test(one));
    const places = named.map((one) => [one, codePage(`refused: ${one}: why`)]);
    expect(places).toEqual(named.map((one) => [one, `${resolve("docs/reference/codes.md")}#${one.toLowerCase()}`]));
    expect(codePage("price: must be above-all 1, refused")).toBeUndefined();
  });
});
