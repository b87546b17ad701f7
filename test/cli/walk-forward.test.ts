// `walk-forward` as a user runs it, over minutes.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../journal/place.ts";
import { BUSY } from "../support/busy.ts";
import { needs } from "../support/needs.ts";
import { runHere } from "../support/run-here.ts";
import { type Finished, pegbot } from "./pegbot.ts";

/** Two windows of four minutes and two; the market strays far and often, so that minutes are enough. */
const SHORT = [
  ...[...BUSY, "--to", "2026-01-01T00:08:00Z", "--train", "4m", "--test", "2m", "--objective", "profit-over-holding"],
  ...["--param", "edgeBps=0,4", "--param", "skewBps=0"],
];

function stage() {
  const cwd = temporaryFolder();
  return (...args: string[]): Promise<Finished> => pegbot(["walk-forward", ...args], { cwd });
}

describe("walk-forward", () => {
  it("shows what judges first, leaves a page without errors, and has nothing to run the second time", async () => {
    needs("chromium");
    const run = stage();
    const first = await run(...SHORT, "--workers", "1");
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const lines = first.stdout.split("\n");
    expect(lines[1]).toMatch(/^2 windows · .* out-of-sample/);
    expect(first.stdout).toMatch(/^2026-01-01 00:04 to 2026-01-01 00:06 .* edgeBps=\d /m);
    expect(first.stdout).toContain("report   walk-forward.html");
    const second = await run(...SHORT, "--workers", "2", "--json");
    expect(second).toMatchObject({ code: 0, stderr: "6 runs, 6 of them kept in walk-forward.db from before\n" });
    const { rows, objective, settings } = JSON.parse(second.stdout);
    expect(settings).toMatchObject({ strategy: "peg-arbitrage", data: [], seed: 1, terms: { quotesMs: 0 } });
    expect([settings.from, settings.to]).toEqual([rows[0].window.train.from, rows[1].window.test.to]);
    expect(objective).toBe("profit-over-holding");
    expect(rows.length).toBe(2);
    // What is not known is there, and null.
    expect(rows[0]).toHaveProperty("fault", null);
    expect(rows[0].superior).toMatchObject({ kind: "n/a" });
  });

  it("refuses a time too short for a window, and a name that the strategy does not have", async () => {
    const refused = async (text: string, ...args: string[]): Promise<void> => {
      const { code, stderr } = await runHere(["walk-forward", ...args, "--out", join(temporaryFolder(), "w.html")]);
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
    };
    await refused("a window takes 360 h", "--days", "2", "--param", "edgeBps=1,2");
    await refused("edgBps", ...SHORT, "--param", "edgBps=1,2");
  });
});
