// Where a path leads when it is a link. One that another user put there is not followed: he would choose which of our files is
// written.

import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** As many as Linux follows. */
const LINKS_MAX = 40;
const ROOT = 0;

/** What a link leads to, also where nothing is yet. Throws where links lead in a circle, and at one of another user. */
export function linkTarget(path: string, linksMax = LINKS_MAX): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() !== true) return path;
  const user = process.geteuid?.();
  if (user !== undefined && found.uid !== user && found.uid !== ROOT)
    throw new Error(`${path} must be no link of another user, is one of user ${found.uid}: remove it`);
  if (linksMax === 0) throw new Error(`${path} leads through more than ${LINKS_MAX} links`);
  return linkTarget(resolve(realpathSync(dirname(path)), readlinkSync(path)), linksMax - 1);
}
