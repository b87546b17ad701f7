// How long words that others wrote become in a message.

import { expect, test } from "vitest";
import { render } from "../../../src/watch/notices/notice.ts";

test("no field has more than 300 letters of others, no text than 2,000, and what is not known is a dash", () => {
  const long = { what: "x".repeat(400) };
  expect(render("{what}", long)).toMatch(/^x{300}[^x]/);
  expect(render("{what}".repeat(7), long).length).toBe(2_000);
  expect(render("{id}: {what}", { what: "a" })).toBe("-: a");
});
