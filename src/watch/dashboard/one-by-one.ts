// A connection that asks for many things in one breath is let go before any of it is read: Node makes a request of everything
// that came with one packet, a thousand and more, before anything else of the bot has its turn.

import type { Socket } from "node:net";

const END_OF_HEAD = "\r\n\r\n";
/** A body in chunks ends as a head does. What is a second request after all is let go by who answers. */
const ENDS_MAX = 2;

/** To be called when the server of HTTP has the connection: then what comes is shown here before it is shown there. */
export function oneByOne(socket: Socket): void {
  socket.prependListener("data", (chunk: Buffer) => {
    if (!hasMoreThan(ENDS_MAX, chunk)) return;
    socket.destroy();
    // The server is handed it all the same: as nothing that it would go on to read.
    chunk.fill(0);
  });
}

function hasMoreThan(most: number, chunk: Buffer): boolean {
  let at = -END_OF_HEAD.length;
  for (let found = 0; found <= most; found++) {
    at = chunk.indexOf(END_OF_HEAD, at + END_OF_HEAD.length);
    if (at < 0) return false;
  }
  return true;
}
