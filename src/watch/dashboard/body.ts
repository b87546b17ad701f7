// The body of a request, as JSON and nothing else, within a bound. A form that some page makes a browser send cannot have
// this content type without being asked first, and it is never asked.

import type { IncomingMessage } from "node:http";
import { err, ok, type Result } from "../../domain/result.ts";

const BYTES_MAX = 4_096;

export type BodyProblem = { readonly status: 400 | 413 | 415; readonly message: string };

export async function readJson(request: IncomingMessage): Promise<Result<unknown, BodyProblem>> {
  const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") return refused(415, "content type must be application/json");
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The connection has to live on for the answer when the body is given up.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) return refused(413, `body must have at most ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    return ok(JSON.parse(text));
  } catch {
    return refused(400, "body must be JSON");
  }
}

function refused(status: BodyProblem["status"], message: string): { readonly ok: false; readonly error: BodyProblem } {
  return err({ status, message });
}
