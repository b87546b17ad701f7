// Breadth first through every world that a variant can reach, so that the first broken property has the shortest story.

import { reservationOf } from "../../../src/execution/request.ts";
import { EVENTS } from "./step.ts";
import type { Property, Variant } from "./variant.ts";
import { fillsOf, isHandedOver, isLive, keyOf, nameOf, START, type World } from "./world.ts";

export type Exploration = {
  readonly states: number;
  /** Undefined when every property holds in every state. */
  readonly broken: Property | undefined;
  /** The events that lead there. */
  readonly story: readonly string[];
  /** The states that were met, by name. */
  readonly met: ReadonlySet<string>;
  /** States from which no end can be reached any more. */
  readonly stuck: number;
};

type Visit = { readonly world: World; readonly event: string; readonly from: number };

/** Stops at the first property that breaks, or at the one that is sought. */
export function explore(variant: Variant, sought?: Property): Exploration {
  const numbers = new Map([[keyOf(START), 0]]);
  const visits: Visit[] = [{ world: START, event: "", from: -1 }];
  const before: number[][] = [[]];
  const met = new Set<string>();
  for (let at = 0; at < visits.length; at++) {
    const { world } = visits[at] as Visit;
    met.add(nameOf(world.submission));
    const broken = brokenProperty(world, variant);
    if (broken !== undefined && broken === (sought ?? broken))
      return { states: visits.length, broken, story: storyOf(visits, at), met, stuck: 0 };
    for (const [event, happen] of Object.entries(EVENTS)) {
      for (const next of happen(world, variant)) {
        const key = keyOf(next);
        const known = numbers.get(key);
        if (known !== undefined) {
          before[known]?.push(at);
          continue;
        }
        numbers.set(key, visits.length);
        visits.push({ world: next, event, from: at });
        before.push([at]);
      }
    }
  }
  return { states: visits.length, broken: undefined, story: [], met, stuck: stuckIn(visits, before) };
}

function brokenProperty(world: World, variant: Variant): Property | undefined {
  const { submission, crashes, booked, freed } = world;
  const fills = fillsOf(world);
  if (fills > 1) return "filled twice";
  if (booked > 1) return "booked twice";
  if (freed > 1) return "freed twice";
  if (booked > fills) return "booked without a fill";
  const reservation = reservationOf(submission.state);
  if (reservation === "booked" && booked === 0) return "counted as done without a booking";
  if (reservation !== "freed" || (fills === 0 && !isLive(world, variant))) return undefined;
  return crashes > 0 && submission.state.kind === "not-sent" ? "untracked after a crash" : "freed while live or filled";
}

const ENDS: ReadonlySet<string> = new Set(["settled", "rejected", "not-sent", "released"]);

/** Where a person has been asked it rests as well: only the small number of the model's questions keeps it there. */
function isResting(world: World): boolean {
  return ENDS.has(world.submission.state.kind) || isHandedOver(world);
}

function stuckIn(visits: readonly Visit[], before: readonly (readonly number[])[]): number {
  const reaches = new Set<number>();
  const todo: number[] = [];
  const add = (at: number): void => {
    if (reaches.has(at)) return;
    reaches.add(at);
    todo.push(at);
  };
  visits.forEach(({ world }, at) => {
    if (isResting(world)) add(at);
  });
  for (let at = todo.pop(); at !== undefined; at = todo.pop()) before[at]?.forEach(add);
  return visits.length - reaches.size;
}

function storyOf(visits: readonly Visit[], end: number): readonly string[] {
  const story: string[] = [];
  for (let at = end; at > 0; at = visits[at]?.from ?? 0) story.unshift(visits[at]?.event ?? "");
  return story;
}
