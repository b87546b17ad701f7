// Every way in which the answer to a mint or a rail can be lost, and where its process may die: the same for both.

import type { MoneyRequest } from "../../src/execution/request.ts";
import type { FaultsSetting } from "../../src/simulator/fault.ts";
import { atArrival, atRecord, type Command, type TreasuryWorld } from "./world.ts";

type Call = "mintTokens" | "addPaymentRail";
type Named = readonly [name: string, faults: FaultsSetting];

export function faultOn(on: Call, rule: object): FaultsSetting {
  return { rules: [{ ...rule, on, times: 1 } as FaultsSetting["rules"][number]] };
}

/** It happened, and the answer does not say so. */
export function landed(call: Call): readonly Named[] {
  return [
    ["a lost answer", faultOn(call, { fault: "lost-answer" })],
    ["a reset after execution", faultOn(call, { fault: "reset-after" })],
    ["a 500 after execution", faultOn(call, { fault: "status", status: 500, executes: true })],
    ["a 503 after execution", faultOn(call, { fault: "status", status: 503, executes: true })],
    ["a 401 after execution", faultOn(call, { fault: "status", status: 401, executes: true })],
    ["a page of a gateway", faultOn(call, { fault: "html", executes: true })],
    ["half an answer", faultOn(call, { fault: "truncated-json" })],
  ];
}

/** It did not happen, and nobody can know. */
export function lost(call: Call): readonly Named[] {
  return [
    ["a request that never arrived", faultOn(call, { fault: "lost-request" })],
    ["a 500 without execution", faultOn(call, { fault: "status", status: 500 })],
    ["a 401 without execution", faultOn(call, { fault: "status", status: 401 })],
    ["a 429", faultOn(call, { fault: "status", status: 429 })],
    ["a reset before execution", faultOn(call, { fault: "reset-before" })],
  ];
}

export type Death = {
  readonly name: string;
  readonly kills: (world: TreasuryWorld, command: Command) => void;
  /** That reached the venue. */
  readonly calls: number;
  readonly ends: MoneyRequest["state"]["kind"] | undefined;
};

/** By the record that it writes, or when its bytes have arrived. `done`: where one that happened ends. */
export function deaths(call: Call, done: MoneyRequest["state"]["kind"]): readonly Death[] {
  return [
    { name: "before its intent is on disk", kills: atRecord("before", "intent"), calls: 0, ends: undefined },
    { name: "after its intent is on disk", kills: atRecord("after", "intent"), calls: 0, ends: "not-sent" },
    { name: "before it is on record as sent", kills: atRecord("before", "sending"), calls: 0, ends: "not-sent" },
    {
      name: "on record as sent, before a byte is out",
      kills: atRecord("after", "sending"),
      calls: 0,
      ends: "unknown",
    },
    { name: "while its bytes arrive", kills: atArrival(call), calls: 1, ends: done },
    { name: "before the answer is on disk", kills: atRecord("before", "outcome"), calls: 1, ends: done },
    { name: "after the answer is on disk", kills: atRecord("after", "outcome"), calls: 1, ends: done },
  ];
}
