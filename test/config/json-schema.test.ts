// The published JSON Schema is held against a validator as editors use one: it accepts and refuses as pegbot does.

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { configDescription } from "../../src/config/description.ts";
import { completeConfig, mappingAt } from "./complete.ts";

const ajv = new Ajv2020({ strict: false, allErrors: true });
const validate = ajv.compile(configDescription());

test("an editor accepts the complete configuration and an empty one", () => {
  expect([validate(completeConfig()), validate({})]).toEqual([true, true]);
});

test.each([
  ["an unknown key", [], "venu", {}],
  ["an unknown switch", ["venue", "profile"], "curv", "p256"],
  ["a wrong word", [], "mode", "papr"],
  ["an unquoted amount", ["risk"], "orderValueMax", 12.5],
  ["a number out of range", ["server"], "port", 70_000],
  ["a missing limit", ["risk"], "feeBpsMax", undefined],
  ["a target", ["treasury", "targets"], "VCHF", "1"],
])("an editor refuses %s", (_, path, key, value) => {
  const settings = completeConfig();
  mappingAt(settings, path)[key] = value;
  expect(validate(JSON.parse(JSON.stringify(settings)))).toBe(false);
});
