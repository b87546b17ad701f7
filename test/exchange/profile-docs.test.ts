import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type Profile, presets } from "../../src/exchange/profile.ts";

it("docs/guides/profile.md has a row for every switch, with the value of each preset", () => {
  const page = readFileSync("docs/guides/profile.md", "utf8");
  const rows = new Map(
    [...page.matchAll(/^\| `(\w+)` \| `([^`]+)` \| `([^`]+)` \|/gm)].map(([, name, ...values]) => [name, values]),
  );
  const shown = (value: unknown) => (typeof value === "string" && value !== "" ? value : JSON.stringify(value));
  const names = Object.keys(presets.contract) as (keyof Profile)[];
  expect([...rows.keys()]).toEqual(names);
  for (const name of names)
    expect(rows.get(name), name).toEqual([shown(presets.contract[name]), shown(presets.observed[name])]);
});
