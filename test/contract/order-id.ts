// Client order ids of the suite: never twice, also across two runs against one service.

import { randomBytes } from "node:crypto";

const run = randomBytes(6).toString("hex");
let count = 0;

export function newOrderId(): string {
  count++;
  return `contract-${run}-${count}`;
}
