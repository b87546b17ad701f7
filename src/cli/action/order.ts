// `order buy|sell`: one order of a person through the same engine, gate, journal and protocol as the bot's own, beside a
// running bot or alone. The exit code says what became of it; what is unknown is left to the bot to resolve.

import type { Sent } from "../../bot/errand/dispatch.ts";
import { parseSymbol } from "../../domain/asset.ts";
import { Price, Quantity } from "../../domain/money/money.ts";
import type { Fill, Side } from "../../domain/order.ts";
import { printable } from "../../domain/outside-text.ts";
import type { Refusal } from "../../domain/step.ts";
import type { Approval } from "../../risk/movement-gate.ts";
import type { Preview } from "../../risk/rule.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Shell } from "../shell.ts";
import { type Person, personHere, reasonText, requireConfirmation } from "../terminal/confirmation.ts";
import { terminalPrompts } from "../terminal/prompts.ts";
import { carry, codeOfUnsent, textOfUnsent } from "../tool/carry.ts";
import { seeQuote } from "../tool/see-quote.ts";
import { requireActive, requireMaySend, type Tool } from "../tool/tool.ts";
import { withOpenBooks } from "../tool/with-open-books.ts";
import { oneShot, proposalOf, type Wish } from "./order/one-shot.ts";
import { seeMarket } from "./order/see-market.ts";

export type OrderOptions = {
  readonly price: string;
  readonly reason?: string;
  readonly yes?: boolean;
  /** What the limits leave of it is sent without asking again. */
  readonly cap?: boolean;
  /** A coin that is off its peg is sold without asking again. */
  readonly offPeg?: boolean;
  readonly json?: boolean;
  /** Of a plan: one that the limits made smaller is sent, and is not what was wanted. */
  readonly isWhole?: boolean;
};
export type OrderArguments = { readonly side: Side; readonly symbol: string; readonly quantity: string };

export async function order(shell: Shell, given: OrderArguments, options: OrderOptions): Promise<ExitCode> {
  const wish = wishOf(given, options);
  // From here on a wish to stop is heard: nothing is left between a byte that is out and its record.
  const stop = shell.stopSignal();
  return withOpenBooks(shell, (tool) => orderWith(tool, { shell, prompts: terminalPrompts, stop }, wish, options));
}

export function wishOf(
  { side, symbol, quantity }: OrderArguments,
  { price, reason }: Pick<OrderOptions, "price" | "reason">,
): Wish {
  return {
    symbol: orFail(parseSymbol(symbol)),
    side,
    quantity: String(orFail(Quantity.parse(quantity, "positive"), "<qty>")),
    price: String(orFail(Price.parse(price), "--price")),
    reason: reasonText("ordered", personHere(), reason),
  };
}

export async function orderWith(
  tool: Tool,
  { shell, prompts, stop }: Person,
  wish: Wish,
  options: Omit<OrderOptions, "price" | "reason">,
): Promise<ExitCode> {
  requireMaySend(tool);
  const { side } = wish;
  shell.terminal.note(`${side} ${wish.quantity} ${wish.symbol} at ${wish.price} or better, all of it or nothing`);
  await requireConfirmation(shell, prompts, { word: side, yes: options.yes });
  const { approved, quantity } = await decide(tool, { shell, prompts, stop }, wish, options);
  const { code } = await carry(shell, tool, approved, stop, (sent) => tell(shell, tool, sent, options.json === true));
  if (code !== exitCode.done || options.isWhole !== true || quantity === wish.quantity) return code;
  shell.terminal.print(`smaller  ${quantity} of ${wish.quantity} were let through by the limits`);
  return exitCode.refused;
}

type Decided = { readonly approved: Approval; readonly quantity: string };
type Asking = Pick<OrderOptions, "yes" | "cap" | "offPeg">;

