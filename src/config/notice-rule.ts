// Rules between settings of the messages to people.

import { isLoopback } from "../domain/loopback.ts";
import { printable } from "../domain/outside-text.ts";
import type { Breach, Read } from "./breach.ts";

/** Each secret stands in one place, and mail leaves this machine encrypted only. */
export function noticeRules(read: Read): Breach[] {
  const breaches: Breach[] = [];
  const one = (section: string, names: readonly string[]): void => {
    if (read("notices", section) === undefined) return;
    const given = names.filter((name) => read("notices", section, name) !== undefined);
    if (given.length === 1) return;
    const were = given.length === 0 ? "there is none" : `there are ${given.join(", ")}`;
    breaches.push({
      path: ["notices", section],
      text: `notices.${section} needs exactly one of ${names.join(", ")}, ${were}`,
    });
  };
  one("webhook", ["url", "urlFile", "urlEnv"]);
  one("telegram", ["tokenFile", "tokenEnv"]);
  if (read("notices", "email", "user") !== undefined) one("email", ["passwordFile", "passwordEnv"]);
  const host = read("notices", "email", "host");
  if (read("notices", "email", "security") === "none" && typeof host === "string" && !isLoopback(host))
    breaches.push({
      path: ["notices", "email", "security"],
      text: `notices.email.security may be none only on this machine, notices.email.host was ${printable(host, 60)}`,
    });
  return breaches;
}
