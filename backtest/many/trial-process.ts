// A process of the pool: runs one trial after the other. It ends with the process that started it, also in the middle of a
// trial, and with nobody else's signal: Ctrl-C reaches every process of a terminal, and what it means is for the first to say.

import { Worker } from "node:worker_threads";
import { type Answer, type Order, openDesk } from "./trial-desk.ts";

const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A trial takes the thread until it is done, and a strategy may never be: somebody else has to see that the one who asked is
 * gone. As text, because a file would first have its types stripped.
 */
const WATCH = `
  const { workerData } = require("node:worker_threads");
  const never = new Int32Array(new SharedArrayBuffer(4));
  do Atomics.wait(never, 0, 0, 500); while (process.ppid === workerData);
  process.kill(process.pid, "SIGKILL");
`;

const parent = Number(process.argv[2]);
new Worker(WATCH, { eval: true, workerData: parent }).unref();

// Before the desk is opened, which keeps strategies from it.
const leave = process.exit;

let isBroken = false;
const say = (answer: Answer): void => {
  if (process.connected && !isBroken) process.send?.(answer, undefined, {}, () => undefined);
  isBroken ||= answer.kind === "broken";
};
const take = openDesk(say);
for (const signal of STOPPING) process.on(signal, () => undefined);
process.on("message", (order: Order) => take(order));
process.on("disconnect", () => leave());
