// Asks the owner of a key for what moves no money; what changes the books has an owner of its own where none runs.

import type { Config } from "../../config/schema.ts";
import { CommandFailure, plainFailure } from "../../domain/command-failure.ts";
import type { ExitCode } from "../../domain/exit-code.ts";
import type { Operation } from "../../operation/operation.ts";
import { personHere } from "../../operation/person.ts";
import { botConfig, ownerConfig } from "../config/bot-config.ts";
import type { Shell } from "../shell.ts";
import { type Ask, askThrough, NoOwner } from "./client.ts";
import type { AskedAlone } from "./headless.ts";
import type { LastLine } from "./protocol.ts";

type Asked = Pick<Operation, "name" | "answer">;

/** Undefined where no owner runs. */
export async function askedOwner<A>(shell: Shell, operation: Asked, input: unknown): Promise<A | undefined> {
  const ask = askThrough(botConfig(shell).journal.path);
  try {
    return answerOf<A>(operation, await ask(operation.name, { by: personHere(), input }, () => undefined));
  } catch (error) {
    if (error instanceof NoOwner) return undefined;
    throw error;
  }
}

/** Without an owner by the books alone, which need no key and no venue, or by what `open` opens. */
export async function decided<A>(
  shell: Shell,
  operation: Asked,
  input: unknown,
  open?: () => Promise<AskedAlone>,
): Promise<A> {
  const config: Config = ownerConfig(shell);
  // Mostly a bot runs: then nothing of it is needed.
  const { withOwner } = await import("./with-owner.ts");
  const alone = open ?? (await import("./books-owner.ts")).openBooksOwner;
  const asking = (ask: Ask): Promise<LastLine> => ask(operation.name, { by: personHere(), input }, () => undefined);
  const { signal } = new AbortController();
  return withOwner(shell, { config }, signal, async (ask) => answerOf<A>(operation, await asking(ask)), alone);
}

function answerOf<A>({ answer }: Asked, last: LastLine): A {
  if (last.kind === "failed") throw new CommandFailure(last.exit as ExitCode, last.error, last.next);
  const read = answer.safeParse(last.kind === "answer" ? last.value : undefined);
  if (!read.success) throw plainFailure("the answer of the owner of the key cannot be read: is it another version?");
  return read.data as A;
}
