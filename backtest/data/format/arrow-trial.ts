// The thread in which an Arrow file is read for trial: an answer says that reading it ends, well or not.

import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { tableFromIPC } from "@uwdata/flechette";

try {
  tableFromIPC(readFileSync(workerData as string));
} catch {
  // The reading that follows refuses it by name.
}
parentPort?.postMessage("it ends");
