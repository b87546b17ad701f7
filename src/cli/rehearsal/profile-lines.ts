// Puts the profile that was found into a person's configuration: one value is replaced or one line inserted, and every
// other byte of the file stays. A file in which that cannot be done safely is left as it is.

import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, type Node, type Pair, parseDocument, type Scalar } from "yaml";
import { isStartOnly } from "../../app/config/bot-config.ts";
import { requireConfig } from "../../app/config/load-config.ts";
import { writeResults } from "../../app/data/result-file.ts";
import { exitCode } from "../../app/exit-code.ts";
import { readConfigText } from "../../config/load.ts";
import { type Profile, resolveProfile } from "../../exchange/profile.ts";
import { profileYaml } from "../../exchange/profile-candidates.ts";
import type { Session } from "./page.ts";

/** Whether the configuration has the profile now, and no variable overrides it. */
export async function keepProfile({ person, options, profile }: Session): Promise<boolean> {
  const { shell, prompts } = person;
  const { terminal, configFile } = shell;
  const yaml = profileYaml(profile);
  const lines = `venue:\n  profile: ${yaml}\n`;
  const put = (path: string, text: string): boolean =>
    writeResults([{ what: "profile", flag: "--profile-file", path, text }]).tell(terminal) === exitCode.done;
  const written = readConfigText(configFile);
  const text = written.ok && !isStartOnly(shell) ? withProfile(written.value, yaml) : undefined;
  terminal.note(`the profile of this venue:\n${lines}`);
  // Written only over the text that it was made from: a person may have edited the file since.
  const isUnchanged = (): boolean => {
    const isSo = isDeepStrictEqual(readConfigText(configFile), written);
    if (!isSo) terminal.note(`${configFile} has changed meanwhile and stays as it is: put the line there by hand`);
    return isSo;
  };
  const question = `Type write to put it into ${configFile}; nothing else there changes`;
  if (options.profileFile !== undefined && resolve(options.profileFile) === resolve(configFile))
    terminal.note(`--profile-file ${options.profileFile} is the configuration, which it would replace: not written`);
  else if (options.profileFile !== undefined) put(options.profileFile, lines);
  else if (text === undefined) terminal.note(`${configFile} has no safe place for it: put it there by hand`);
  else if (options.yes || (terminal.interactive && (await prompts.text(question)).trim() === "write"))
    return (
      isUnchanged() &&
      put(configFile, text) &&
      isSame(resolveProfile(requireConfig(shell).config.venue.profile), profile)
    );
  return false;
}

/** How answers are spelt: the client reads each spelling without being told. */
const SPELLING = [
  ...(["answers", "lists", "keys", "orderIds", "tradeIds", "tradeAmounts"] as const),
  ...(["statusCase", "answerNumbers", "times", "quoteLevels", "symbolForm"] as const),
];

/** Whether a client with the one sends and reads as with the other. */
export function isSameToClient(one: Profile, other: Profile): boolean {
  return isSame({ ...one, ...Object.fromEntries(SPELLING.map((name) => [name, other[name]])) }, other);
}

export function isSame(one: Profile, other: Profile): boolean {
  return isDeepStrictEqual({ ...one }, { ...other });
}

/** The same text with this profile; undefined where another byte would change its meaning. */
export function withProfile(text: string, yaml: string): string | undefined {
  const changed = spliced(text, yaml);
  if (changed === undefined) return undefined;
  const [before, after] = [text, changed].map((one) => parseDocument(one));
  const isKept = isSameBut(before, after, yaml);
  const profile = parseDocument(changed).toJS()?.venue?.profile;
  return isKept && isDeepStrictEqual(profile, parseDocument(yaml).toJS()) ? changed : undefined;
}

function isSameBut(before: Document | undefined, after: Document | undefined, yaml: string): boolean {
  try {
    for (const document of [before, after]) document?.setIn(["venue", "profile"], yaml);
    return isDeepStrictEqual(before?.toJS(), after?.toJS());
  } catch {
    // An anchor in it has aliases elsewhere, or the file is no mapping.
    return false;
  }
}

function spliced(text: string, yaml: string): string | undefined {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const put = (from: number, to: number, what: string): string => text.slice(0, from) + what + text.slice(to);
  const venue = entry(parseDocument(text).contents, "venue");
  if (venue === undefined)
    return `${text}${text === "" || text.endsWith("\n") ? "" : end}venue:${end}  profile: ${yaml}${end}`;
  const [start, stop] = entry(venue.value, "profile")?.value?.range ?? [0, 0];
  const present = text.slice(start, stop).trimEnd();
  if (present !== "") return present.includes("#") ? undefined : put(start, start + present.length, yaml);
  const [from] = venue.value?.range ?? [0];
  if (!isMap(venue.value) || venue.value.flow === true) return undefined;
  return put(from, from, `profile: ${yaml}${end}${" ".repeat(from - text.lastIndexOf("\n", from - 1) - 1)}`);
}

function entry(node: unknown, name: string): Pair<Scalar, Node | null> | undefined {
  return isMap<Scalar, Node | null>(node) ? node.items.find(({ key }) => key.value === name) : undefined;
}
