// The Grafana dashboard's form; its expressions are put to a real Prometheus in watched-run.test.ts.

import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { needs } from "../support/needs.ts";
import { dashboard, expressions, metricsIn, targets } from "./dashboard.ts";

const run = promisify(execFile);

test("it has a fixed uid, its data source is a variable, and its rows are those that people look for", () => {
  expect(dashboard.uid).toBe("pegbot");
  const rows = dashboard.panels.filter(({ type }) => type === "row").map(({ title }) => title);
  expect(rows).toEqual(["Health", "Money", "Execution", "Budget", "Treasury", "Risk"]);
  const variables = dashboard.templating.list.map(({ name }) => name);
  expect(variables).toEqual(["datasource", "instance", "symbol"]);
  expect(dashboard.annotations.list.map(({ name }) => name)).toEqual(["Alerts", "Halts", "Fills"]);
  expect(dashboard.templating.list).toContainEqual(expect.objectContaining({ name: "datasource", type: "datasource" }));
  expect(targets.length).toBeGreaterThan(50);
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana's own syntax
  for (const { datasource } of targets) expect(datasource.uid).toBe("${datasource}");
});

test("it shows every metric that the bot has", () => {
  const listed = [...readFileSync("docs/reference/metrics.md", "utf8").matchAll(/^\| `(pegbot_\w+)` \|/gm)].map(
    ([, name]) => name,
  );
  const shown = new Set(expressions.flatMap(metricsIn).flatMap((name) => [name, name.replace(/_bucket$/, "")]));
  expect(listed.length).toBeGreaterThan(50);
  expect(listed.filter((name) => name !== undefined && !shown.has(name))).toEqual([]);
});

test("every expression of it is valid", async () => {
  needs("promtool");
  const folder = mkdtempSync(join(tmpdir(), "pegbot-dashboard-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const rules = expressions.map((expr, i) => ({ record: `expression:${i}`, expr }));
  const path = join(folder, "rules.yml");
  writeFileSync(path, stringify({ groups: [{ name: "dashboard", rules }] }));
  await run("promtool", ["check", "rules", path]);
  writeFileSync(path, stringify({ groups: [{ name: "dashboard", rules: [{ record: "broken", expr: "rate(x" }] }] }));
  await expect(run("promtool", ["check", "rules", path])).rejects.toThrow();
});
