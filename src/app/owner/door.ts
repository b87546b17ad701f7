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
  type Line,
  OTHER_PROTOCOL,
  PROTOCOL,
  PROTOCOL_HEADER,
  requestSchema,
  socketPath,
} from "./protocol.ts";

const BYTES_MAX = 65_536;
const CONNECTIONS_MAX = 64;
const ONLY_US = 0o177;

export async function openDoor(journal: string, answers: Answers): Promise<() => Promise<void>> {
  const path = socketPath(journal);
  const server = process.getBuiltinModule("node:http").createServer((request, response) => {
    answer(answers, request, response).catch(() => response.destroy());
  });
  server.maxConnections = CONNECTIONS_MAX;
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The file is made within this call; no other user may open it even for a moment.
    const mask = process.umask(ONLY_US);
    server.listen(path, resolve);
    process.umask(mask);
  });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
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
