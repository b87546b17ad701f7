import { expect, test } from "vitest";
import { personHere } from "../../../src/operation/person.ts";
import { isOwn } from "../../../src/treasury/approval/plan-content.ts";

test("a person is named as the machine knows them", () => {
  expect(personHere(() => ({ username: "anna" }))).toBe("anna");
  const nameless = (): never => {
    throw new Error("no entry for this user");
  };
  expect(personHere(nameless)).toMatch(/^user \d+$/);
});

test("a user whom the machine calls bot is a person, and not the bot itself", () => {
  const by = personHere(() => ({ username: "bot" }));
  expect(by).toBe("user bot");
  expect(isOwn({ by })).toBe(false);
});
