// Answers operations on the owner's side, whichever way they came. Operations that move money are previewed, and
// executed under an id: a known id is answered with what it led to, and nothing is sent again.

import { hash } from "node:crypto";
import type { AskedOperation } from "../../bot/input.ts";
import { LineClosed, type OperationLine } from "../../bot/operation-line.ts";
import type { Config } from "../../config/schema.ts";
import { CommandFailure, plainFailure, refusedFailure, usageFailure } from "../../domain/command-failure.ts";
import { exitCode } from "../../domain/exit-code.ts";
import { printable } from "../../domain/sanitise.ts";
import { complaintsOf } from "../../domain/schema-complaint.ts";
import { type Clock, DAY_MS, type Timers } from "../../domain/time.ts";
import type { Exchange, Reading } from "../../exchange/port.ts";
import type { Heard, Question } from "../../execution/dispatch.ts";
import type { Opening, OperationRecord } from "../../journal/record.ts";
import type { Agreement, Asking, Ended, MoneyOperation, Trader } from "../../operation/money.ts";
import { amountOf } from "../../operation/movement.ts";
import type { Owner } from "../../operation/owner.ts";
import { MONEY_OPERATIONS, OPERATIONS } from "../../operation/table.ts";
import { joined, type TradingState } from "../../risk/trading-state.ts";
import { problemOf } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { type LastLine, type Line, type OwnerRequest, type ShownPreview, timeOfUuid7 } from "./protocol.ts";

const PREVIEW_MS = 60_000;
const PREVIEWS_MAX = 100;
/** How far the clock that made an id may be from ours. */
const CLOCKS_MS = 600_000;

export type AnswerParts = {
  readonly config: Config;
  readonly line: OperationLine;
  readonly exchange: Exchange;
  readonly timers?: Timers;
  readonly killFile: { standing(): TradingState };
  readonly opening: Pick<Opening, "at">;
  readonly clock: Pick<Clock, "now">;
  /** It waits for a person's word on its books: other operations have to wait for the next owner. */
  readonly isHeld?: boolean;
  /** For people, while the pipeline is not open for operations. */
  readonly phase: () => string;
  /** For the operations that do not move money. */
  readonly owner: Owner;
  /** For an owner that a person's `adopt` may bind to its key. */
  readonly binding?: Pick<Trader, "replaced" | "bind">;
  /** For an owner that ends when a bot starts on its key. */
  readonly makeWay?: (() => void) | undefined;
};

type Tell = (line: Line) => void;

export type Answers = (name: string, request: OwnerRequest, tell: Tell, gone: AbortSignal) => Promise<LastLine>;

/** What a preview of this owner holds, by its digest, and until when. */
type Held = { readonly held: unknown; readonly until: number };

export function createAnswers(parts: AnswerParts): Answers {
  const previews = new Map<string, Held>();
  return async (name, request, tell, gone) => {
    try {
      if (name === YIELD) return yielded(parts);
      const money = MONEY_OPERATIONS.find((one) => one.name === name);
      if (money !== undefined) return await moved(parts, previews, { money, request, tell, gone });
      return await asked(parts.owner, name, request);
    } catch (error) {
      const { id } = request;
      return error instanceof LineClosed && id !== undefined ? unseenLine(id, error.message) : failedLine(error);
    }
  };
}

/** An id whose past was not looked up: an earlier owner may have sent what it stands for. */
function unseenLine(id: string, why: string): LastLine {
  const error = `${why}; it is unknown whether id ${id} was sent before, and nothing was sent now`;
  return { kind: "failed", exit: exitCode.unknown, error, next: "ask again with the same id", again: true };
}

/** Asked by a bot that starts. */
export const YIELD = "yield";

function yielded({ makeWay }: AnswerParts): LastLine {
  if (makeWay === undefined) throw plainFailure("a bot runs on this key");
  makeWay();
  return { kind: "answer", value: {} };
}

export function failedLine(error: unknown): LastLine {
  if (error instanceof LineClosed)
    return { kind: "failed", exit: exitCode.failed, error: `${error.message}; nothing was sent`, again: true };
  const { error: text, next, exitCode: exit } = problemOf(error);
  return { kind: "failed", exit, error: text, next };
}

export async function asked(owner: Owner, name: string, request: OwnerRequest): Promise<LastLine> {
  const operation = OPERATIONS.find((one) => one.name === name);
  if (operation === undefined)
    throw usageFailure(`the owner of the key does not know the operation ${printable(name, 40)}`);
  const input = operation.input === undefined ? undefined : parsed(operation.input, request.input);
  const done = await operation.act(owner, input, { by: request.by, token: undefined });
  if (!done.ok) throw plainFailure(done.error);
  return { kind: "answer", value: done.value };
}

function parsed(schema: NonNullable<(typeof OPERATIONS)[number]["input"]>, input: unknown): unknown {
  const read = schema.safeParse(input);
  if (read.success) return read.data;
  throw usageFailure(complaintsOf(read.error.issues, input, (path) => path.join(".") || "the input").join("; "));
}

