// A thread of `screened`: its share of the sets, over columns that all threads share.

import { parentPort, workerData } from "node:worker_threads";
import { builtInDefinition } from "../../src/strategy/built-in.ts";
import { isBuiltIn } from "../../src/strategy/built-in-names.ts";
import { keepGuestsIn } from "../../src/strategy/guest.ts";
import { loadDefinitionFile } from "../../src/strategy/load-file.ts";
import { type ScreenJob, screenedBy } from "./screen.ts";
import type { Objective } from "./search-terms.ts";

const { job, objective } = workerData as { readonly job: ScreenJob; readonly objective: Objective };
keepGuestsIn();
const { use } = job;
const loaded = isBuiltIn(use) ? { ok: true as const, value: builtInDefinition(use) } : await loadDefinitionFile(use);
parentPort?.postMessage(loaded.ok ? screenedBy(loaded.value, job, objective) : loaded);
