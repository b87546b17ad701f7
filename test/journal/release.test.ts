import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pegbot } from "../cli/pegbot.ts";

const RELEASES = "test/fixture/release";
const FILES = ["pegbot.yaml", "pegbot.db", "pegbot.db.anchor", "books.csv"];

test.each(readdirSync(RELEASES))(
  "what version %s wrote is read: configuration, journal, books to the cent",
  async (version) => {
    const cwd = mkdtempSync(join(tmpdir(), "pegbot-release-"));
    // git keeps no modes, and a journal that others may read is refused.
    for (const file of FILES) copyFileSync(join(RELEASES, version, file), join(cwd, file));
    const config = await pegbot(["config", "check"], { cwd });
    const verified = await pegbot(["journal", "verify", "--journal", "pegbot.db", "--json"], { cwd });
    const args = ["journal", "export", "--books", "again.csv", "--format", "csv", "--journal", "pegbot.db"];
    const exported = await pegbot(args, { cwd });
    expect([config.code, verified.code, exported.code], config.stdout + verified.stdout + exported.stderr).toEqual([
      0, 0, 0,
    ]);
    expect(JSON.parse(verified.stdout)).toMatchObject({ verdict: "intact" });
    expect(readFileSync(join(cwd, "again.csv"), "utf8")).toBe(readFileSync(join(cwd, "books.csv"), "utf8"));
    rmSync(cwd, { recursive: true });
  },
);
