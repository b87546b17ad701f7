// `localhost` is 127.0.0.1 to one program and [::1] to another; browsers try the second first. A port that the bot has at one
// of them is free at the other, where any user of the machine could show a page of his own that asks for the token. So the
// bot answers at both, and says so where somebody else has the other.

import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";

const OTHER: Readonly<Record<string, string>> = { "127.0.0.1": "::1", "::1": "127.0.0.1" };

export type OtherLoopback = { readonly warning: string | undefined; close(): void };

/** Where there is no other, or the machine does not have it, there is nothing to do. */
export async function answerAtOther(server: Server): Promise<OtherLoopback> {
  const { address, port } = server.address() as AddressInfo;
  const host = OTHER[address];
  const nothing = { warning: undefined, close: () => undefined };
  if (host === undefined) return nothing;
  const door = createServer((socket) => void server.emit("connection", socket));
  door.maxConnections = server.maxConnections;
  return await new Promise((resolve) => {
    door.once("error", ({ code }: NodeJS.ErrnoException) => {
      if (code !== "EADDRINUSE") return resolve(nothing);
      const warning = `port ${port} of ${host} belongs to another program: what a browser shows for localhost may be that one; use ${address} alone, and give the token to no other page`;
      resolve({ ...nothing, warning });
    });
    door.listen({ host, port, ipv6Only: true }, () => {
      // A connection that cannot be taken is no reason to stop the bot.
      door.on("error", (error) => server.emit("error", error));
      resolve({ warning: undefined, close: () => void door.close() });
    });
  });
}