type Moving = {
  readonly money: MoneyOperation;
  readonly request: OwnerRequest;
  readonly tell: Tell;
  readonly gone: AbortSignal;
};

/** Ends a preview at the point where a person agrees. */
class Previewed extends Error {
  readonly agreement: Agreement;

  constructor(agreement: Agreement) {
    super("previewed");
    this.agreement = agreement;
  }
}

async function moved(parts: AnswerParts, previews: Map<string, Held>, moving: Moving): Promise<LastLine> {
  const { money, request, tell, gone } = moving;
  const input = parsed(money.input, request.input);
  const content = contentOf(money, input);
  const askedAt = parts.clock.now();
  const trader = await traderOf(parts, money, tell);
  const say = (text: string): void => tell({ kind: "progress", text });
  const plain = { by: request.by, gone, tell: say };
  const known = request.id === undefined ? undefined : knownAs(parts, trader, request.id, content);
  const asking = (agree: Asking["agree"]): Asking => ({ ...plain, agree });
  const followed = async (record: OperationRecord): Promise<LastLine> => {
    try {
      return { kind: "answer", value: await endOf(record, trader, money, input, asking(unasked)) };
    } catch (error) {
      if (record.request === undefined) throw error;
      return leftLine(record.id, record.request, problemOf(error).error);
    }
  };
  if (known !== undefined) return followed(known);
  const keep = (agreement: Agreement): ShownPreview => remember(previews, parts.clock.now(), content, agreement);
  if (request.step !== "execute") {
    try {
      // Without anything to agree to it ends here.
      return { kind: "answer", value: await money.act(trader, input, asking(previewing)) };
    } catch (error) {
      if (error instanceof Previewed) return { kind: "preview", preview: keep(error.agreement) };
      throw error;
    }
  }
  const { id, accepted } = request;
  if (id === undefined || accepted === undefined)
    throw usageFailure("an operation that moves money needs an id, and the preview that was agreed to");
  if (accepted.digest !== digestOf(content, accepted.sent, accepted.worst, accepted.until) || accepted.until < askedAt)
    throw refusedFailure(
      "the preview is of something else, or older than a minute; nothing was sent",
      "look at a new one",
    );
  const { held } = previews.get(accepted.digest) ?? {};
  previews.delete(accepted.digest);
  const mark: AskedOperation = { id, name: money.name, content, by: request.by };
  let worse: ShownPreview | undefined;
  // What comes before was shown by the preview.
  let isAgreed = false;
  const agree: Asking["agree"] = async (found) => {
    const why = whyWorse(accepted, found);
    if (why !== undefined) {
      worse = keep(found);
      throw refusedFailure(`${why}; nothing was sent`, "look at the new preview");
    }
    isAgreed = true;
    return { sent: accepted.sent, asked: mark };
  };
  const quiet = (text: string): void => (isAgreed ? say(text) : undefined);
  try {
    const accepting = { ...asking(agree), tell: quiet, held };
    return { kind: "answer", value: await money.act(trader, input, accepting) };
  } catch (error) {
    // It was sent: by this execution, or by another one of the same id meanwhile.
    const recorded = trader.core().requests.asked.get(id);
    if (error instanceof LineClosed) return closedLine(trader, mark);
    if (recorded?.request !== undefined) return followed(recorded);
    await recordRefusal(trader, mark, error);
    return worse === undefined
      ? failedLine(error)
      : { ...(failedLine(error) as LastLine & { kind: "failed" }), preview: worse };
  }
}

/** The owner ended first. */
function closedLine(trader: Trader, { id }: AskedOperation): LastLine {
  const request = trader.core().requests.asked.get(id)?.request;
  const error = "the owner of the key has stopped; nothing was sent";
  if (request === undefined) return { kind: "failed", exit: exitCode.failed, error, again: true };
  return leftLine(id, request, "the owner of the key has stopped");
}

function leftLine(id: string, request: string, why: string): LastLine {
  const error = `${request} is on its way, and is not sent again; ${why}`;
  const next = `the same command with --id ${id} shows the outcome`;
  return { kind: "failed", exit: exitCode.unknown, error, next };
}

function previewing(found: Agreement): never {
  throw new Previewed(found);
}

function unasked(): never {
  throw plainFailure("this id was carried out already");
}

/** What somebody refused is known under its id as well; what merely failed may be asked again with it. */
async function recordRefusal(trader: Trader, asked: AskedOperation, error: unknown): Promise<void> {
  if (!(error instanceof CommandFailure) || trader.core().requests.asked.get(asked.id) !== undefined) return;
  if (error.code !== exitCode.refused && error.code !== exitCode.halted) return;
  await trader.take({ kind: "refused", asked, refusal: error.message }).catch(() => undefined);
}

