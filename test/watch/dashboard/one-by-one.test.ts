// Who asks for many things in one packet, before anything of it is read.

import { Socket } from "node:net";
import { expect, test } from "vitest";
import { oneByOne } from "../../../src/watch/dashboard/one-by-one.ts";

test.each([
  [1, false],
  // A head, and a body in chunks that ends as it does.
  [2, false],
  [3, true],
  [1_000, true],
])("%i ends of a head in one packet: let go is %s, and what is let go reaches nobody", (ends, isLetGo) => {
  const socket = new Socket();
  oneByOne(socket);
  const heard: string[] = [];
  socket.on("data", (chunk: Buffer) => void heard.push(chunk.toString("latin1")));
  const packet = "\r\n\r\nGET".repeat(ends);
  socket.emit("data", Buffer.from(packet));
  expect(socket.destroyed).toBe(isLetGo);
  expect(heard).toEqual([isLetGo ? "\0".repeat(packet.length) : packet]);
  socket.destroy();
});
