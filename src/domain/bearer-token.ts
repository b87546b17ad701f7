// Whether a request carries the token it needs, as `Authorization: Bearer …`.

import { hash, timingSafeEqual } from "node:crypto";

export type TokenFlaw = "missing" | "wrong";

export function tokenCheck(token: string): (authorization: string | undefined) => TokenFlaw | undefined {
  const expected = digest(token);
  return (authorization) => {
    if (authorization === undefined) return "missing";
    const given = /^Bearer ([!-~]{1,256})$/i.exec(authorization)?.[1];
    // Digests have one length, and comparing them takes one time, whatever was given.
    return given !== undefined && timingSafeEqual(digest(given), expected) ? undefined : "wrong";
  };
}

function digest(text: string): Buffer {
  return hash("sha256", text, "buffer");
}
