import { expect, test } from "vitest";
import { startConfig } from "../../../src/app/config/start-config.ts";
import { CONFIG_FILE } from "../../../src/app/shell.ts";
import { parseConfig } from "../../../src/config/load.ts";
import { unwrap } from "../../../src/domain/result.ts";

test("start without a file runs with what an empty one would say", () => {
  expect(startConfig()).toEqual(unwrap(parseConfig("", CONFIG_FILE, {})).config);
});
