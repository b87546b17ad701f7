// The running bot and the machine below it: a real disk that fills up, and a real lock on the journal.

import { execFileSync, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../journal/place.ts";
import { needs } from "../support/needs.ts";
import { TEST_MS_MAX } from "../support/patience.ts";

describe("a bot", () => {
  it("whose disk fills up sends nothing more, is halted for good, and says what to do", ({ skip }) => {
    needs("unshare", "mount");
    skip(spawnSync("unshare", ["-rm", "true"]).status !== 0, "a file system of its own may not be mounted here");
    const folder = temporaryFolder();
    const driver = resolve("test/bot/processes/full-disk.ts");
    const line = `mount -t tmpfs -o size=4m,mode=700 tmpfs ${folder}; exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"`;
    const args = ["-rm", "sh", "-euc", line, process.execPath, driver, `${folder}/pegbot.db`];
    const said = JSON.parse(execFileSync("unshare", args, { encoding: "utf8", timeout: TEST_MS_MAX }));
    expect(said.before).toBeGreaterThan(2);
    expect(said.full).toMatchObject({ sent: 0, followed: { state: "HALTED" } });
    expect(said.full.followed.reason).toMatch(/^journal-full: .*free some disk space/);
    // A person decides when it goes on, not the room on the disk.
    expect(said.roomAgain).toEqual({ sent: 0, state: "HALTED" });
    expect(said.open).toBe(0);
  });
});
