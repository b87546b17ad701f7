// Whose files decide what the bot does: warned of where other users of the machine can change them, refused live.

import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { openToOthers, requireOwnFolder } from "../../../src/app/config/open-to-others.ts";
import { parseConfig } from "../../../src/config/load.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { completeConfig } from "../../config/complete.ts";

test("configuration and strategy that other users can change are warned of, live, and their journal folder on paper too", () => {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-open-"));
  const [file, strategy, data] = [join(folder, "pegbot.yaml"), join(folder, "mine.ts"), join(folder, "data")];
  for (const path of [file, strategy]) writeFileSync(path, "");
  mkdirSync(data);
  const config = {
    ...unwrap(parseConfig(stringify(completeConfig()), "pegbot.yaml", {})).config,
    strategy: { use: strategy, params: {} },
    journal: { path: join(data, "pegbot.db") },
  };
  const open = (): readonly string[] => openToOthers(config, file).map((warning) => warning.split(":")[0] ?? "");
  expect(open()).toEqual([]);
  for (const path of [file, strategy]) chmodSync(path, 0o666);
  chmodSync(data, 0o777);
  const why = "can be changed by every user of this machine";
  expect(open()).toEqual([
    `${file} ${why} (mode 0666)`,
    `${strategy} ${why} (mode 0666)`,
    `${data} ${why} (mode 0777)`,
  ]);
  chmodSync(data, 0o1777);
  expect(openToOthers({ ...config, mode: "paper" }, file)).toEqual([
    `${data} ${why} (mode 1777): it decides what the bot does, and within which limits`,
  ]);
  expect(() => requireOwnFolder({ ...config, mode: "paper" })).not.toThrow();
  const refused = `live mode needs a journal in a folder of this user alone, and ${data} ${why} (mode 1777)`;
  expect(() => requireOwnFolder(config)).toThrow(refused);
  chmodSync(data, 0o700);
  expect(() => requireOwnFolder(config)).not.toThrow();
  for (const path of [file, strategy]) chmodSync(path, 0o664);
  expect(open(), "in a group of their owner's own").toEqual([]);
  // Whose numbers differ; only root can give files away.
  if (process.geteuid?.() === 0) {
    chownSync(file, 0, 100);
    expect(open()).toEqual([`${file} can be changed by everybody in group 100 (mode 0664)`]);
  }
  rmSync(folder, { recursive: true });
});
