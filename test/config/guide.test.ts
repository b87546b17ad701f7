// docs/guides/configuration.md is held against the schema: its examples are accepted.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mistakesOf } from "./complete.ts";

const guide = readFileSync(new URL("../../docs/guides/configuration.md", import.meta.url), "utf8");
const examples = [...guide.matchAll(/^```yaml config\n(.*?)^```$/gms)].map((match) => match[1] ?? "");

test("every example of the guide is accepted", () => {
  expect(examples).toHaveLength(7);
  for (const example of examples) expect(mistakesOf(example), example).toEqual([]);
});
