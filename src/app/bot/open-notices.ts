// The notices of a run: reads the secrets, opens the channels and checks the status periodically. Without a channel it
// does nothing.

import { environment } from "../../config/environment.ts";
import type { Config } from "../../config/schema.ts";
import { isFitAddress } from "../../config/section/notices.ts";
import { amountText } from "../../domain/amount-text.ts";
import { orFail, usageFailure } from "../../domain/command-failure.ts";
import { secret } from "../../domain/redact.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Clock } from "../../domain/time.ts";
import { readSecretFile } from "../../exchange/key/secret-file.ts";
import type { Owner } from "../../operation/owner.ts";
import { contentOf, linesOf } from "../../treasury/approval/plan-content.ts";
import { type Channel, createWebhook } from "../../watch/notices/channel.ts";
import { createNotices, type NoticeParts, type Notices } from "../../watch/notices/notices.ts";
import { createTelegram, listenToTelegram } from "../../watch/notices/telegram.ts";
import type { Status } from "../../watch/status.ts";
import { stateText, summaryLine } from "../../watch/text/status-text.ts";
import { environmentName } from "../config/identity.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import type { Shell } from "../shell.ts";
import type { Closing } from "../system/closing.ts";
import { every, systemTimers } from "../system/system-timers.ts";
import type { Announcer } from "./announcer.ts";
import type { Bot } from "./bot.ts";
import type { BotOrder } from "./bot-order.ts";

type NoticeConfig = Config["notices"];

const LOOK_EVERY_MS = 1_000;

type Source = Pick<Bot, "metrics" | "view"> & {
  readonly order: Pick<BotOrder, "config">;
  readonly shell: Pick<Shell, "clock">;
  readonly killSwitch: Pick<KillSwitch, "kill">;
  readonly owner: Pick<Owner, "plans" | "approve">;
};

/** Reads the secrets before trading starts: an unreadable one ends the start. */
export function readNoticeSecrets({ notices }: Pick<Config, "notices">) {
  const { webhook, telegram } = notices;
  const url =
    webhook &&
    (webhook.url === undefined
      ? secretOf("notices.webhook.url", webhook.urlFile, webhook.urlEnv)
      : secret(webhook.url));
  if (url !== undefined && !isFitAddress(url))
    throw usageFailure("notices.webhook: the address must be https, or http on this machine");
  return {
    url,
    token: telegram && secretOf("notices.telegram.token", telegram.tokenFile, telegram.tokenEnv),
  };
}

type NoticeSecrets = ReturnType<typeof readNoticeSecrets>;

export function openNotices(bot: Source, secrets: NoticeSecrets, closing: Closing): Announcer["notices"] {
  const { metrics, view, shell } = bot;
  const { config } = bot.order;
  const { board } = view;
  const channels = channelsOf(config.notices, secrets);
  if (channels.length === 0) return undefined;
  const say = (text: string): void => view.say("warn", "notice", text);
  const notices = noticesBy(channels, config, {
    clock: shell.clock,
    told(channel, outcome, reason) {
      metrics.notices.told(channel, outcome);
      if (outcome !== "sent" && reason !== undefined) say(`message by ${channel} ${outcome}: ${reason}`);
    },
  });
  closing.add(() => notices.close());
  const look = (): void => notices.look(board.snapshot(), board.fills);
  closing.add(every(LOOK_EVERY_MS, () => view.aside(look)));
  listen(bot, secrets, say, closing);
  return { look, warn: notices.warn };
}

export type TestNotice = { readonly channel: Channel["name"]; readonly refusal: string | undefined };

/** Sends one message through each channel, as the bot would; returns the channel's error if it refused. */
export async function sendTest(
  config: Config,
  secrets: NoticeSecrets,
  clock: Clock,
  by: string,
): Promise<readonly TestNotice[]> {
  const channels = channelsOf(config.notices, secrets);
  const ends = new Map<Channel["name"], (refusal: string | undefined) => void>();
  const said = channels.map(
    ({ name }) =>
      new Promise<TestNotice>((resolve) => {
        ends.set(name, (refusal) => resolve({ channel: name, refusal }));
      }),
  );
  const notices = noticesBy(channels, config, {
    clock,
    told: (channel, outcome, reason = outcome) => ends.get(channel)?.(outcome === "sent" ? undefined : reason),
  });
  try {
    notices.test(by);
    return await Promise.all(said);
  } finally {
    notices.close();
  }
}

