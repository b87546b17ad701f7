// A journal of another version of pegbot: every command that needs it refuses it by name, says what to do, and leaves it alone.

import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { SCHEMA_VERSION } from "../../src/journal/file/schema.ts";
import { journalAt, temporaryFolder } from "../journal/place.ts";
import { startHost } from "./command-host.ts";

const ANEW =
  "close what is open with the checkout that wrote it and end its bot, then move the journal and its -wal, -shm and .anchor files " +
  "to another folder: then pegbot adopt begins anew from the venue's books (docs/operate/journal.md#versions)";

const VERSIONS = [
  { version: SCHEMA_VERSION - 1, command: "run", verdict: "older-schema", next: ANEW },
  { version: SCHEMA_VERSION - 1, command: "adopt --yes", verdict: "older-schema", next: ANEW },
  { version: SCHEMA_VERSION + 1, command: "status", verdict: "newer-schema", next: "use the newer pegbot" },
];

const host = startHost(tmpdir(), {});
afterAll(() => host.end());

/** The journal is refused before the venue is asked: nothing answers at that address. */
function folderOf(version: number) {
  const cwd = temporaryFolder();
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(join(cwd, "key.pem"), privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
  const config = {
    venue: { baseUrl: "http://127.0.0.1:9/api/v1/" },
    key: { file: "./key.pem" },
    journal: { path: "./data/pegbot.db" },
  };
  writeFileSync(join(cwd, "pegbot.yaml"), JSON.stringify(config));
  const path = join(cwd, "data", "pegbot.db");
  journalAt(path).close();
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
  return { cwd, path, env: { HOME: cwd, XDG_STATE_HOME: join(cwd, "state") } };
}

test.for(VERSIONS)(
  "$command refuses one of version $version, names it and says what to do",
  async ({ command, version, verdict, next }) => {
    const { cwd, path, env } = folderOf(version);
    const before = readFileSync(path);
    const { code, stderr } = await host.runAt({ cwd, env }, ...command.split(" "));
    expect(stderr).toContain(
      `journal ${path}: ${verdict}: its version is ${version}, this pegbot reads ${SCHEMA_VERSION} only; ${next}`,
    );
    expect(code).toBe(1);
    expect(readFileSync(path)).toEqual(before);
  },
);
