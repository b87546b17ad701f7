// Which test files get a process of their own, by what they say. The others share a few: to start one and to load our sources
// anew is half of what most of them cost.

/** Starts programs, which end with the process; puts other modules in the place of ours; or is somewhere else. */
const OWN =
  /node:child_process|\/program\.ts"|\/browser\.ts"|\/pegbot\.ts"|(?:bot|sweep)-stage|command-host|follow\.ts|vi\.mock\(|process\.chdir\(/;

export function needsOwnProcess(source: string): boolean {
  return OWN.test(source);
}
