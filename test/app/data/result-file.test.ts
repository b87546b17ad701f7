// Reports and lists of trades on disk: whole, or what stood there before.

import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeResults } from "../../../src/app/data/result-file.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { recordedShell } from "../../support/recorded-shell.ts";

const report = (path: string, text = "new") => ({ what: "report", flag: "--out", path, text });

test("a report takes the place of the last with its rights, also behind a link, and leaves nothing beside", () => {
  const folder = temporaryFolder();
  const [file, link] = [join(folder, "real.html"), join(folder, "link.html")];
  writeFileSync(file, "old");
  chmodSync(file, 0o600);
  symlinkSync(file, link);
  const shell = recordedShell();
  expect(writeResults([report(link)]).tell(shell.terminal)).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("new");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(["link.html", "real.html"]);
});

test("one that cannot be written is named with the cause, leaves what stood there, and the others are written", () => {
  const folder = temporaryFolder();
  const [taken, free] = [join(folder, "taken.html"), join(folder, "free.html")];
  // A folder in its place: the last step fails, as it does on a full disk.
  mkdirSync(join(taken, "old"), { recursive: true });
  const shell = recordedShell();
  const written = writeResults([report(taken), report(free)]);
  expect([written.placeOf(taken), written.placeOf(free)]).toEqual(["not written", free]);
  expect(written.tell(shell.terminal)).toBe(1);
  expect(shell.stderr()).toContain(`the report could not be written to ${taken} (`);
  expect(readdirSync(folder).sort()).toEqual(["free.html", "taken.html"]);
  expect(readdirSync(taken)).toEqual(["old"]);
});
