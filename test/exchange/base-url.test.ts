// The base address, and which addresses may be reached from it.

import { expect, test } from "vitest";
import { parseBaseUrl } from "../../src/exchange/base-url.ts";
import { refuseAddress } from "../../src/exchange/wire/connection.ts";

test.each(["https://venue.example/api/v1/", "http://127.0.0.1:8700/api/v1/", "https://venue.example/x/api/v1/"])(
  "%s is a base address",
  (text) => {
    expect(parseBaseUrl(text).ok).toBe(true);
  },
);

test.each([
  ["https://venue.example/api/v1", "must end in /api/v1/"],
  ["https://venue.example/?x=/api/v1/", "must end in /api/v1/"],
  ["https://user:secret@venue.example/api/v1/", "must not hold a user name or a password"],
  ["http://venue.example/api/v1/", "must be https, except on loopback"],
  ["venue", "must be an http or https address"],
])("%s is refused", (text, reason) => {
  const parsed = parseBaseUrl(text);
  expect(!parsed.ok && parsed.error).toContain(reason);
  expect(!parsed.ok && parsed.error).not.toContain("secret");
});

test("paper mode reaches loopback and nothing else", () => {
  for (const address of ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
    expect(refuseAddress(address, "loopback")).toBeUndefined();
  for (const address of ["10.0.0.1", "0.0.0.0", "8.8.8.8", "::", "fe80::1"])
    expect(refuseAddress(address, "loopback")).toContain("loopback addresses only");
});
