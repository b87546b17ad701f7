// A request as the service sees it, without sockets: the transport (node:http, an in-memory network) creates one and
// takes a reply.

import type { Millis, Mono } from "../../domain/time.ts";
import type { Refusal } from "../core/refusal.ts";

export type ApiRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case; repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Undefined when it exceeded the limit. */
  readonly body: Buffer | undefined;
  readonly arrivedAt: Millis;
  readonly arrivedMono: Mono;
};

export const BODY_BYTES_MAX = 65_536;

// The reply, without sockets: a status, headers and a text. Errors have code, status and message in every profile; the
// observed profile nests them.

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type ErrorBody = { readonly status: number; readonly code: string; readonly message: string };

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

export function json(value: unknown, status = 200): Reply {
  return { status, headers: JSON_TYPE, body: JSON.stringify(value) };
}

export function errorReply(error: ErrorBody | Refusal, answers: "contract" | "observed"): Reply {
  const { code, status, message } = error;
  const body = { code, status, message };
  return json(answers === "observed" ? { error: body } : body, status);
}
