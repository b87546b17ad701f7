// Bearer tokens (`Authorization: Bearer …`): known by their SHA-256, each with a name and a scope.

import { hash } from "node:crypto";

/** Each includes those before it: look; halt and heartbeat; resume, approve and decline. */
export const SCOPES = ["read", "halt", "approve"] as const;
export type Scope = (typeof SCOPES)[number];

export type TokenHolder = { readonly name: string; readonly scope: Scope };

/** The digest of the token that a request carries. Digests are compared, so timing reveals nothing about a token. */
export function bearerDigest(authorization = ""): string | undefined {
  const given = /^Bearer ([!-~]{1,256})$/i.exec(authorization)?.[1];
  return given && digestOf(given);
}

export function digestOf(token: string): string {
  return hash("sha256", token);
}
