// The thread that reads an Arrow file on trial: every cell of every column once, and nothing is kept.

import { parentPort, workerData } from "node:worker_threads";
import type { RecordBatch } from "apache-arrow";
import { nextBatch, openBatches } from "./arrow-batches.ts";

export type TrialOrder = { readonly bytes: Uint8Array; readonly signs: Int32Array };

/** The reason where it cannot be read. */
export type TrialWord = { readonly problem: string | undefined };

/** Every so many rows of a column it says that it gets on. */
const ROWS_PER_SIGN = 65_536;

const { bytes, signs } = workerData as TrialOrder;

function sign(): void {
  Atomics.add(signs, 0, 1);
  Atomics.notify(signs, 0);
}

function touch(batch: RecordBatch): void {
  for (const { name } of batch.schema.fields) {
    const column = batch.getChild(name);
    for (let row = 0; row < batch.numRows; row++) {
      column?.get(row);
      if (row % ROWS_PER_SIGN === 0) sign();
    }
  }
}

async function trial(): Promise<TrialWord> {
  try {
    const reader = await openBatches(bytes);
    sign();
    for (let batch = nextBatch(reader, bytes.length); batch !== undefined; batch = nextBatch(reader, bytes.length))
      touch(batch);
    return { problem: undefined };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

parentPort?.postMessage(await trial());
