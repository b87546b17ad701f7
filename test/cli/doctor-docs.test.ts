// The example in docs/guides/doctor.md is what `doctor` says, but for what differs from run to run.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { presets } from "../../src/exchange/profile.ts";
import { newKeyPair } from "../contract/client.ts";
import { openAccount, openSimulator } from "../simulator/server-stage.ts";
import { patient, talkingTo, useOwnState, visit } from "./doctor-stage.ts";

useOwnState();

function settled(text: string): string {
  return (
    text
      .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:8700")
      .replace(/fingerprint [0-9a-f]{16}/, "fingerprint 0123456789abcdef")
      .replace(/sent as MFkw\S+/, "sent as MFkw...")
      // An answer that was long on its way on a busy machine shows as a clock ahead; other tests hold the words.
      .replace(/^(clock +ok +)\d\.\d s ahead of the venue's, limit is 2 s$/m, "$1within a second of the venue's")
      .trimEnd()
  );
}

test("the example of doctor in docs/guides/doctor.md is its real output", async () => {
  const page = readFileSync("docs/guides/doctor.md", "utf8");
  const example = /## Doctor\n.*?```text\n(.*?)```/s.exec(page)?.[1] ?? "";
  const server = await openSimulator({ accept: [{ ...presets.contract, signedPath: "relative" }] });
  const key = newKeyPair();
  await openAccount(server, key);
  const { configFile } = patient(key, talkingTo(server.baseUrl));
  const seen = await visit(configFile, { json: false, trySignatures: true });
  expect(settled(example)).toBe(settled(seen.shell.stdout()));
});
