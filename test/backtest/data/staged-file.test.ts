import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { type Manifest, openStage, publish, removeStage } from "../../../backtest/data/manifest.ts";
import { newFolder } from "./stage.ts";

const MODULE = new URL("../../../backtest/data/manifest.ts", import.meta.url).href;

/** Another thread has names of its own for what it stages, as another process has. */
const OTHER = `
  const { workerData: { module, out } } = require("node:worker_threads");
  import(module).then(({ openStage, publish }) => {
    require("node:fs").writeFileSync(openStage(out).file, "theirs");
    publish(out, { file: "theirs" });
  });
`;

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
  expect(() => publish(out, manifest)).toThrow(/x\.columns was written by another process meanwhile/);
  removeStage(out);
  expect(readdirSync(dirname(out))).toEqual(["x.columns"]);
});

it("of two that write the same file at once the second is refused, and what the first wrote stands as it is", async () => {
  const out = join(newFolder(), "x.columns");
  const stage = openStage(out);
  writeFileSync(stage.file, "ours");
  const other = new Worker(OTHER, { eval: true, workerData: { module: MODULE, out } });
  await new Promise((resolve) => other.once("exit", resolve));
  expect(() => publish(out, manifest)).toThrow(/x\.columns\.manifest\.json was written by another process meanwhile/);
  removeStage(out);
  expect(readdirSync(dirname(out)).sort()).toEqual(["x.columns", "x.columns.manifest.json"]);
  expect([readFileSync(out, "utf8"), JSON.parse(readFileSync(`${out}.manifest.json`, "utf8"))]).toEqual([
    "theirs",
    { file: "theirs" },
  ]);
});
