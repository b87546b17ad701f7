// The key of a paper account, made at its first start.

import { existsSync } from "node:fs";
import { createSecretFile } from "../../exchange/key/secret-file.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import { newKey } from "../new-key.ts";
import type { PaperPlace } from "./paper-place.ts";

/** A part that is missing beside the others is not replaced: it would be another account. */
export async function ensurePaperKey(place: PaperPlace): Promise<"new" | "known"> {
  const there = [place.journal, place.key, place.state].filter(existsSync);
  if (there.length === 0) {
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

function incomplete(missing: string, there: readonly string[]): CommandFailure {
  const message = `${missing} is missing beside ${there.join(" and ")}: a paper account has all of them`;
  return new CommandFailure(exitCode.usage, message, WHOSE);
}

/** The journal may be of real money: nobody is told to remove it. */
const WHOSE =
  "if it is a paper account, bring the file back; if the journal is of another venue (pegbot journal verify says of which), " +
  "leave it alone: run this in another folder, or name another journal.path";
