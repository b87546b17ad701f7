// What is recorded of an order, a mint or a rail that was approved, before anything else is done about it: what is asked for,
// and what it may spend.

import type { Money } from "../domain/money/money.ts";
import { tiedBy } from "../domain/tied.ts";
import type { Millis } from "../domain/time.ts";
import type { IntentRecord } from "../journal/record.ts";
import { type Approval, type ApprovedMovement, isOrder } from "../risk/movement-gate.ts";

const NOTHING: readonly Money[] = Object.freeze([]);

export class Intents {
  private readonly by: string;
  private readonly feeBpsMax: number;

  constructor(by: string, feeBpsMax: number) {
    this.by = by;
    this.feeBpsMax = feeBpsMax;
  }

  of(approval: Approval, value: Money | undefined, at: Millis): IntentRecord {
    if (!isOrder(approval)) return this.movement(approval, value, at);
    const id = approval.clientOrderId;
    const reserved = [tiedBy(approval, this.feeBpsMax).leaves];
    return { kind: "intent", at, id, request: { kind: "order", order: approval }, reserved, value, by: this.by };
  }

  private movement(movement: ApprovedMovement, value: Money | undefined, at: Millis): IntentRecord {
    const { id, reason: why } = movement;
    const by = this.by;
    if (movement.kind === "rail") {
      const request = { kind: "rail", rail: movement.rail, assets: [] } as const;
      return { kind: "intent", at, id, request, reserved: NOTHING, value, by, why };
    }
    const { mint } = movement;
    const request = { kind: "mint", mint, assets: [mint.asset, mint.spentMax.asset] } as const;
    return { kind: "intent", at, id, request, reserved: [mint.spentMax], value, by, why };
  }
}
