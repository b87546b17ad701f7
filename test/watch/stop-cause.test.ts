// What stops the bot, as metrics show it and as the pages for people name it.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STOP_CAUSES } from "../../src/domain/stop-cause.ts";
import { millis } from "../../src/domain/time.ts";
import { createMetrics } from "../../src/watch/metrics/metrics.ts";
import { KNOWN, quietLook, scraped } from "./look.ts";

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

test("a person's stop hides none of the bot's own, and words that say something else change nothing", async () => {
  const stop = { reason: "RC05: I saw it coming", wayOut: "", since: millis(0) };
  const also = [{ ...stop, state: "HALTED", by: "bot", cause: "balances" }] as const;
  const standing = { ...stop, state: "HALTED", by: "ann", cause: "person", also } as const;
  const samples = await scraped(createMetrics(KNOWN), quietLook({ standing }));
  const shown = STOP_CAUSES.filter((cause) => samples.get(`pegbot_stop_cause{cause="${cause}"}`) === 1);
  expect(shown).toEqual(["person", "balances"]);
});
