import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFolder, requireFolder } from "../../src/disk/create-folder.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it("a folder is made with all that is missing above it, and one that is there is left as it is", () => {
  const deep = join(place(), "a", "b", "c");
  expect(createFolder(deep, 0o700)).toEqual({ ok: true });
  expect(statSync(join(deep, "..")).mode & 0o777).toBe(0o700);
  expect(createFolder(deep)).toEqual({ ok: true });
  expect(statSync(deep).mode & 0o777).toBe(0o700);
});

it("what is in the way is named: a file, or a link that leads nowhere", () => {
  const folder = place();
  const [file, link] = [join(folder, "file"), join(folder, "link")];
  writeFileSync(file, "");
  symlinkSync(join(folder, "nowhere"), link);
  expect(createFolder(join(file, "a", "b"))).toEqual({ ok: false, error: `${file} must be a folder, and is none` });
  const error = `${folder} must take new folders, and does not (EEXIST)`;
  expect(createFolder(link)).toEqual({ ok: false, error });
  expect(createFolder(join(link, "a"))).toEqual({ ok: false, error });
});

it.runIf(process.platform === "linux")("a folder that takes none ends the attempt, and is named", () => {
  const error = "/proc must take new folders, and does not (ENOENT)";
  expect(createFolder("/proc/pegbot/deeper")).toEqual({ ok: false, error });
  const thrown = expect.objectContaining({ message: error, code: "ENOENT", syscall: "mkdir" });
  expect(() => requireFolder("/proc/pegbot/deeper")).toThrow(thrown);
});
