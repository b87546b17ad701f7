// `profile show` and `profile diff`: the presets and shared files in one form, and what is no profile.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { diffProfiles, showProfile } from "../../src/cli/command/profile.ts";
import { presets } from "../../src/exchange/profile.ts";
import { temporaryFolder } from "../journal/place.ts";
import { recordedShell } from "../support/recorded-shell.ts";

function fileOf(content: unknown): string {
  const path = join(temporaryFolder(), "venue.yaml");
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

test("the presets that the program loads are the files of the folder, every switch with what showed it", () => {
  for (const name of ["contract", "observed"] as const) {
    const { switches } = parse(readFileSync(`profiles/${name}.yaml`, "utf8"));
    const stated = Object.entries<{ is: unknown; by: string }>(switches);
    expect(Object.fromEntries(stated.map(([key, { is }]) => [key, is]))).toEqual(presets[name]);
    expect(stated.filter(([, { by }]) => by === "")).toEqual([]);
    const shell = recordedShell({ json: true });
    expect(showProfile(shell, name)).toBe(0);
    expect(JSON.parse(shell.stdout())).toMatchObject({ name, profile: presets[name] });
  }
});

test("where two profiles differ is listed, switches and what was seen, and nothing where they do not", () => {
  const path = fileOf({
    name: "venue",
    date: "2026-11-19",
    switches: { signedPath: { is: "relative", by: "doctor" } },
    seen: { "page of orders": { is: 50, by: "doctor" } },
  });
  const shell = recordedShell({ json: true });
  expect(diffProfiles(shell, "contract", path)).toBe(0);
  expect(JSON.parse(shell.stdout()).differences).toEqual([
    { name: "signedPath", one: "full", other: "relative" },
    { name: "page of orders", one: "-", other: "50" },
  ]);
  const same = recordedShell();
  diffProfiles(same, path, path);
  expect(same.stdout()).toBe("no difference\n");
});

test.each([
  ["an unknown switch", { name: "a", date: "2026-11-19", switches: { key: { is: "x", by: "me" } } }],
  ["a value that no switch has", { name: "a", date: "2026-11-19", switches: { curve: { is: "p384", by: "me" } } }],
  ["a name that is a path", { name: "../a", date: "2026-11-19", switches: {} }],
  ["a pair of two lines", { name: "a", date: "2026-11-19", switches: {}, instruments: { "AA/BB: {}\nx: #": {} } }],
  ["an alias", "name: &a b\ndate: *a\nswitches: {}\n"],
])("%s is no profile, and ends with 2", (_, content) => {
  expect(() => showProfile(recordedShell(), fileOf(content))).toThrow(expect.objectContaining({ code: 2 }));
});
