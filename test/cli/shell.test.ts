import { afterEach, describe, expect, test, vi } from "vitest";
import { explain } from "../../src/app/shell.ts";
import { CommandFailure } from "../../src/domain/command-failure.ts";
import { exitCode } from "../../src/domain/exit-code.ts";
import { InvariantViolation } from "../../src/domain/invariant.ts";

afterEach(() => vi.unstubAllEnvs());

describe("a command that did not work out", () => {
  test("says why and what to do, in one line, with its exit code", () => {
    const failure = new CommandFailure(
      exitCode.refused,
      "order is worth 1.02, limit is 1.015",
      "raise risk.orderValueMax",
    );
    expect(explain(failure)).toEqual({
      lines: ["pegbot: order is worth 1.02, limit is 1.015; raise risk.orderValueMax"],
      code: 3,
    });
  });

  test.each([
    new InvariantViolation("cannot divide by zero"),
    new TypeError("cannot divide by zero"),
    "cannot divide by zero",
  ])("because of a bug says so, without a stack trace", (bug) => {
    const { lines, code } = explain(bug);
    expect(lines).toEqual([
      "pegbot: invariant: cannot divide by zero; this is a bug in pegbot: PEGBOT_DEBUG=1 shows where",
    ]);
    expect(code).toBe(1);
  });

  test("cannot steer the terminal with its message", () => {
    expect(explain(new CommandFailure(exitCode.failed, "venue said \u001b[2J\nok")).lines).toEqual([
      "pegbot: venue said \\x1b[2J\\nok",
    ]);
  });
});
