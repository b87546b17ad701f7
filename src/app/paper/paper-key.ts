// The key of a paper account, made at its first start.

import { existsSync } from "node:fs";
import { whyNoPlace } from "../../disk/create-folder.ts";
import { createSecretFile } from "../../exchange/key/secret-file.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import { isJournalThere } from "../journal/journal-there.ts";
import { newKey } from "../key/new-key.ts";
import type { PaperPlace } from "./paper-place.ts";

/** A part that is missing beside the others is not replaced: it would be another account. Nor is one that may not be looked at. */
export async function ensurePaperKey(
  place: PaperPlace,
  stat?: Parameters<typeof isJournalThere>[1],
): Promise<"new" | "known"> {
  const books = isJournalThere(place.journal, stat) ? [place.journal] : [];
  const there = [...books, ...[place.key, place.state].filter(existsSync)];
  if (there.length === 0) {
    requireRoom(place);
    const { content } = await newKey("p256", undefined);
    orFail(createSecretFile(place.key, content, "key file"));
    content.fill(0);
    return "new";
  }
  // A first start that was cut short may have left the key alone, or the key and the simulator's state.
  if (!existsSync(place.key)) throw incomplete(place.key, there);
  if (!existsSync(place.state) && existsSync(place.journal)) throw incomplete(place.state, there);
  return existsSync(place.state) ? "known" : "new";
}

function requireRoom({ key }: PaperPlace): void {
  const barred = whyNoPlace(key);
  if (barred === undefined) return;
  throw new CommandFailure(
    exitCode.usage,
    `a paper account needs a folder that it can write to: ${barred}`,
    "start it as the user whom the folder belongs to, or name another place as journal.path",
  );
}

function incomplete(missing: string, there: readonly string[]): CommandFailure {
  const message = `${missing} is missing beside ${there.join(" and ")}: a paper account has all of them`;
  return new CommandFailure(exitCode.usage, message, WHOSE);
}

/** The journal may be of real money: nobody is told to remove it. */
const WHOSE =
  "if it is a paper account, bring the file back; if the journal is of another venue (pegbot journal verify says of which), " +
  "leave it alone: run this in another folder, or name another journal.path";
