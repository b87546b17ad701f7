import { expect, test } from "vitest";
import { codeOfUnsent, textOfUnsent } from "../../src/cli/tool/carry.ts";

test("an order that got no slot in time says that nothing was sent and that it can be tried again, with exit code 1", () => {
  const reason = "past-deadline: order waited 66 ms beyond its deadline";
  expect(textOfUnsent({ code: "dropped", reason })).toBe(
    `${reason}: other requests of the key went first; nothing was sent, try again`,
  );
  expect(codeOfUnsent("dropped", undefined)).toBe(1);
  // Whoever was refused is not told to try again.
  expect(textOfUnsent({ code: "refused", reason: "RC05" })).toBe("RC05");
  expect(textOfUnsent({ code: "dropped", reason: "ledger-full: no room" })).toBe("ledger-full: no room");
  expect([codeOfUnsent("refused", undefined), codeOfUnsent("dropped", "KILLED")]).toEqual([3, 5]);
});
