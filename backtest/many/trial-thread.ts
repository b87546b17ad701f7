// A thread of the pool: runs one trial after the other on columns that it shares with the rest.

import { parentPort } from "node:worker_threads";
import { openDesk } from "./trial-desk.ts";

parentPort?.on(
  "message",
  openDesk((answer) => parentPort?.postMessage(answer)),
);
