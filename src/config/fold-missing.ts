// A section of which most is missing is one mistake: among thirty lines nobody finds the one about what he wrote.

import type { Path } from "./document.ts";
import { type Complaint, dotted } from "./explain-issue.ts";

/** So many missing keys of one mapping are listed, without what each must be. */
const FOLDED_FROM = 5;

/** What to do about it, where that is not plain from the names. */
const ADVICE: Readonly<Record<string, string>> = {
  risk: "every limit is named there, and none has a default; on paper the section may be left out; pegbot init writes one, and docs/CONFIGURATION.md has one",
};

export function foldMissing(complaints: readonly Complaint[]): Complaint[] {
  const missing = Map.groupBy(
    complaints.filter(({ at }) => at === "missing"),
    ({ path }) => dotted(parentOf(path)),
  );
  const folded = [...missing].filter(([, each]) => each.length >= FOLDED_FROM);
  const gone = new Set(folded.flatMap(([, each]) => each));
  return [
    ...complaints.filter((complaint) => !gone.has(complaint)),
    ...folded.map(([section, each]) => foldedTo(section, each)),
  ];
}

function foldedTo(section: string, [first, ...others]: readonly Complaint[]): Complaint {
  const { path } = first as Complaint;
  const names = others.map((other) => String(other.path.at(-1))).join(", ");
  const advice = ADVICE[section];
  const text = `${dotted(path)} is missing, and so are ${others.length} more of ${section}: ${names}`;
  return { path, at: "missing", text: advice === undefined ? text : `${text}; ${advice}` };
}

function parentOf(path: Path): Path {
  return path.slice(0, -1);
}
