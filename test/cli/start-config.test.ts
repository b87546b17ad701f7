import { expect, test } from "vitest";
import { CONFIG_FILE } from "../../src/cli/shell.ts";
import { startConfig } from "../../src/cli/start-config.ts";
import { parseConfig } from "../../src/config/load.ts";
import { unwrap } from "../../src/domain/result.ts";

test("start without a file runs with what an empty one would say", () => {
  expect(startConfig()).toEqual(unwrap(parseConfig("", CONFIG_FILE, {})).config);
});
