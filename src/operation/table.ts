// Everything that can be asked of the owner of a key.

import { acknowledge } from "./acknowledge.ts";
import { adopt } from "./adopt.ts";
import { approve } from "./approve.ts";
import { balances } from "./balances.ts";
import { conversion, convert } from "./convert.ts";
import { decline } from "./decline.ts";
import { fills } from "./fills.ts";
import { halt } from "./halt.ts";
import { heartbeat } from "./heartbeat.ts";
import { limits } from "./limits.ts";
import { mint } from "./mint.ts";
import type { MoneyOperation } from "./money.ts";
import type { Operation } from "./operation.ts";
import { order } from "./order.ts";
import { orders } from "./orders.ts";
import { plans } from "./plans.ts";
import { propose } from "./propose.ts";
import { quotes } from "./quotes.ts";
import { rail } from "./rail.ts";
import { read } from "./read.ts";
import { rebalance } from "./rebalance.ts";
import { resolve } from "./resolve.ts";
import { resume } from "./resume.ts";
import { status } from "./status.ts";

export const OPERATIONS: readonly Operation[] = [
  ...[status, orders, fills, balances, plans, read, quotes],
  ...[halt, resume, heartbeat, limits, propose, approve, decline],
];

/** Asked through the owner's socket only: they move money, or change the books by a person's word. */
export const MONEY_OPERATIONS: readonly MoneyOperation[] = [
  ...[order, mint, rail, rebalance, convert, conversion],
  ...[resolve, acknowledge, adopt],
];
