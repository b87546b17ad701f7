// Asks the owner of a key through its socket.

import { lstatSync } from "node:fs";
import { CommandFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { exitCode } from "../../domain/exit-code.ts";
import { ownerOn } from "../key/owner-file.ts";
import { machineTimers } from "../system/system-timers.ts";
import {
  ALWAYS,
  BYTES_MAX,
  type LastLine,
  type Line,
  lineSchema,
  OTHER_PROTOCOL,
  type OwnerRequest,
  PROTOCOL,
  PROTOCOL_HEADER,
  SILENCE_MS_MAX,
  socketPaths,
} from "./protocol.ts";

/** Asks, and passes each line before the last one to `hear`. */
export type Ask = (name: string, request: OwnerRequest, hear: (line: Line) => void) => Promise<LastLine>;

/** Nothing listens there: there is no owner, or it is about to open or close its socket. */
export class NoOwner extends Error {
  override readonly name = "NoOwner";
}

const ABSENT: ReadonlySet<string> = new Set(["ENOENT", "ECONNREFUSED", "ENOTSOCK"]);

/** `stop` detaches: the owner goes on. */
export function askThrough(journal: string, stop?: AbortSignal, silenceMsMax = SILENCE_MS_MAX): Ask {
  return (name, request, hear) =>
    new Promise((resolve, reject) => {
      if (stop?.aborted === true) return reject(new Detached());
      const socketPath = ownerOn(journal)?.socket ?? socketPaths(journal)[0] ?? "";
      if (!isOurs(socketPath)) return reject(new NoOwner("the socket is not this user's"));
      // An `import` of node:http also builds its WebSocket, which takes a tenth of a second.
      const http = process.getBuiltinModule("node:http");
      const late = new AbortController();
      let cancel = machineTimers.after(silenceMsMax, () => late.abort());
      const heard = (): void => {
        cancel();
        cancel = machineTimers.after(silenceMsMax, () => late.abort());
      };
      const end = (settle: () => void): void => {
        cancel();
        stop?.removeEventListener("abort", detach);
        settle();
      };
      const fail = (error: unknown): void => end(() => reject(late.signal.aborted ? hanging(journal) : failure(error)));
      const asked = http.request({
        socketPath,
        path: `/${name}`,
        method: "POST",
        headers: { "content-type": "application/json", [PROTOCOL_HEADER]: String(PROTOCOL) },
        signal: late.signal,
      });
      const detach = (): void => {
        asked.destroy();
        end(() => reject(new Detached()));
      };
      stop?.addEventListener("abort", detach, { once: true });
      asked.on("error", fail);
      asked.on("response", (response) => {
        heard();
        const theirs = response.headers[PROTOCOL_HEADER];
        if (theirs !== String(PROTOCOL) && !ALWAYS.has(name)) {
          asked.destroy();
          const both = `the owner of the key speaks protocol ${theirs ?? "none"}, this command ${PROTOCOL}`;
          return end(() => reject(new Lost(exitCode.failed, both, OTHER_PROTOCOL)));
        }
        let rest = "";
        let bytes = 0;
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => {
          heard();
          bytes += chunk.length;
          if (bytes > BYTES_MAX) return response.destroy(new Error("its answer is too long"));
          const lines = (rest + chunk).split("\n");
          rest = lines.pop() ?? "";
          for (const text of lines) {
            const line = lineOf(text);
            if (line === undefined) return response.destroy(new Error(OTHER_ANSWER));
            if (isLast(line)) return end(() => resolve(line));
            hear(line);
          }
        });
        response.on("error", fail);
        response.on("close", () => fail(new Error("it ended before its answer")));
      });
      asked.end(JSON.stringify(request));
    });
}

const OTHER_ANSWER = `its answer cannot be read: it is another version than this command, which speaks protocol ${PROTOCOL}; use its version, or restart it`;

function lineOf(text: string): Line | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Another user may have made a file of the name in a shared folder, and would be told what is asked. */
function isOurs(path: string): boolean {
  const us = process.geteuid?.();
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined || us === undefined || us === 0 || found.uid === us;
  } catch {
    // Where its folder cannot be looked into, there is no owner of this user's.
    return false;
  }
}

/** The client does not wait any more; the owner goes on. */
export class Detached extends Error {
  override readonly name = "Detached";
}

function isLast(line: Line): line is LastLine {
  return line.kind === "answer" || line.kind === "preview" || line.kind === "failed";
}

function failure(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== undefined && ABSENT.has(code)) return new NoOwner(errorMessage(error));
  return new OwnerEnded(exitCode.failed, `the owner of the key ended: ${errorMessage(error)}`);
}

/** The connection ended without an answer: what was asked may have been done. */
export class Lost extends CommandFailure {}

export class OwnerEnded extends Lost {}

function hanging(journal: string): Lost {
  const pid = ownerOn(journal)?.pid;
  const who = pid === undefined ? "the owner of the key" : `process ${pid}, the owner of the key,`;
  const which = pid === undefined ? "PID" : String(pid);
  return new Lost(
    exitCode.failed,
    `${who} does not answer`,
    `if it is stopped (SIGSTOP, a debugger, a frozen container), kill -CONT ${which} lets it go on; if it computes without end, only kill -KILL ${which} ends it; pegbot halt stops it for when it wakes`,
  );
}
