// Doors that refused are left alone for a while: what of the planner's terms stays open.

import type { Millis } from "../../domain/time.ts";
import type { Executor } from "../../execution/executor.ts";
import type { PlanLog } from "../../treasury/approval/plan-log.ts";
import type { RefusedDoor } from "../../treasury/approval/refused-doors.ts";
import type { TreasuryTerms } from "../treasury-sight.ts";

/** Of a journal's plans: a mint that anybody has had since ends it. */
export function heldBack(log: PlanLog, now: Millis, executor: Pick<Executor, "mintsSince">): readonly RefusedDoor[] {
  return log.heldBack(now, (asset, at) => executor.mintsSince(at).some((mint) => mint.asset === asset));
}

/** Without the doors that are held back. */
export function openTerms(terms: TreasuryTerms, held: readonly RefusedDoor[]): TreasuryTerms {
  if (held.length === 0) return terms;
  const isHeld = (asset: string, chain: string): boolean =>
    held.some(({ door }) => door.kind === "mint" && door.asset === asset && door.chain === chain);
  const symbols = new Set(held.flatMap(({ door }): string[] => (door.kind === "order" ? [door.symbol] : [])));
  const templates = new Set(held.flatMap(({ door }) => (door.kind === "rail" ? [door.template] : [])));
  return {
    ...terms,
    rails: terms.rails.filter(({ template }) => !templates.has(template)),
    mints: terms.mints.filter(({ asset, chain }) => !isHeld(asset, chain)),
    symbols: new Set([...terms.symbols].filter((symbol) => !symbols.has(symbol))),
  };
}
