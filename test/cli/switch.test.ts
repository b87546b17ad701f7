// `halt` and `heartbeat`: the switch from another process than the bot's.

import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { stringify } from "yaml";
import { publishBot } from "../../src/app/bot/running-bots.ts";
import { isJournalThere } from "../../src/app/journal/journal-there.ts";
import { joinBudget } from "../../src/app/key/join-budget.ts";
import { killFilePath } from "../../src/app/kill-switch/kill-file.ts";
import { openAsItIs, requireOpening } from "../../src/app/kill-switch/stop-journal.ts";
import { checkConfig } from "../../src/cli/command/config-check.ts";
import { halt } from "../../src/cli/command/halt.ts";
import { heartbeat } from "../../src/cli/command/heartbeat.ts";
import { verifyJournal } from "../../src/cli/command/journal.ts";
import { resume } from "../../src/cli/command/resume.ts";
import { runCommand as run } from "../../src/cli/command/run.ts";
import { status } from "../../src/cli/command/status.ts";
import { createProgram } from "../../src/cli/program.ts";
import { millis } from "../../src/domain/time.ts";
import type { Opening } from "../../src/journal/record.ts";
import { completeConfig, mappingAt } from "../config/complete.ts";
import { temporaryFolder } from "../journal/place.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { pegbot } from "./pegbot.ts";
import { halted, stage } from "./switch-stage.ts";

test("a journal.path that is a folder is said so by whatever would use it, and is no stop; an anchor next to it makes it one", async () => {
  const folder = temporaryFolder();
  const configFile = join(folder, "pegbot.yaml");
  const data = join(folder, "data");
  writeFileSync(configFile, "journal: { path: ./data/ }\n");
  mkdirSync(data);
  vi.stubEnv("XDG_STATE_HOME", join(folder, "state"));
  onTestFinished(() => void vi.unstubAllEnvs());
  const shell = recordedShell({ configFile });
  const cause = `journal.path is ${data}, which is a folder, and no file`;
  const refused = { code: 2, message: cause, next: `name a file in it, ${join(data, "pegbot.db")}` };
  await expect(run(shell, {})).rejects.toMatchObject(refused);
  expect(() => verifyJournal(shell, {})).toThrow(expect.objectContaining(refused));
  await expect(halt(shell, "now")).rejects.toMatchObject({ code: 2, message: `NOT STOPPED: ${cause}` });
  expect(await checkConfig(shell)).toBe(0);
  expect(shell.stderr()).toContain(
    `journal.path is ${data}: ${data} is a folder, and no file; the bot does not start here`,
  );
  // Somebody has put a folder in the place of a bot's journal.
  writeFileSync(`${data}.anchor`, "");
  expect(await halt(shell, "now")).toBe(5);
});

describe("heartbeat", () => {
  test("is on record for the running bot, with who gave it, and says until when it holds", async () => {
    vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
    const { configFile, path, controls } = await stage([halted]);
    const { opening } = requireOpening(path);
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
    // This machine's clock is half a minute ahead of the venue's, as some process of the key heard it.
    const budget = await joinBudget(limited, { fingerprint: opening.account });
    const receivedAt = limited.clock.now();
    budget.observe(millis(receivedAt - 30_000), receivedAt);
    budget.close();
    const ahead = recordedShell({ configFile });
    expect(await heartbeat(ahead)).toBe(0);
    const [until = ""] = /\S+Z/.exec(ahead.stdout()) ?? [];
    expect(Date.parse(until)).toBeLessThan(receivedAt + 60_000);
  });
});

