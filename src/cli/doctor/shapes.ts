// What the answers of the venue looked like, list by list: recognised, unreadable with the switch that decides, or empty
// so that nothing is known yet; and the profile lines that keep what was seen.

import { type Finding, fine, problem, warning } from "../../app/finding.ts";
import type { Profile } from "../../exchange/profile.ts";
import { profileYaml } from "../../exchange/profile-candidates.ts";
import { type ListName, type Shape, withShapes } from "../../exchange/shape.ts";

const CHECK = "shapes";
/** The lists without which no order can be confirmed. */
const NEEDED: ReadonlySet<ListName> = new Set(["pairs", "orders", "trades"]);

/** `taken`: the profile that the venue takes, as an earlier finding shows it where it is not the configured one. */
export function checkShapes(shapes: readonly Shape[], taken: Profile): readonly Finding[] {
  const unreadable = shapes.flatMap(({ list, unreadable: causes }) =>
    causes.map((cause) =>
      (NEEDED.has(list) ? problem : warning)(
        CHECK,
        `${list}: ${cause}`,
        "if it names a switch: set it in venue.profile",
      ),
    ),
  );
  const seen = shapes.filter(({ isEmpty, seen }) => !isEmpty && seen.length > 0);
  const empty = shapes.filter(({ isEmpty }) => isEmpty).map(({ list }) => list);
  const found = withShapes(taken, shapes);
  const about = [...seen.map(({ list, seen: words }) => `${list}: ${words.join(", ")}`), ...found.conflicts].join("; ");
  const [before, after] = [profileYaml(taken), profileYaml(found.profile)];
  return [
    ...unreadable,
    ...(seen.length === 0 ? [] : [before === after ? fine(CHECK, about) : proposal(about, after)]),
    ...(empty.length === 0 ? [] : [nothingYet(empty)]),
  ];
}

/** The client reads these shapes without being told. */
function proposal(about: string, profile: string): Finding {
  const next = "all of it is read as it is; to have the simulator speak this way too, set venue.profile:";
  return { ...fine(CHECK, about, next), yaml: ["venue:", `  profile: ${profile}`] };
}

function nothingYet(empty: readonly ListName[]): Finding {
  return warning(
    CHECK,
    `${empty.join(", ")}: no row yet, so nothing is known of their shape`,
    "run pegbot doctor again after the first order, mint or rail",
  );
}
