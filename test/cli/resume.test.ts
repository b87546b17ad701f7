// `resume`: what it says before and after, what it takes back, and what it leaves, from the command line and over the API of a bot.

import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { standingIn } from "../../src/app/journal/open-reader.ts";
import { killFilePath } from "../../src/app/kill-switch/kill-file.ts";
import { decided } from "../../src/app/owner/ask-owner.ts";
import { openDoor } from "../../src/app/owner/door.ts";
import { jsonTerminal } from "../../src/app/terminal/terminal.ts";
import { resume } from "../../src/cli/command/resume.ts";
import { unwrap } from "../../src/domain/result.ts";
import { JournalReader } from "../../src/journal/journal-reader.ts";
import { resume as operation } from "../../src/operation/resume.ts";
import { FRESH, type TradingState } from "../../src/risk/trading-state.ts";
import { recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";
import { statusAt } from "../watch/dashboard/stage.ts";
import { at, halted, stage } from "./switch-stage.ts";

function foldedIn(path: string): TradingState {
  const opened = unwrap(JournalReader.open(path));
  const standing = standingIn(opened);
  opened.close();
  return standing;
}

/** Asks for a resume as whoever saw these reasons. */
async function asker(configFile: string) {
  const shell = recordedShell({ configFile });
  return (seen: readonly string[]) =>
    decided<TradingState>(shell, operation, { reason: "looked at it", confirm: "resume", seen });
}

describe("resume", () => {
  test("takes a stop back in files and journal, with who and why", async () => {
    const { configFile, path, killFile, controls } = await stage();
    killFile.write("fat finger", "anna");
    const shell = recordedShell({ configFile, interactive: true });
    const prompts = scriptedPrompts("looked at it", "resume");
    expect(await resume(shell, {}, prompts)).toBe(0);
    expect(shell.stdout()).toContain("reason   fat finger");
    // It forgives nothing.
    expect(shell.stdout()).toMatch(/; limits that are still broken stop it again\n$/);
    expect(shell.stdout()).not.toContain("anew");
    expect(existsSync(killFilePath(path))).toBe(false);
    // No bot ran that could have journaled the stop itself.
    expect(controls()).toEqual([
      { kind: "kill", reason: "fat finger", by: "anna" },
      { kind: "resume", reason: "looked at it", by: expect.any(String) },
    ]);
  });

  test("takes back what the bot itself came to, though the files know nothing of it", async () => {
    const { configFile, path } = await stage([halted]);
    const shell = recordedShell({ configFile });
    expect(await resume(shell, { reason: "limit raised", yes: true })).toBe(0);
    expect(shell.stdout()).toContain("RC05: lost 12 CHF");
    expect(shell.stdout()).toMatch(/\naccepts +figures of the day, .* counts whole from now\nACTIVE: /);
    expect(shell.stdout()).toMatch(/\nit counts at once, and for the next start\n$/);
    expect(foldedIn(path)).toMatchObject({ state: "ACTIVE", reason: "limit raised" });
  });

  test("says before the confirmation what is accepted, with amounts of now where a bot runs, and what is not forgiven", async () => {
    const halt = { cause: "balances", reason: "balances differ", wayOut: "pegbot adopt" } as const;
    const { configFile, path } = await stage([halted, { kind: "control", at, control: { kind: "halt", ...halt } }]);
    const loss = { key: "daily-loss", rule: "RC05", name: "loss of the day", unit: "CHF" } as const;
    const limits = [{ ...loss, used: 991.1, limit: 700, usedBps: 14_158 }];
    const standing = foldedIn(path);
    const asked: unknown[] = [];
    const door = await openDoor(path, async (name, { input }) => {
      if (name === "status") return { kind: "answer", value: statusAt({ limits, standing }) };
      asked.push([name, input]);
      return { kind: "answer", value: { ...FRESH, reason: "looked at it" } };
    });
    onTestFinished(() => door.close());
    const shell = recordedShell({ configFile, interactive: true });
    await expect(resume(shell, { reason: "looked at it" }, scriptedPrompts("no"))).rejects.toThrow();
    const accepts = "accepts  loss of the day, 991.10 CHF: the limit of 700.00 CHF counts anew from now (RC05)\n";
    expect(shell.stdout()).toContain(accepts);
    expect(asked).toEqual([]);
    const again = recordedShell({ configFile });
    // The bot stops again at once: a script must not believe that it trades.
    expect(await resume(again, { reason: "looked at it", yes: true })).toBe(5);
    expect(again.stdout()).toContain(accepts);
    expect(again.stdout()).toMatch(/HALTED again at once, .*\n[\s\S]*reason +RC05: lost 12 CHF\n/);
    const seen = expect.arrayContaining(["RC05: lost 12 CHF", "balances differ"]);
    expect(asked).toEqual([["resume", { reason: "looked at it", confirm: "resume", seen }]]);
  });

  test("of a person's stop leaves the bot's own, says so with the way out, and the next one takes that back", async () => {
    const { configFile, killFile, path } = await stage([halted]);
    killFile.write("fat finger", "anna");
    const first = recordedShell({ configFile });
    expect(await resume(first, { reason: "looked at it", yes: true })).toBe(5);
    expect(first.stdout()).toContain("beneath  HALTED since 2026-11-15T08:30:00.000Z, by bot: RC05: lost 12 CHF");
    expect(first.stdout()).toMatch(
      /HALTED: a person's stop was taken back by .*: looked at it\nbeneath it the bot had stopped by itself.*\nstate +HALTED .*\ncause +loss\nreason +RC05: lost 12 CHF\nway out +pegbot resume\n$/,
    );
    expect(existsSync(killFilePath(path))).toBe(false);
    const second = recordedShell({ configFile });
    const terminal = jsonTerminal(second.terminal);
    expect(await resume({ ...second, terminal }, { reason: "limit raised", yes: true })).toBe(0);
    expect(JSON.parse(second.stdout())).toMatchObject({ state: "ACTIVE", was: "HALTED", reason: "limit raised" });
    expect(foldedIn(path)).toMatchObject({ state: "ACTIVE", reason: "limit raised" });
  });

  test("through the owner is refused when a stop stands that the request does not name, whatever its figures", async () => {
    const { configFile, killFile } = await stage([halted]);
    killFile.write("fat finger", "anna");
    const resumeSeen = await asker(configFile);
    await expect(resumeSeen(["fat finger"])).rejects.toThrow(
      "not resumed: HALTED for a reason that was not seen: RC05: lost 12 CHF; look again",
    );
    expect(killFile.standing().state).toBe("HALTED");
    const seen = ["fat finger", "RC05: lost 11 CHF"];
    expect((await resumeSeen(seen)).state).toBe("HALTED");
  });

  test("does nothing without a reason, or without a confirmation", async () => {
    const { configFile, killFile, controls } = await stage();
    killFile.write("fat finger", "anna");
    const noTerminal = () => recordedShell({ configFile });
    const terminal = () => recordedShell({ configFile, interactive: true });
    await expect(resume(noTerminal(), { yes: true })).rejects.toMatchObject({ code: 2, message: "a reason is needed" });
    await expect(resume(noTerminal(), { reason: " ", yes: true })).rejects.toMatchObject({ code: 2 });
    await expect(resume(noTerminal(), { reason: "ok" })).rejects.toMatchObject({ code: 2, next: "--yes confirms" });
    await expect(resume(terminal(), { reason: "ok" }, scriptedPrompts("yes"))).rejects.toMatchObject({
      message: "confirmation must be resume, was yes; nothing was changed",
    });
    await expect(resume(terminal(), {}, scriptedPrompts(""))).rejects.toMatchObject({ code: 2 });
    expect([killFile.check(), controls()]).toEqual(["HALTED: fat finger", []]);
  });

  test("leaves the bot stopped when the journal cannot take it", async () => {
    const { configFile, path, killFile } = await stage();
    killFile.write("fat finger", "anna");
    rmSync(`${path}.anchor`);
    await expect(resume(recordedShell({ configFile }), { reason: "ok", yes: true })).rejects.toMatchObject({ code: 1 });
    expect(killFile.check()).toBe("HALTED: fat finger");
  });

  test("takes back only the stop that was shown: one that came while the person was asked stands", async () => {
    const { configFile, killFile, controls } = await stage([halted]);
    const shell = recordedShell({ configFile, interactive: true });
    const prompts = scriptedPrompts("limit raised", "resume");
    const text = (message: string): Promise<string> => {
      killFile.write("fat finger", "anna");
      return prompts.text(message);
    };
    await expect(resume(shell, {}, { ...prompts, text })).rejects.toMatchObject({
      code: 1,
      message: expect.stringContaining("a reason that was not seen: fat finger"),
    });
    expect([killFile.check(), controls()]).toEqual(["HALTED: fat finger", []]);
  });

  test("that is killed between kill file and journal leaves the bot halted, by the journal", async () => {
    const { configFile, path, killFile, controls } = await stage();
    killFile.write("fat finger", "anna");
    const driver = resolve("test/cli/processes/dies-while-resuming.ts");
    const { signal, stderr } = spawnSync(process.execPath, [driver, configFile, path], { encoding: "utf8" });
    expect(signal, stderr).toBe("SIGKILL");
    // The moment between: the kill file is gone.
    expect(killFile.check()).toBeUndefined();
    expect(controls()).toEqual([{ kind: "kill", reason: "fat finger", by: "anna" }]);
    const shell = recordedShell({ configFile });
    expect(await resume(shell, { reason: "looked at it", yes: true })).toBe(0);
    expect(shell.stdout()).toContain("reason   fat finger");
    expect(controls().at(-1)).toMatchObject({ kind: "resume", reason: "looked at it" });
  });
});