test("a journal that may not be looked at is not told as missing, and a halt of it says that nothing was stopped", async () => {
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const folder = temporaryFolder();
  const [configFile, data] = [join(folder, "pegbot.yaml"), join(folder, "data")];
  writeFileSync(configFile, "journal: { path: ./data/pegbot.db }\n");
  // A link to itself, which not even root can follow.
  symlinkSync(data, data);
  const shell = recordedShell({ configFile });
  const path = join(data, "pegbot.db");
  const unseen = `journal ${path} cannot be looked at (ELOOP): whether there is one is not known`;
  for (const command of [
    () => status(shell),
    () => resume(shell, { reason: "why", yes: true }),
    () => heartbeat(shell),
    async () => verifyJournal(shell, {}),
  ])
    await expect(command()).rejects.toMatchObject({ code: 2, message: unseen });
  await expect(halt(shell, "why")).rejects.toMatchObject({
    code: 2,
    message: `NOT STOPPED: ${unseen}`,
    next: expect.stringMatching(/^every folder and link of the path must lead to it, or .*kill -USR2/),
  });
  // What a start, an order and `resolve` open it with: no word of beginning anew.
  expect(() => openAsItIs(shell, path, { environment: "paper", account: "key" } as Opening)).toThrow("ELOOP");
});

test("a journal in a folder that this user may not enter is for the user of the bot", () => {
  const barred = (): never => {
    throw Object.assign(new Error("permission denied"), { code: "EACCES", syscall: "stat" });
  };
  expect(() => isJournalThere("/d/pegbot.db", barred)).toThrow(
    expect.objectContaining({
      message: "journal /d/pegbot.db cannot be looked at (EACCES): whether there is one is not known",
      next: expect.stringContaining("as the user whom the bot runs as"),
    }),
  );
  expect(isJournalThere(join(temporaryFolder(), "pegbot.db"))).toBe(false);
});

/** This process as the bot of a journal. */
function published(journal: string): void {
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
  vi.stubEnv("XDG_RUNTIME_DIR", temporaryFolder());
  const bot = { folder: process.cwd(), journal, since: millis(1), page: "http://127.0.0.1:1/" };
  onTestFinished(publishBot(bot, () => undefined));
  onTestFinished(() => void vi.unstubAllEnvs());
}

describe("halt", () => {
  test("of a bot that is stopped already shows the first reason and keeps its own", async () => {
    const { configFile, killFile } = await stage();
    await halt(recordedShell({ configFile }), "fat finger");
    const shell = recordedShell({ configFile });
    expect(await halt(shell, "fire alarm")).toBe(5);
    expect(shell.stdout()).toMatch(/^reason {3}fat finger \(.*\)\nalso {5}fire alarm \(.*\): it was stopped already$/m);
    expect(killFile.standing().also).toMatchObject([{ reason: "fire alarm" }]);
  });

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

  test("stops with a reason of several words without quotes, and a mistake in its usage says NOT STOPPED", async () => {
    const typed = async (...words: string[]) => {
      const { configFile, killFile } = await stage();
      const shell = recordedShell({ configFile });
      const said: string[] = [];
      const program = await createProgram(shell.terminal, async (work) => void (await work(shell)), words);
      for (const one of [program, ...program.commands])
        one.configureOutput({ writeErr: (text) => void said.push(text) });
      await program.parseAsync(["node", "pegbot", ...words]).catch(() => undefined);
      return { stop: killFile.check(), said: said.join("") };
    };
    expect(await typed("halt", "drill", "from", "the", "terminal")).toEqual({
      stop: "HALTED: drill from the terminal",
      said: "",
    });
    for (const words of [["halt"], ["halt", "why", "--now"], ["--now", "halt", "why"]]) {
      const { stop, said } = await typed(...words);
      expect([stop, said]).toEqual([undefined, expect.stringMatching(/^error: NOT STOPPED: /)]);
    }
    expect((await typed("resume", "--now", "halt")).said).toMatch(/^error: unknown option/);
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

  test("in the wrong folder, or with a broken configuration, names the bots that do run here", async () => {
    published("/elsewhere/pegbot.db");
    const folder = temporaryFolder();
    const configFile = join(folder, "pegbot.yaml");
    for (const text of ["mode: paper\n", "mode: papr\n"]) {
      writeFileSync(configFile, text);
      await expect(halt(recordedShell({ configFile }), "stop")).rejects.toMatchObject({
        code: 2,
        message: expect.stringContaining("NOT STOPPED: "),
        next: expect.stringContaining(
          `name the bot's own configuration with --config, or kill -USR2 ${process.pid} stops the bot that was started in ${process.cwd()}`,
        ),
      });
    }
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
