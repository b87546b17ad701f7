import { expect, test } from "vitest";
import { tableLines } from "../../../src/app/terminal/table.ts";

test("columns line up, numbers to the right, without blanks at the end of a line", () => {
  const columns = [{ title: "asset" }, { title: "available", align: "right" as const }, { title: "note" }];
  expect(
    tableLines(columns, [
      ["VCHF", "1000.5", ""],
      ["GBP", "7", "held"],
    ]),
  ).toEqual(["asset  available  note", "VCHF      1000.5", "GBP            7  held"]);
});

test("a cell from outside cannot move the cursor, break the line or push the others away", () => {
  const lines = tableLines(
    [{ title: "reason" }, { title: "id" }],
    [
      ["\u001b[2J\nheld\u202e", "1"],
      ["x".repeat(10_000), "2"],
    ],
  );
  expect(lines[1]).toMatch(/^\\x1b\[2J\\nheld\\u202e +1$/);
  expect(lines).toHaveLength(3);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(120);
});
