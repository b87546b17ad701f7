// Checks that a request carries the required token, as `Authorization: Bearer …`.

import { hash, timingSafeEqual } from "node:crypto";

export type TokenFlaw = "missing" | "wrong";

export function tokenCheck(token: string): (authorization: string | undefined) => TokenFlaw | undefined {
  const expected = digest(token);
  return (authorization) => {
    if (authorization === undefined) return "missing";
    const given = /^Bearer ([!-~]{1,256})$/i.exec(authorization)?.[1];
    // Digests have equal length, so the comparison takes the same time for any input.
    return given !== undefined && timingSafeEqual(digest(given), expected) ? undefined : "wrong";
  };
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
