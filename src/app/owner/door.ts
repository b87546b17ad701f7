// The socket of an owner: that it can be opened is the permission. Only the holder of the key binds it, so a file that
// is left over is removed.

import { rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { boundedText } from "../../domain/bounded-text.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { exitCode } from "../../domain/exit-code.ts";
import { every } from "../system/system-timers.ts";
import type { Answers } from "./answer.ts";
import {
  ALWAYS,
  BEAT_MS,
  BYTES_MAX,
  type Line,
  OTHER_PROTOCOL,
  PROTOCOL,
  PROTOCOL_HEADER,
  requestSchema,
  socketPaths,
} from "./protocol.ts";

const CONNECTIONS_MAX = 64;
const ONLY_US = 0o177;

export type Door = { readonly socket: string; close(): Promise<void> };

/** At the first path where a socket can be made. */
export async function openDoor(journal: string, answers: Answers): Promise<Door> {
  const [path = "", away] = socketPaths(journal);
  return openAt(path, answers).catch((error) => {
    if (away === undefined) throw error;
    return openAt(away, answers);
  });
}

async function openAt(socket: string, answers: Answers): Promise<Door> {
  const server = process.getBuiltinModule("node:http").createServer((request, response) => {
    answer(answers, request, response).catch(() => response.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  rmSync(socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The file is made within this call; no other user may open it even for a moment.
    const mask = process.umask(ONLY_US);
    server.listen(socket, resolve);
    process.umask(mask);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { socket, close };
}

async function answer(answers: Answers, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = (request.url ?? "").slice(1);
  response.writeHead(200, { "content-type": "application/x-ndjson", [PROTOCOL_HEADER]: String(PROTOCOL) });
  const tell = (line: Line): void => void response.write(`${JSON.stringify(line)}\n`);
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  // The first at once: a client knows by it that the owner runs.
  tell({ kind: "beat" });
  const stopBeats = every(BEAT_MS, () => tell({ kind: "beat" }));
  try {
    const theirs = request.headers[PROTOCOL_HEADER];
    if (theirs !== String(PROTOCOL) && !ALWAYS.has(name))
      return tell(
        failed(`the owner of the key speaks protocol ${PROTOCOL}, this command ${theirs ?? "none"}`, OTHER_PROTOCOL),
      );
    const parsed = requestSchema.safeParse(JSON.parse(await boundedText(request, BYTES_MAX)));
    if (!parsed.success) return tell(failed(`the request cannot be read: ${parsed.error.issues[0]?.message}`));
    tell(await answers(name, parsed.data, tell, gone.signal));
  } catch (error) {
    tell(failed(errorMessage(error)));
  } finally {
    stopBeats();
    response.end();
  }
}

function failed(error: string, next?: string): Line {
  return { kind: "failed", exit: exitCode.failed, error, next };
}
