import { describe, expect, test } from "vitest";
import { explore } from "./explore.ts";
import { SOUND, WEAK, weakened } from "./variant.ts";

describe("whatever network, venue and crashes do to one order, it is filled at most once, tracked, and freed only when dead", () => {
  test.each(SOUND)("%s", (name, variant) => {
    const { states, broken, story, stuck, met } = explore(variant);
    process.stdout.write(`model ${name}: ${states} states, ${broken ?? "holds"}\n`);
    expect({ broken, story, stuck }).toEqual({ broken: undefined, story: [], stuck: 0 });
    // Everything but a late fill, which is what the protocol prevents.
    expect([...met].sort()).toEqual([
      "accepted",
      "accepted, overdue",
      "confirmed",
      "intended",
      "not-sent",
      "rejected",
      "released",
      "sending",
      "settled",
      "unknown",
      "unknown, escalated",
      "unknown, fenced",
      "unknown, fenced, escalated",
    ]);
  });
});

describe("a weaker protocol is caught", () => {
  test.each(WEAK)("%s: %s", (name, breaks, change) => {
    const { states, broken, story } = explore(weakened(change), breaks);
    process.stdout.write(
      `model ${name}: ${states} states, ${broken ?? "holds"} in ${story.length}: ${story.join(", ")}\n`,
    );
    expect(broken).toBe(breaks);
  });
});
