// Who has a connection to the server, in rooms of their own. Every user of this machine may open connections, and whoever opens
// them again as soon as they are closed would always come before a person. So a room that is full takes the newest and lets
// the oldest go, and who has shown the token is in a room that nobody else can fill.

import type { Socket } from "node:net";

/** `silent`: it has not asked for anything yet, as a whole. `asked`: without the token. `trusted`: with it. */
export type Room = "silent" | "asked" | "trusted";

/** Silent for the moment that a request needs to come: so many others have to come in that moment to make it go. */
const PLACES: Readonly<Record<Room, number>> = { silent: 256, asked: 64, trusted: 64 };
/** What has been let go is counted until the runtime has closed it. */
export const CONNECTIONS_MAX = 512;

export type Crowd = {
  enter(socket: Socket): void;
  /** Never from the trusted room to another. */
  move(socket: Socket, room: Exclude<Room, "silent">): void;
  /** Has a limit of its own: it is in no room. */
  leave(socket: Socket): void;
};

export function createCrowd(places: Readonly<Record<Room, number>> = PLACES): Crowd {
  const rooms = {
    silent: new Map<string, Socket>(),
    asked: new Map<string, Socket>(),
    trusted: new Map<string, Socket>(),
  };

  function put(who: string, socket: Socket, name: Room): void {
    const room = rooms[name];
    room.set(who, socket);
    const [oldest] = room.size > places[name] ? room : [];
    if (oldest === undefined) return;
    room.delete(oldest[0]);
    oldest[1].destroy();
  }

  function take(who: string): Socket | undefined {
    const socket = rooms.silent.get(who) ?? rooms.asked.get(who);
    rooms.silent.delete(who);
    rooms.asked.delete(who);
    return socket;
  }

  return {
    enter(socket) {
      const who = nameOf(socket);
      socket.once("close", () => {
        for (const room of Object.values(rooms)) if (room.get(who) === socket) room.delete(who);
      });
      put(who, socket, "silent");
    },
    move(socket, room) {
      const who = nameOf(socket);
      if (room === "asked" && rooms.asked.has(who)) return;
      const moved = take(who);
      if (moved !== undefined) put(who, moved, room);
    },
    leave: (socket) => void take(nameOf(socket)),
  };
}

/** With TLS what asks is another socket than the one that was taken: both its ends are the same. */
function nameOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}
