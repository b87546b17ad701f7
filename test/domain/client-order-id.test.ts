import { expect, test } from "vitest";
import { createClientOrderIds, environmentOf } from "../../src/domain/client-order-id.ts";

test("a client order id names its environment and its instance, and never repeats", () => {
  const ids = createClientOrderIds("test", "k3v9x2qa", 16);
  expect([ids.next(), ids.next()]).toEqual(["T-k3v9x2qa-17", "T-k3v9x2qa-18"]);
  expect(createClientOrderIds("production", "k3v9x2qa").next()).toBe("L-k3v9x2qa-1");
});

test("an id of the other environment, or of nobody like us, is recognised as such", () => {
  expect(environmentOf("T-k3v9x2qa-17")).toBe("test");
  expect(environmentOf("L-k3v9x2qa-17")).toBe("production");
  for (const foreign of ["X-k3v9x2qa-17", "T-k3v9x2qa-0", "T-short-1", "t-k3v9x2qa-17", "T-k3v9x2qa-17 ", "portal", ""])
    expect(environmentOf(foreign)).toBeUndefined();
});
