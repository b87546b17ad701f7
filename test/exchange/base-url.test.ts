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
  ["https://venue.example/", "must end in /api/v1/"],
  ["https://venue.example/api/v2/", "must end in /api/v1/"],
  ["https://venue.example/api/v1/?a=1", "must end in /api/v1/"],
  ["https://venue.example/api/v1/?", "must end in /api/v1/"],
  ["https://venue.example/?x=/api/v1/", "must end in /api/v1/"],
  ["https://venue.example/#/api/v1/", "must end in /api/v1/"],
  ["https://user:secret@venue.example/api/v1/", "must not hold a user name or a password"],
  ["http://venue.example/api/v1/", "must be https, except on loopback"],
  ["ftp://user:secret@venue.example/api/v1/", "must be an http or https address"],
  ["venue", "must be an http or https address"],
])("%s is refused", (text, reason) => {
  const parsed = parseBaseUrl(text);
  expect(!parsed.ok && parsed.error).toContain(reason);
  expect(!parsed.ok && parsed.error).not.toContain("secret");
});

const privates = ["127.0.0.1", "127.9.9.9", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.0.1", "169.254.1.1"];
const specials = [
  "0.0.0.0",
  "100.64.0.1",
  "198.18.0.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "fd00::1",
  "fe80::1",
];
const mapped = ["::ffff:10.0.0.1", "::ffff:127.0.0.1", "64:ff9b::a00:1", "ff02::1"];

test.each([...privates, ...specials, ...mapped])("live mode refuses %s", (address) => {
  expect(refuseAddress(address, "public")).toContain(address);
});

test.each(["8.8.8.8", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
  "live mode reaches %s",
  (address) => {
    expect(refuseAddress(address, "public")).toBeUndefined();
  },
);

test("with venue.allowPrivateAddress live mode reaches private networks too, and still no loopback or special address", () => {
  for (const address of [
    "10.1.2.3",
    "172.16.0.1",
    "192.168.0.1",
    "100.64.0.1",
    "fd00::1",
    "8.8.8.8",
    "::ffff:10.0.0.1",
  ])
    expect(refuseAddress(address, "private"), address).toBeUndefined();
  for (const address of ["127.0.0.1", "169.254.169.254", "0.0.0.0", "::1", "fe80::1", "::ffff:127.0.0.1"])
    expect(refuseAddress(address, "private"), address).toContain(address);
});

test("paper mode reaches loopback and nothing else", () => {
  for (const address of ["127.0.0.1", "127.1.2.3", "::1"]) expect(refuseAddress(address, "loopback")).toBeUndefined();
  for (const address of ["10.0.0.1", "0.0.0.0", "8.8.8.8", "::", "fe80::1"])
    expect(refuseAddress(address, "loopback")).toContain("loopback addresses only");
});
