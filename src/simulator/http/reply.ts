// What goes back, still without a socket: a status, headers and a text. Errors carry code, status and message in every
// profile; the observed one nests them.

import type { Refusal } from "../core/refusal.ts";

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
