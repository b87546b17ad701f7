// Files in a folder that others can write to as well.

import { closeSync, lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { placeNew } from "../../src/disk/fresh-file.ts";
import { createFile, openNew, writeNew } from "../../src/disk/new-file.ts";
import { temporaryFolder } from "../journal/place.ts";

test("a file is made in the place of a link that was put there, or not at all, and what that leads to stays", () => {
  const folder = temporaryFolder();
  const [ours, place] = [join(folder, "ours"), join(folder, "place")];
  writeFileSync(ours, "ours");
  for (const make of [() => closeSync(openNew(place, 0o600)), () => writeNew(place, "new", 0o600)]) {
    symlinkSync(ours, place);
    make();
    expect([lstatSync(place).isFile(), lstatSync(place).mode & 0o777]).toEqual([true, 0o600]);
    rmSync(place);
  }
  for (const to of [ours, join(folder, "nowhere")]) {
    symlinkSync(to, place);
    expect(() => createFile(place, "new")).toThrow("EEXIST");
    rmSync(place);
  }
  expect(readFileSync(ours, "utf8")).toBe("ours");
  expect(readdirSync(folder)).toEqual(["ours"]);
});

test("what was written beside its place gets its name where nothing is, also on a disk without links, and takes no other's place", () => {
  const folder = temporaryFolder();
  const [fresh, place] = [join(folder, "place.1-0.new"), join(folder, "place")];
  const without = (): never => {
    throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
  };
  for (const link of [undefined, without]) {
    writeFileSync(fresh, "whole");
    placeNew(fresh, place, link);
    expect(readdirSync(folder)).toEqual(["place"]);
    writeFileSync(fresh, "later");
    expect(() => placeNew(fresh, place, link)).toThrow("place was written meanwhile");
    expect(readFileSync(place, "utf8")).toBe("whole");
    rmSync(place);
    rmSync(fresh);
  }
});
