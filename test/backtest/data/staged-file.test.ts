import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { openStage, publish, removeStage } from "../../../backtest/data/file/staged-file.ts";
import type { Manifest } from "../../../backtest/data/manifest.ts";
import { newFolder } from "./stage.ts";

const manifest = { file: "x" } as Manifest;

it.each(["x.csv", "x.columns"])("%s appears with its manifest, and nothing else does", (name) => {
  const out = join(newFolder(), "deeper", name);
  const stage = openStage(out);
  for (const path of new Set([stage.file, stage.columns])) writeFileSync(path, "whole");
  publish(out, manifest);
  removeStage(out);
  expect(readdirSync(dirname(out)).sort()).toEqual([name, `${name}.manifest.json`]);
});

it("where something took the file's place meanwhile, no manifest is left beside it", () => {
  const out = join(newFolder(), "x.columns");
  writeFileSync(openStage(out).file, "whole");
  mkdirSync(out);
  expect(() => publish(out, manifest)).toThrow(/EISDIR|ENOTDIR|EEXIST|EPERM/);
  removeStage(out);
  expect(readdirSync(dirname(out))).toEqual(["x.columns"]);
});
