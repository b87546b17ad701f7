// docs/guides/configuration.md is held against the schema: its examples are accepted, and no key is missing from it.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configDescription, type Description } from "../../src/config/description.ts";
import { mistakesOf } from "./complete.ts";

const guide = readFileSync(new URL("../../docs/guides/configuration.md", import.meta.url), "utf8");
const others = ["limits", "profile"].map((page) => readFileSync(`docs/guides/${page}.md`, "utf8")).join();
const examples = [...guide.matchAll(/^```yaml config\n(.*?)^```$/gms)].map((match) => match[1] ?? "");

test("every example of the guide is accepted", () => {
  expect(examples).toHaveLength(7);
  for (const example of examples) expect(mistakesOf(example), example).toEqual([]);
});

test("the guide, or the pages on limits and on the venue, names every key", () => {
  const keys = keysOf(configDescription());
  expect(keys).toContain("rampSizeBps");
  for (const key of keys) expect(guide + others, key).toMatch(new RegExp(`\\b${key}\\b`));
});

function keysOf(description: Description): string[] {
  const choices = description.anyOf ?? [description];
  return choices.flatMap((choice) =>
    Object.entries(choice.properties ?? {}).flatMap(([key, inner]) => [key, ...keysOf(inner)]),
  );
}
