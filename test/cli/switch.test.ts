// `halt` and `heartbeat`: the switch from another process than the bot's.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { stringify } from "yaml";
import { killFilePath } from "../../src/app/kill-switch/kill-file.ts";
import { halt } from "../../src/cli/command/halt.ts";
import { heartbeat } from "../../src/cli/command/heartbeat.ts";
import { completeConfig, mappingAt } from "../config/complete.ts";
import { temporaryFolder } from "../journal/place.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { pegbot } from "./pegbot.ts";
import { halted, stage } from "./switch-stage.ts";

describe("heartbeat", () => {
  test("is on record for the running bot, with who gave it, and says until when it holds", async () => {
    vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
    const { configFile, controls } = await stage([halted]);
    const shell = recordedShell({ configFile });
    expect(await heartbeat(shell)).toBe(0);
    expect(controls()).toEqual([{ kind: "heartbeat", by: expect.stringMatching(/./) }]);
    expect(shell.stdout()).toContain("risk.heartbeatMsMax is not set");
    const risk = stringify({ ...mappingAt(completeConfig(), ["risk"]), heartbeatMsMax: 60_000 });
    writeFileSync(configFile, `journal: { path: ./data/pegbot.db }\nrisk:\n${risk.replace(/^/gm, "  ")}`);
    const limited = recordedShell({ configFile });
    expect(await heartbeat(limited)).toBe(0);
    expect(limited.stdout()).toContain(`until ${new Date(limited.clock.now() + 60_000).toISOString()}`);
    expect(controls()).toHaveLength(2);
  });
});

describe("halt", () => {
  test("sets HALTED with its reason, and says how to get out", async () => {
    const { configFile, killFile } = await stage();
    const shell = recordedShell({ configFile });
    expect(await halt(shell, "fat finger")).toBe(5);
    expect(killFile.check()).toBe("HALTED: fat finger");
    expect(shell.stdout()).toContain("HALTED: no order, mint or rail leaves from now on");
    expect(shell.stdout()).toContain('pegbot resume --reason "..."');
  });

  test("is a program of its own that needs no key, no venue and no sound journal", async () => {
    const { folder, path, killFile } = await stage();
    writeFileSync(path, "this is no journal any more");
    const { code, stdout } = await pegbot(["halt", "gone mad", "--json"], { cwd: folder });
    expect([code, JSON.parse(stdout)]).toMatchObject([5, { state: "HALTED", reason: "gone mad", journal: path }]);
    expect(killFile.check()).toBe("HALTED: gone mad");
  });

  test("says NOT STOPPED where there is nothing to stop, or where it cannot be written", async () => {
    vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = temporaryFolder();
    writeFileSync(join(folder, "pegbot.yaml"), "mode: paper\n");
    const configFile = join(folder, "pegbot.yaml");
    await expect(halt(recordedShell({ configFile }), "stop")).rejects.toMatchObject({
      code: 2,
      message: `NOT STOPPED: there is no journal at ${join(folder, "data", "pegbot.db")}, so this configuration has no bot, and nothing was stopped`,
    });
    expect(existsSync(join(folder, "data"))).toBe(false);
    // A configuration that somebody broke while the bot ran, or a folder without one.
    writeFileSync(configFile, "mode: papr\n");
    for (const file of [configFile, join(folder, "none.yaml")])
      await expect(halt(recordedShell({ configFile: file }), "stop")).rejects.toMatchObject({
        code: 2,
        message: expect.stringContaining(`NOT STOPPED: ${file}`),
        next: expect.stringContaining("kill -USR2"),
      });
    const { configFile: other, path } = await stage();
    mkdirSync(`${killFilePath(path)}.new-${process.pid}`);
    rmSync(`${path}.anchor`);
    await expect(halt(recordedShell({ configFile: other }), "stop")).rejects.toMatchObject({
      code: 1,
      message: expect.stringMatching(/^NOT STOPPED: kill file .* cannot be written: .*; .*anchor/),
      next: expect.stringContaining("kill -USR2 PID"),
    });
  });

  test("goes to the journal where the kill file cannot be written", async () => {
    vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
    const { configFile, path, controls } = await stage();
    mkdirSync(`${killFilePath(path)}.new-${process.pid}`);
    const shell = recordedShell({ configFile });
    expect(await halt(shell, "stop")).toBe(5);
    expect(shell.stdout()).toMatch(/^HALTED: .*\nreason {3}stop /);
    expect(controls()).toContainEqual({ kind: "kill", reason: "stop", by: expect.any(String) });
  });

  test("needs a reason", async () => {
    const { configFile, killFile } = await stage();
    await expect(halt(recordedShell({ configFile }), " ")).rejects.toMatchObject({
      code: 2,
      message: "NOT STOPPED: a reason is needed",
    });
    expect(killFile.check()).toBeUndefined();
  });
});
