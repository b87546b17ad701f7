// One question to a venue that gives one answer: what was sent, and what the client made of the answer.

import { expect } from "vitest";
import { type Reading, unreadText } from "../../src/exchange/port.ts";
import { always, type SeenRequest } from "./fault-server.ts";
import { playing, type Wired } from "./wire.ts";

export type Ask<T> = (exchange: Wired["exchange"]) => Promise<T>;

export async function asked<T>(body: unknown, ask: Ask<T>, status = 200): Promise<{ got: T; request: SeenRequest }> {
  let result: { got: T; request: SeenRequest } | undefined;
  const text = typeof body === "string" ? body : JSON.stringify(body);
  await playing(
    always((line) => line.answer(status, text)),
    {},
    async ({ venue, exchange }) => {
      const got = await ask(exchange);
      result = { got, request: venue.requests()[0] ?? expect.fail("nothing was sent") };
    },
  );
  return result ?? expect.fail("nothing came back");
}

export async function readFrom<T>(body: unknown, ask: Ask<Reading<T>>): Promise<T> {
  const { got } = await asked(body, ask);
  if (got.kind !== "read") throw new Error(JSON.stringify(got));
  return got.value;
}

export async function problemOf(body: unknown, ask: Ask<Reading<unknown>>): Promise<string> {
  const { got } = await asked(body, ask);
  if (got.kind === "failed") return `${got.failure.code}: ${got.failure.message}`;
  return got.kind === "read" && got.problems?.[0] !== undefined ? unreadText(got.problems[0]) : got.kind;
}
