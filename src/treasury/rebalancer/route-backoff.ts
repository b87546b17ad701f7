// Doors that refused are left alone for a while: what of the planner's terms stays open.

import { type Millis, millis } from "../../domain/time.ts";
import type { TreasuryRequests } from "../../execution/executor.ts";
import type { GivenUp } from "../../execution/payments.ts";
import type { PlanLog } from "../approval/plan-log.ts";
import type { RefusedDoor } from "../approval/route-backoff.ts";
import { type RailDrafts, templateOf } from "./rails.ts";
import type { TreasuryTerms } from "./treasury-view.ts";

/** A person who has said that a payment does not come is not asked for it again meanwhile. */
const GIVEN_UP_MS = 3_600_000;

export type DoorSight = Pick<TreasuryRequests, "mintsSince" | "payments" | "railOf">;

/** Of a journal's plans: a mint that anybody has had since ends it. And rails on which a person gave a payment up. */
export function heldBack(
  { log, rails }: { readonly log: PlanLog; readonly rails: RailDrafts },
  now: Millis,
  movements: DoorSight,
): readonly RefusedDoor[] {
  const refused = log.heldBack(now, (asset, at) => movements.mintsSince(at).some((mint) => mint.asset === asset));
  return [...refused, ...movements.payments.givenUp().flatMap((one) => givenUpDoor(one, rails, now, movements))];
}

function givenUpDoor(
  { rail, at, reason }: GivenUp,
  rails: RailDrafts,
  now: Millis,
  movements: DoorSight,
): readonly RefusedDoor[] {
  const until = millis(at + GIVEN_UP_MS);
  const template = now < until ? templateOf(rails, rail, movements) : undefined;
  if (template === undefined) return [];
  const why = `a payment on it was ${reason}`;
  return [{ door: { kind: "rail", template }, since: at, at, times: 1, until, reason: why }];
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
