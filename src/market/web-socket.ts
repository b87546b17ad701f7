// A connection over WebSocket: to a host over TLS, or to this machine. Closing it destroys the socket, so that a
// half-open connection is not waited for.

import type { Socket } from "node:net";
import { Agent, buildConnector, WebSocket } from "undici";
import { isLoopback } from "../domain/loopback.ts";
import { printable } from "../domain/sanitise.ts";
import type { Dial } from "./feed/streamed.ts";

const CONNECT_MS_MAX = 5_000;
const BYTES_MAX = 1024 * 1024;

export const dialWebSocket: Dial = (url, { opened, heard, ended }) => {
  const { protocol, hostname } = new URL(url);
  if (protocol !== "wss:" && !isLoopback(hostname))
    throw new RangeError(`a reference feed must be dialled over wss, was ${protocol}//${hostname}`);
  let trouble = "the line was closed";
  const sockets: Socket[] = [];
  // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED has no effect.
  const connect = buildConnector({ rejectUnauthorized: true, timeout: CONNECT_MS_MAX });
  const dispatcher = new Agent({
    webSocket: { maxPayloadSize: BYTES_MAX },
    connect: (options, done) =>
      connect(options, (...result) => {
        if (result[0] === null) sockets.push(result[1]);
        else trouble = printable(result[0].message);
        done(...result);
      }),
  });
  const socket = new WebSocket(url, { dispatcher });
  let isOver = false;
  const end = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    hangUp();
    ended(reason);
  };
  const hangUp = (): void => {
    isOver = true;
    socket.close();
    for (const each of sockets) each.destroySoon();
    void dispatcher.destroy();
  };
  socket.addEventListener("open", () => {
    if (!isOver) opened();
  });
  socket.addEventListener("message", ({ data }) => {
    if (!isOver) heard(typeof data === "string" ? data : "");
  });
  socket.addEventListener("error", ({ error, message }) => {
    const told = error?.cause instanceof Error ? error.cause.message : error?.message || message;
    if (told !== "") trouble = printable(told);
  });
  socket.addEventListener("close", ({ code, reason }) =>
    end(reason === "" ? `${trouble} (${code})` : printable(`the line was closed: ${reason} (${code})`)),
  );
  return {
    send: (text) => socket.send(text),
    close: hangUp,
  };
};
