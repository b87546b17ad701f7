import { fc, test as property } from "@fast-check/vitest";
import { expect, test } from "vitest";
import { printable } from "../../src/domain/sanitise.ts";

test("readable text of any script stays as it is", () => {
  for (const text of ["held: sanctions check", "Zürich AG", "東京 🚀", "C:\\path", '"quoted"', ""])
    expect(printable(text)).toBe(text);
});

test("what could steer a terminal or turn a line around is escaped", () => {
  expect(printable("\u001b[2J\u0007\r\n\t\u009b31m")).toBe("\\x1b[2J\\x07\\r\\n\\t\\x9b31m");
  expect(printable("a\u202eb\u2066c\u200fd\u2028e\ufefff")).toBe("a\\u202eb\\u2066c\\u200fd\\u2028e\\ufefff");
  expect(printable("\u{e0041}\ud800x")).toBe("\\u{e0041}\\ud800x");
});

test("a megabyte is cut, and its length is said", () => {
  expect(printable("x".repeat(1_000_000))).toBe(`${"x".repeat(200)}... (1000000 characters)`);
  expect(printable("🚀🚀🚀", 3)).toBe("🚀... (6 characters)");
});

property.prop([fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 50 })])(
  "never prints an invisible character, whatever comes in",
  (text, lengthMax) => {
    const shown = printable(text, lengthMax);
    expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(shown.length).toBeLessThanOrEqual(lengthMax * 9 + 30);
  },
);
