// What the settings of rebalancing must be to each other: bands that have an inside, and enough different people.

import type { Asset } from "../domain/asset.ts";
import { fiatOf } from "../domain/coin.ts";
import { Quantity } from "../domain/money/money.ts";
import { printable } from "../domain/outside-text.ts";
import type { Breach, Read } from "./breach.ts";

/** Each is not above those after it. */
const EDGES = ["low", "target", "high"] as const;

export function planRules(read: Read): Breach[] {
  return [...bandRules(read), ...mintRules(read), ...railRules(read), ...peopleRules(read)];
}

/** What stands for no fiat is issued against nothing. */
function mintRules(read: Read): Breach[] {
  const planned = read("treasury", "planning", "mints");
  if (!isMapping(planned)) return [];
  return Object.keys(planned)
    .filter((name) => fiatOf(name as Asset) === undefined)
    .map((name) => ({
      path: ["treasury", "planning", "mints", name],
      text: `treasury.planning.mints names ${printable(name, 40)}: only a coin that stands for its fiat, like VCHF, is minted`,
    }));
}

/** A route is known by its template. */
function railRules(read: Read): Breach[] {
  const planned = read("treasury", "planning", "rails");
  const templates = read("treasury", "rails");
  if (!isMapping(planned)) return [];
  return Object.keys(planned)
    .filter((name) => !isMapping(templates) || !Object.hasOwn(templates, name))
    .map((name) => ({
      path: ["treasury", "planning", "rails", name],
      text: `treasury.planning.rails names ${printable(name, 40)}, which treasury.rails does not have`,
    }));
}

function bandRules(read: Read): Breach[] {
  const targets = read("treasury", "targets");
  if (!isMapping(targets)) return [];
  return Object.entries(targets).flatMap(([holding, band]) => {
    if (!isMapping(band)) return [];
    const name = `treasury.targets.${printable(holding, 40)}`;
    const path = ["treasury", "targets", holding];
    if (EDGES.every((edge) => band[edge] === undefined))
      return [{ path, text: `${name} must name at least one of low, target and high` }];
    return EDGES.flatMap((lower, i) =>
      EDGES.slice(i + 1)
        .filter((upper) => isAbove(band[lower], band[upper]))
        .map((upper) => ({ path: [...path, lower], text: `${name}: ${lower} must not be above ${upper}` })),
    );
  });
}

function isAbove(one: unknown, other: unknown): boolean {
  const [least, most] = [Quantity.parse(one), Quantity.parse(other)];
  return least.ok && most.ok && least.value.moreThan(most.value);
}

/** One person with two names would be two; one key under two names is one. */
function peopleRules(read: Read): Breach[] {
  const people = read("treasury", "approvals", "people");
  const persons = read("treasury", "approvals", "persons");
  const listed = Array.isArray(people) ? people.filter(isMapping) : [];
  const path = ["treasury", "approvals", "people"];
  const breaches: Breach[] = [];
  for (const field of ["name", "publicKey"] as const) {
    const texts = listed.map((one) => one[field]).filter((value) => typeof value === "string");
    const values = field === "publicKey" ? texts.map(bytesOf) : texts;
    const twice = values.find((value, i) => values.indexOf(value) !== i);
    if (twice !== undefined)
      breaches.push({ path, text: `treasury.approvals.people must be different, was ${printable(twice, 40)} twice` });
  }
  if (typeof persons === "number" && persons > 1 && listed.length < persons)
    breaches.push({
      path: ["treasury", "approvals", "persons"],
      text: `treasury.approvals.persons is ${persons}, and ${listed.length} may approve: name them in people`,
    });
  return breaches;
}

/** Blanks and padding make no other key. */
function bytesOf(key: string): string {
  return Buffer.from(key, "base64").toString("base64");
}

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