function knownAs({ opening }: AnswerParts, trader: Trader, id: string, content: string): OperationRecord | undefined {
  const at = timeOfUuid7(id);
  const known = trader.core().requests.asked.get(id);
  if (known !== undefined && known.content !== content)
    throw usageFailure(`id ${id} was used for something else (${known.name}); nothing was sent`);
  const { at: now } = trader.now();
  if (known !== undefined) return known;
  if (at - now > CLOCKS_MS) throw refusedFailure(`id ${id} is from the future; nothing was sent`);
  if (now - at > DAY_MS || at < opening.at - CLOCKS_MS)
    throw new CommandFailure(
      exitCode.unknown,
      `id ${id} is older than a day or than the journal, so its past is not known; nothing was sent now`,
      "pegbot journal list and the venue's portal show what was sent; a new id asks anew",
    );
  return undefined;
}

async function endOf(
  { request, refusal, id }: OperationRecord,
  trader: Trader,
  money: MoneyOperation,
  input: unknown,
  asking: Asking,
): Promise<Ended> {
  if (request !== undefined && money.ended !== undefined) return money.ended(trader, request, input, asking);
  throw refusedFailure(refusal ?? "refused", `id ${id} is used up: a new one asks anew`);
}

/** How long to wait is no part of what is asked for. */
function contentOf({ name }: MoneyOperation, input: unknown): string {
  const { wait: _, confirmWithinMs: _2, ...content } = input as Readonly<Record<string, unknown>>;
  return digestOf(name, content);
}

function digestOf(...parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts));
}

function remember(previews: Map<string, Held>, now: number, content: string, agreement: Agreement): ShownPreview {
  const until = now + PREVIEW_MS;
  const { word, sent, caveats, shown, held } = agreement;
  const worst = agreement.worst.map((money) => `${money} ${money.asset}`);
  const digest = digestOf(content, sent, worst, until);
  for (const [old, { until: over }] of previews) if (over < now || previews.size >= PREVIEWS_MAX) previews.delete(old);
  previews.set(digest, { held, until });
  return { digest, until, word, sent, worst, caveats: [...caveats], shown };
}

/** Undefined if the present one is equal to what was agreed, or better. */
function whyWorse(agreed: Pick<ShownPreview, "sent" | "worst" | "caveats">, now: Agreement): string | undefined {
  for (const [name, value] of Object.entries(now.sent)) {
    const before = agreed.sent[name] ?? "";
    const isLess = name === "quantity" && Number(before) > 0 && Number(value) > Number(before);
    if (value !== before && !isLess) return `${name} would be ${value}, agreed was ${before}`;
  }
  for (const [index, money] of now.worst.entries()) {
    const before = agreed.worst[index];
    const most = before === undefined ? undefined : amountOf("worst", before);
    // A larger size than agreed is not sent, so its cost does not count.
    const isLarger = now.sent.quantity !== agreed.sent.quantity;
    if (most?.asset !== money.asset || (!isLarger && money.moreThan(most)))
      return `it would take up to ${money} ${money.asset}, agreed was ${before}`;
  }
  const fresh = now.caveats.find(({ flag }) => !agreed.caveats.some((caveat) => caveat.flag === flag));
  return fresh?.text;
}

/** After a resume or a resolve everything is read again first, which an operation waits for. */
const RESYNC_MS = 30_000;

/** Waits until the pipeline takes such operations. */
export async function traderOf(
  parts: AnswerParts,
  { begins }: Pick<MoneyOperation, "begins">,
  tell: Tell,
): Promise<Trader> {
  const { line, config, exchange, killFile, binding, timers = systemTimers } = parts;
  if (parts.isHeld === true && begins !== "restored") throw new LineClosed("the owner of the key waits for a person");
  if (!line.isOpen) tell({ kind: "starting", text: parts.phase() });
  const { core, now } = await (begins === "restored" ? line.restored() : line.opened());
  if (begins !== "restored") {
    const late = new AbortController();
    const cancel = timers.after(RESYNC_MS, () => late.abort());
    await line.until(() => !core().executor.isResyncing || undefined, late.signal);
    cancel();
  }
  return {
    config,
    exchange,
    timers,
    core,
    now,
    standing: () => joined(killFile.standing(), core().books.counters.tradingState),
    take: (input) => line.take(input),
    ask: async (question) => answered(question, await line.ask(question)),
    look: async (question) => answered(question, await line.look(question)),
    moves: () => line.moves,
    replaced: async () => binding?.replaced(),
    bind: async () => binding?.bind(),
    prices: () => line.prices(),
    quotes: (want) => line.quotes(want),
    read: async (what, reading) => readingOf(what, await reading),
    until: (test, over) => line.until(test, over),
  };
}

function answered({ witness }: Question, heard: Heard) {
  if (heard.kind === "answer") return heard.answer;
  throw unread(witness, `${heard.code}: ${heard.message}`);
}

function readingOf<T>(what: string, reading: Reading<T>): T {
  if (reading.kind === "read") return reading.value;
  throw unread(
    what,
    reading.kind === "dropped" ? reading.reason : `${reading.failure.code}: ${reading.failure.message}`,
  );
}

function unread(what: string, why: string): CommandFailure {
  return plainFailure(
    `${what} could not be read, nothing was changed: ${printable(why)}`,
    "pegbot doctor looks at connection and key",
  );
}
