import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { botsOfOthers } from "../../../src/cli/key/bots-of-others.ts";

test("names a bot of another user once, by the process that a stop is sent to", () => {
  const proc = mkdtempSync(join(tmpdir(), "pegbot-proc-"));
  onTestFinished(() => rmSync(proc, { recursive: true }));
  const place = (pid: number, parent: number, ...words: string[]) => {
    mkdirSync(join(proc, String(pid)));
    writeFileSync(join(proc, String(pid), "cmdline"), words.map((word) => `${word}\0`).join(""));
    writeFileSync(join(proc, String(pid), "stat"), `${pid} (a (b) c) S ${parent} 1 1 0`);
  };
  place(10, 1, "node", "/opt/pegbot/bin/pegbot.js", "run", "--config", "/etc/pegbot/pegbot.yaml");
  place(11, 10, "/opt/node", "--flag", "/opt/pegbot/bin/pegbot.js", "run", "--config", "/etc/pegbot/pegbot.yaml");
  place(12, 1, "node", "bin/pegbot.js", "status");
  place(13, 1, "vi", "pegbot.js.txt", "run");
  place(14, 1);
  mkdirSync(join(proc, "15"));
  mkdirSync(join(proc, "net"));
  const user = process.getuid?.() ?? 0;
  expect(botsOfOthers(proc, user + 1)).toEqual([{ pid: 10, user, command: "run --config /etc/pegbot/pegbot.yaml" }]);
  expect(botsOfOthers(proc, user)).toEqual([]);
  expect(botsOfOthers(join(proc, "missing"), user)).toEqual([]);
});
