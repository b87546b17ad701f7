// What stops the bot, as metrics show it and as the pages for people name it.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { STOP_CAUSES } from "../../src/domain/stop-cause.ts";

test("every cause has a heading with its way out, and stands in the list of labels", () => {
  const labels = /^- `cause`:.*/m.exec(readFileSync("docs/guides/monitoring.md", "utf8"))?.[0];
  const stops = readFileSync("docs/operate/stops.md", "utf8")
    .split(/^### .*$/m)
    .slice(1);
  const named = stops.flatMap((text) => {
    const cause = /^Cause `(\w+)`/m.exec(text)?.[1];
    if (cause !== undefined) expect(text).toMatch(/^\*\*Way out\*\*: \S/m);
    return cause ?? [];
  });
  expect([...new Set(named)].sort()).toEqual(STOP_CAUSES.filter((cause) => cause !== "other").sort());
  for (const cause of STOP_CAUSES) expect(labels).toContain(`\`${cause}\``);
});
