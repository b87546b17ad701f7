// What stops the bot, as metrics show it and as the pages for people name it.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STOP_CAUSES } from "../../src/domain/stop-cause.ts";

test("every cause has its row among the ways out and stands in the list of labels", () => {
  const labels = /^- `cause`:.*/m.exec(readFileSync("docs/MONITORING.md", "utf8"))?.[0];
  const [, ways = ""] = readFileSync("docs/OPERATIONS.md", "utf8").split("## Ways out");
  const rows = ways.split("\n## ")[0]?.match(/^\| `?[a-z_–]+`? \|/gm) ?? [];
  const named = new Set(
    rows.map((row) => row.replaceAll(/[|` ]/g, "")).filter((name) => name !== "–" && name !== "cause"),
  );
  expect([...named].sort()).toEqual(STOP_CAUSES.filter((cause) => cause !== "other").sort());
  for (const cause of STOP_CAUSES) expect(labels).toContain(`\`${cause}\``);
});
