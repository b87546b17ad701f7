// Opens everything that a running bot needs, in order of dependency, down to the parts of its pipeline. `closing`
// closes all of it, also if a later part fails to open.

import { Subject } from "rxjs";
import type { PipelineParts } from "../../bot/bot.ts";
import { orFail } from "../../domain/command-failure.ts";
import type { SpentSlot } from "../../exchange/budget/budget.ts";
import { FRESH, type TradingState } from "../../risk/trading-state.ts";
import { overText, pauseOf, watchReach } from "../../watch/status/connectivity.ts";
import { VENUE } from "../../watch/status/feed-list.ts";
import { sleeper } from "../config/oddities.ts";
import { openToOthers } from "../config/open-to-others.ts";
import { hasQuotes } from "../feeds/par.ts";
import { createAnswers } from "../owner/answer.ts";
import { type Conditions, requireLiveConditions } from "../owner/live-conditions.ts";
import type { OpenedVenue, OpenVenue } from "../owner/open-owner.ts";
import { openKillSwitch, openOwnDoor, openOwner } from "../owner/open-owner.ts";
import { takenOver } from "../owner/with-owner.ts";
import type { Shell } from "../shell.ts";
import type { Closing } from "../system/closing.ts";
import { systemTimers } from "../system/system-timers.ts";
import { versionText } from "../version.ts";
import type { Bot } from "./bot.ts";
import type { BotOrder } from "./bot-order.ts";
import type { LimitsInForce } from "./limits.ts";
import { loadStrategy } from "./load-strategy.ts";
import { openNotices, readNoticeSecrets } from "./open-notices.ts";
import { pipelineParts } from "./pipeline-parts.ts";
import { metricsOf, serveBot } from "./serve-bot.ts";
import { type BotView, openView } from "./view.ts";

export type OpenedBot = Pick<Bot, "venue" | "killSwitch" | "view"> & {
  readonly parts: PipelineParts;
  readonly conditions: Conditions;
};

export async function openBot(
  shell: Shell,
  order: BotOrder,
  inForce: LimitsInForce,
  closing: Closing,
): Promise<OpenedBot> {
  const { config, tuning = {} } = order;
  const strategy = orFail(
    await loadStrategy(config.strategy, undefined, config.mode === "paper" && !hasQuotes(config)),
  );
  const metrics = metricsOf(config, versionText());
  const { requests } = metrics;
  const slots$ = new Subject<SpentSlot>();
  const secrets = readNoticeSecrets(config);
  const onSlot = (spent: SpentSlot): void => {
    requests.slot(spent);
    slots$.next(spent);
  };
  const onCalled: OpenVenue["onCalled"] = (path, verdict) => requests.called(path, verdict, shell.clock.monotonic());
  const owner = await takenOver(shell, config, () => openOwner(shell, { config, tuning, onSlot, onCalled }, closing));
  const { venue, books, controls } = owner;
  const conditions = config.mode !== "paper" ? await requireLiveConditions(shell, config, venue) : "met";
  order.onOpen?.();
  const view = openView(shell, order, { books, venue, limits: inForce.limits, metrics }, closing);
  const { board } = view;
  const known = (): TradingState => board.tradingCore?.books.counters.tradingState ?? FRESH;
  const trouble = (message: string): void => view.say("error", "kill switch", message);
  const killSwitch = openKillSwitch(owner, known, trouble, closing);
  board.guardedBy(killSwitch.standing);
  watchVenue(venue, view, closing);
  closing.add(inForce.open({ ...view, tell: controls.tell }));
  const bot: Bot = { ...owner, order, inForce, strategy, metrics, slots$, view, killSwitch };
  const page = await serveBot(bot, closing);
  const answers = createAnswers({
    ...{ config, line: owner.line, exchange: venue.exchange, killFile: killSwitch, opening: books.journal.opening },
    ...{ phase: () => board.phase.kind, owner: page.owner, clock: shell.clock },
  });
  await openOwnDoor(owner, answers, (text) => view.say("warn", "machine", text), closing);
  view.notices = openNotices({ ...bot, owner: page.owner }, secrets, closing);
  for (const warning of sleeper(config, strategy)) view.say("warn", "config", warning);
  for (const warning of [page.warning, ...openToOthers(config, shell.configFile)])
    if (warning !== undefined) view.call("warn", "machine", warning);
  view.show(killSwitch.kill);
  return { parts: pipelineParts(bot), venue, killSwitch, view, conditions };
}

function watchVenue({ exchange }: OpenedVenue, { board, say }: BotView, closing: Closing): void {
  let last: string | undefined;
  const tell = (problem: string | undefined): void => {
    board.trouble(VENUE, problem);
    say(problem === undefined ? "info" : "warn", "reach", problem ?? overText(last));
    last = problem;
  };
  const paused = (): string | undefined => pauseOf(board.phase.kind === "unwritable", board.budget());
  closing.add(watchReach(exchange, systemTimers, tell, paused));
}