type Around = Pick<NoticeParts, "clock" | "told">;

function noticesBy(channels: readonly Channel[], config: Config, { clock, told }: Around): Notices {
  const { fillValueMin, repeatMs, perHourMax } = config.notices;
  const name = `pegbot ${environmentName(config)}`;
  const settings = { fillValueMin: fillValueMin.toNumber(), repeatMs, perHourMax, name };
  return createNotices({ channels, clock, timers: systemTimers, settings, told });
}

function channelsOf({ telegram }: NoticeConfig, { url, token }: NoticeSecrets): readonly Channel[] {
  const channels: Channel[] = [];
  if (url !== undefined) channels.push(createWebhook(url));
  if (telegram !== undefined && token !== undefined) channels.push(createTelegram({ ...telegram, token }));
  return channels;
}

function listen(
  { order, shell, view, killSwitch, owner }: Source,
  { token }: NoticeSecrets,
  say: (text: string) => void,
  closing: Closing,
): void {
  const { telegram } = order.config.notices;
  if (telegram?.commands !== true || token === undefined) return;
  const orders = {
    clock: shell.clock,
    timers: systemTimers,
    status: () => statusText(view.board.snapshot()),
    balances: () => balancesText(view.board.snapshot()),
    halt: killSwitch.kill,
    plans: () => plansText(owner),
    approve: (digest: string, by: string) => approved(owner, digest, by),
    trouble: (reason: string) => say(`commands by telegram: ${reason}`),
  };
  closing.add(listenToTelegram({ ...telegram, token }, orders));
}

function statusText(status: Status): string {
  const { state, at, needs } = status;
  const asked = needs.filter(({ isAsked }) => isAsked).map(({ what, wayOut }) => `${what}. Way out: ${wayOut}`);
  return [stateText(state, at), summaryLine(status), ...asked].join("\n");
}

async function plansText(owner: Source["owner"]): Promise<string> {
  const found = await owner.plans();
  if (!found.ok) return found.error;
  const texts = found.value.plans.map((plan) => {
    const { cost, currency } = contentOf(plan);
    const until = new Date(plan.expiresAt).toISOString().slice(0, 16);
    const why = plan.why === undefined ? [] : [printable(plan.why, 300)];
    const by = plan.approvals.map((one) => one.by).join(", ") || "none";
    return [
      `${plan.id} by ${printable(plan.by, 64)}, until ${until}Z, approvals of ${plan.persons}: ${by}`,
      ...linesOf(plan),
      `cost at most ${amountText(cost)} ${currency}`,
      ...why,
      `/approve ${plan.digest}`,
    ].join("\n");
  });
  return texts.length === 0 ? "no plan waits" : texts.join("\n\n");
}

/** Finds the plan by its whole digest: another content, amount or time is another digest. */
async function approved(owner: Source["owner"], digest: string, by: string): Promise<string> {
  const found = await owner.plans();
  const plan = found.ok ? found.value.plans.find((one) => one.digest === digest) : undefined;
  if (plan === undefined)
    return `NOT APPROVED: ${found.ok ? "no plan that waits has this digest; /plans" : found.error}`;
  const done = await owner.approve({ id: plan.id, digest, by }, { by, token: by });
  return done.ok ? `approved ${plan.id} by ${by}; ${done.value.text}` : `NOT APPROVED: ${done.error}`;
}

function balancesText({ holdings }: Status): string {
  const lines = holdings.map(
    ({ asset, held, available }) => `${asset} ${amountText(held)}, available ${amountText(available)}`,
  );
  return lines.length === 0 ? "nothing is known yet" : lines.join("\n");
}

function secretOf(what: string, file: string | undefined, variable: string | undefined): string {
  const text = file === undefined ? environment()[variable ?? ""] : orFail(readSecretFile(file, what)).toString("utf8");
  if (text === undefined || text.trim() === "")
    throw usageFailure(`${what} must not be empty, ${file ?? `variable ${variable}`} is`);
  return secret(text.trim());
}
