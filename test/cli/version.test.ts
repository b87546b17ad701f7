import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { versionText } from "../../src/app/version.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-version-"));
  folders.push(folder);
  for (const [name, text] of Object.entries({ "package.json": '{"version":"1.2.3"}', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

test.each([
  ["a branch", { ".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": `${COMMIT}\n` }],
  ["a build, which beats the checkout around it", { COMMIT: `${COMMIT}\n`, ".git/HEAD": "f".repeat(40) }],
])("the commit is known from %s", (_, files) => {
  expect(versionText(folderWith(files as Record<string, string>))).toBe("1.2.3 (0123456789ab)");
});
