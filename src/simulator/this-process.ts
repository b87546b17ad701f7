// Who we are, for a lock: the process id, and when this life of it began. Containers give every life the same id.

import { performance } from "node:perf_hooks";

export const THIS_PROCESS = `${process.pid} ${performance.timeOrigin}`;
