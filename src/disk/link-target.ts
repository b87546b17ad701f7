// The target of a path that is a link. Links of another user are not followed: that user would choose which of our
// files is written.

import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The same limit as Linux. */
const LINKS_MAX = 40;
const ROOT = 0;

/** The target of a link, even if nothing exists there yet. Throws on a circle, and on a link of another user. */
export function linkTarget(path: string, linksMax = LINKS_MAX): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isSymbolicLink() !== true) return path;
  const user = process.geteuid?.();
  if (user !== undefined && found.uid !== user && found.uid !== ROOT)
    throw new Error(`${path} must be no link of another user, is one of user ${found.uid}: remove it`);
  if (linksMax === 0) throw new Error(`${path} leads through more than ${LINKS_MAX} links`);
  return linkTarget(resolve(realpathSync(dirname(path)), readlinkSync(path)), linksMax - 1);
}
