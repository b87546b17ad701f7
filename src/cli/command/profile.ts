// `profile`: shows and compares profiles of venues, by file or by the name of a preset. It reads two files at most and asks
// no venue.

import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import type { Run, Shell } from "../../app/shell.ts";
import { parseYaml } from "../../config/document.ts";
import { readConfigText } from "../../config/load.ts";
import { mistakeLine } from "../../config/mistake.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";
import { complaintsOf } from "../../domain/schema-complaint.ts";
import { isPreset, type ProfileFile, presetPlace, profileFileSchema, profileOf } from "../../exchange/profile.ts";
import { columns } from "../columns.ts";

const FILE = "a file that rehearse or doctor wrote, or the name of a preset";

export function defineShow(command: Command, run: Run): void {
  command.argument("<file>", FILE).action((file: string) => run((shell) => showProfile(shell, file)));
}

export function defineDiff(command: Command, run: Run): void {
  command
    .argument("<one>", FILE)
    .argument("<other>", "the one to compare it with")
    .action((one: string, other: string) => run((shell) => diffProfiles(shell, one, other)));
}

export function readProfile(path: string): ProfileFile {
  const text = readConfigText(isPreset(path) ? fileURLToPath(presetPlace(path)) : path);
  if (!text.ok) throw usageFailure(mistakeLine(path, text.error), "contract and observed are presets");
  const { data, mistakes } = parseYaml(text.value);
  if (mistakes[0] !== undefined) throw usageFailure(mistakeLine(path, mistakes[0]));
  const file = profileFileSchema.safeParse(data);
  if (file.success) return file.data;
  const complaints = complaintsOf(file.error.issues, data, (at) => at.map(String).join("."));
  throw usageFailure(`${path} is no profile: ${complaints.join("; ")}`);
}

export function showProfile({ terminal }: Shell, path: string): ExitCode {
  const file = readProfile(path);
  if (terminal.wantsJson) terminal.json({ ...file, profile: profileOf(file) });
  else {
    terminal.print(`${file.name}, ${file.date}`);
    for (const [title, rows] of Object.entries({ switch: file.switches, seen: file.seen })) {
      if (Object.keys(rows).length === 0) continue;
      terminal.print();
      terminal.table(
        columns(title, "is", "what showed it"),
        Object.entries(rows).map(([name, one]) =>
          [name, textOf(one?.is), one?.by ?? ""].map((cell) => printable(cell)),
        ),
      );
    }
  }
  return exitCode.done;
}

export function diffProfiles({ terminal }: Shell, one: string, other: string): ExitCode {
  const [first, second] = [readProfile(one), readProfile(other)].map((file) => {
    const seen = Object.entries(file.seen).map(([name, { is }]) => [name, is]);
    const all = { ...profileOf(file), ...file.instruments, ...Object.fromEntries(seen) };
    return Object.fromEntries(Object.entries(all).map(([name, is]) => [name, textOf(is)]));
  }) as [Record<string, string>, Record<string, string>];
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  const rows = names.flatMap((name) => {
    const [is, was] = [second[name] ?? "-", first[name] ?? "-"];
    return is === was ? [] : [{ name, one: was, other: is }];
  });
  if (terminal.wantsJson) terminal.json({ differences: rows });
  else if (rows.length === 0) terminal.print("no difference");
  else
    terminal.table(
      columns("what", one, other),
      rows.map((row) => [row.name, row.one, row.other].map((cell) => printable(cell))),
    );
  return exitCode.done;
}

function textOf(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}