async function decide(tool: Tool, person: Person, wish: Wish, options: Asking): Promise<Decided> {
  const { engine } = tool.desk;
  const own = await seeMarket(tool, wish, person.stop);
  const found = engine.preview(proposalOf(wish));
  if (found.kind === "passes" && isCut(found) && !options.cap) {
    await requireCap(person, wish, found, options);
    // The market is read anew: a person takes longer to answer than a price is good for.
    return decide(tool, person, { ...wish, quantity: String(found.quantity) }, options);
  }
  if (found.kind === "passes" && found.isOffPeg && !options.offPeg) {
    await requireOffPeg(person, wish, options);
    return decide(tool, person, wish, { ...options, offPeg: true });
  }
  requireMaySend(tool);
  tool.desk.seat(oneShot(wish));
  // Under the lock, with everything that others wrote: no smaller order leaves than the one that was confirmed.
  const turn = await seeQuote(tool, own, () =>
    options.cap ? undefined : cutText(wish, engine.preview(proposalOf(wish))),
  );
  const [sent] = turn.sends;
  const verdict = turn.steps.flatMap(({ decisions }) => decisions)[0]?.verdict;
  if (sent !== undefined && verdict?.kind === "approved") {
    for (const refusal of verdict.capped) person.shell.terminal.note(`capped by ${refusalText(refusal)}`);
    return { approved: sent, quantity: String(verdict.intent.quantity) };
  }
  if (verdict?.kind === "refused")
    throw new CommandFailure(exitCode.refused, `refused: ${refusalText(verdict.refusal)}; nothing was sent`);
  requireActive(tool);
  throw new CommandFailure(exitCode.refused, `there is no good quote of ${wish.symbol} to decide on; nothing was sent`);
}

/** A size that is not what was typed is asked for once more. */
async function requireCap({ shell, prompts }: Person, wish: Wish, found: Passes, { yes }: Asking): Promise<void> {
  if (yes)
    throw new CommandFailure(
      exitCode.refused,
      `refused: ${cutText(wish, found)}; nothing was sent`,
      `--cap sends ${found.quantity}`,
    );
  shell.terminal.note(`${cutText(wish, found)}`);
  await requireConfirmation(shell, prompts, { word: `${wish.side} ${found.quantity}`, yes });
}

/** Without a fair value the venue's own price is all that there is to sell by. */
async function requireOffPeg({ shell, prompts }: Person, { symbol, price }: Wish, { yes }: Asking): Promise<void> {
  const what = `${symbol} is off its peg and has no fair value: it would be sold at ${price} or better, by the venue's price alone`;
  if (yes) throw new CommandFailure(exitCode.refused, `refused: ${what}; nothing was sent`, "--off-peg confirms it");
  shell.terminal.note(what);
  await requireConfirmation(shell, prompts, { word: "sell off peg", yes });
}

type Passes = Extract<Preview, { kind: "passes" }>;

function isCut({ capped }: Passes): boolean {
  return capped.length > 0;
}

function cutText({ quantity }: Wish, found: Preview): string | undefined {
  if (found.kind !== "passes" || !isCut(found)) return undefined;
  return `the limits leave ${found.quantity} of ${quantity}: ${found.capped.map(refusalText).join("; ")}`;
}

function refusalText({ rule, message }: Refusal): string {
  return `${rule}: ${printable(message, 500)}`;
}

function tell({ terminal }: Shell, { latch }: Tool, { id, outcome }: Sent, json: boolean): ExitCode {
  const say = (state: string, code: ExitCode, text: string): ExitCode => {
    if (json) terminal.json({ id, outcome: state, text });
    else terminal.print(`${state}  ${id}  ${text}`);
    return code;
  };
  switch (outcome.kind) {
    case "accepted": {
      const { bought, sold, fee } = outcome.value as Fill;
      const text = `${bought} ${bought.asset} for ${sold} ${sold.asset}, fee ${fee} ${fee.asset}`;
      return say("filled", exitCode.done, text);
    }
    case "rejected":
      return say("rejected", exitCode.refused, `by the venue: ${printable(outcome.failure.message)}`);
    case "not-sent":
      return say("not sent", codeOfUnsent(outcome.code, latch.check()), textOfUnsent(outcome));
    case "doubt":
      return say(
        "unknown",
        exitCode.unknown,
        `money may have moved (${outcome.failure.code}): a running bot resolves it, pegbot status shows how; without one, start it`,
      );
  }
}
