// Errors that are values, and bugs that throw.

import { expect, test } from "vitest";
import { unreachable } from "../../src/domain/invariant.ts";
import { err, unwrap } from "../../src/domain/result.ts";

test("unwrapping an error throws its reason, and an unreachable case names itself", () => {
  expect(() => unwrap(err("no such pair"))).toThrow("no such pair");
  expect(() => unreachable({ kind: "new", size: 5n } as never)).toThrow("unreachable: ");
});
