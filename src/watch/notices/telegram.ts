// Telegram: notices into one chat as plain text, and the commands of that chat: to read the status, to stop everything,
// and for the approvers named to approve a plan by its digest. No command resumes, trades or configures: with the stolen
// phone of anybody else one can stop the bot and do nothing else.

import { z } from "zod";
import { printable } from "../../domain/sanitise.ts";
import type { Clock, Timers } from "../../domain/time.ts";
import { type Channel, createJsonPost, type Refusal } from "./channel.ts";

export type TelegramSettings = { readonly apiRoot: string; readonly token: string; readonly chatId: string };
/** `approvers`: ids of the users who may approve plans. */
export type CommandSettings = TelegramSettings & { readonly approvers: readonly number[] };

const TEXT_MAX = 4_000;
const LOUD: ReadonlySet<string> = new Set(["warning", "critical"]);

const answer = z.object({
  ok: z.boolean(),
  error_code: z.number().optional(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional() }).optional(),
});

export function createTelegram({ apiRoot, token, chatId }: TelegramSettings): Channel {
  const http = createJsonPost();
  return {
    name: "telegram",
    async send({ urgency, title, text }, signal) {
      const body = {
        chat_id: chatId,
        text: `${title}: ${text}`.slice(0, TEXT_MAX),
        disable_notification: !LOUD.has(urgency),
        link_preview_options: { is_disabled: true },
      };
      return refusalOf(await http.post(methodUrl(apiRoot, token, "sendMessage"), body, signal));
    },
    close: http.close,
  };
}

function methodUrl(apiRoot: string, token: string, method: string): string {
  return `${apiRoot.replace(/\/$/, "")}/bot${token}/${method}`;
}

/** Undefined when Telegram accepted the message. An answer in another format counts as a refusal. */
function refusalOf({ status, body }: { readonly status: number; readonly body: unknown }): Refusal | undefined {
  const parsed = answer.safeParse(body);
  if (!parsed.success) return { reason: `Telegram's answer cannot be read (status ${status})`, isFinal: false };
  const { ok, error_code = status, description = "no reason given", parameters } = parsed.data;
  if (ok && status === 200) return undefined;
  const retryAfterMs = parameters?.retry_after === undefined ? undefined : parameters.retry_after * 1_000;
  const reason = `Telegram refused with ${error_code}: ${printable(description)}`;
  return { reason, isFinal: error_code >= 400 && error_code < 500 && error_code !== 429, retryAfterMs };
}

export type CommandParts = {
  readonly clock: Pick<Clock, "now">;
  readonly timers: Timers;
  /** The status in a few lines. */
  readonly status: () => string;
  readonly balances: () => string;
  /** Returns the problem if part of the stop failed. */
  readonly halt: (reason: string, by: string) => string | undefined;
  /** The plans that wait, each with its digest. */
  readonly plans: () => Promise<string>;
  /** The same operation as the page's: a digest of no waiting plan approves nothing. Returns what became of it. */
  readonly approve: (digest: string, by: string) => Promise<string>;
  readonly trouble: (reason: string) => void;
};

/** Long polling: Telegram answers as soon as there is an update, or after this time. */
const POLL_SECONDS = 20;
const POLL_MS_MAX = 30_000;
const REST_MS = 5_000;
/** The pause between two polls, so that a server that answers at once is not polled in a tight loop. */
const PAUSE_MS = { empty: 1_000, more: 100 } as const;
/**
 * Other chats can write to the bot. Their updates are consumed too, otherwise they would return with every poll and
 * delay a stop. Few at a time, with room for the longest possible updates.
 */
const UPDATES_MAX = 10;
const BYTES_MAX = 4_194_304;
/**
 * Messages written while no bot was listening are not executed, and the reply says so. Later messages are known to be
 * new, regardless of our clock.
 */
const AGE_MS_MAX = 120_000;
/** The same problem is reported once within this time. */
const TROUBLE_EVERY_MS = 3_600_000;
const REASON_MAX = 200;

const updates = z.object({
  ok: z.literal(true),
  result: z.array(
    z.object({
      update_id: z.number(),
      message: z
        .object({
          date: z.number(),
          text: z.string().optional(),
          from: z.object({ id: z.number() }).optional(),
          chat: z.object({ id: z.number(), username: z.string().optional() }),
        })
        .optional()
        .catch(undefined),
    }),
  ),
});
type Update = z.output<typeof updates>["result"][number];

/** The returned function stops listening. */
export function listenToTelegram(settings: CommandSettings, parts: CommandParts): () => void {
  const { apiRoot, token, chatId } = settings;
  const http = createJsonPost(POLL_MS_MAX, BYTES_MAX);
  let offset: number | undefined;
  let cancel = (): void => {};
  let isClosed = false;
  /** All messages from before this process listened have been consumed. */
  let isCaughtUp = false;
  let told: { readonly reason: string; readonly at: number } | undefined;

  function trouble(reason: string): void {
    const now = parts.clock.now();
    if (told?.reason === reason && Math.abs(now - told.at) < TROUBLE_EVERY_MS) return;
    told = { reason, at: now };
    parts.trouble(reason);
  }

  async function call(method: string, body: object): Promise<unknown> {
    const abort = new AbortController();
    const stop = parts.timers.after(POLL_MS_MAX, () => abort.abort());
    try {
      const answer = await http.post(methodUrl(apiRoot, token, method), body, abort.signal);
      const refusal = refusalOf(answer);
      if (refusal !== undefined) throw new Error(refusal.reason);
      return answer.body;
    } finally {
      stop();
    }
  }

  const say = async (text: string): Promise<unknown> => isClosed || call("sendMessage", { chat_id: chatId, text });

  async function poll(): Promise<void> {
    let restMs: number = PAUSE_MS.empty;
    try {
      const wanted = { timeout: POLL_SECONDS, limit: UPDATES_MAX, allowed_updates: ["message"] };
      const body = { ...wanted, ...(offset === undefined ? {} : { offset }) };
      const { result } = updates.parse(await call("getUpdates", body));
      if (result.length > 0) restMs = PAUSE_MS.more;
      for (const update of result) {
        // The offset advances first: a failing command must not repeat for ever.
        offset = update.update_id + 1;
        const reply = answerTo(update, parts, settings, isCaughtUp);
        // Plans wait for the pipeline, which may wait for the venue: the next message may be a halt.
        if (reply instanceof Promise)
          void reply.then(say).catch((error: unknown) => isClosed || trouble(String(error)));
        else if (reply !== undefined) await say(reply);
      }
      isCaughtUp ||= result.length < UPDATES_MAX;
    } catch (error) {
      restMs = REST_MS;
      if (!isClosed) trouble(error instanceof Error ? error.message : String(error));
    }
    if (!isClosed) cancel = parts.timers.after(restMs, () => void poll());
  }

  void poll();
  return () => {
    isClosed = true;
    cancel();
    http.close();
  };
}

/** `isCaughtUp`: all messages from before this process listened have been consumed. */
function answerTo(
  { message }: Update,
  parts: CommandParts,
  { chatId, approvers }: CommandSettings,
  isCaughtUp: boolean,
): string | Promise<string> | undefined {
  if (message?.text === undefined) return undefined;
  const { chat, from, text, date } = message;
  // Other chats get no reply: it would reveal the bot.
  if (String(chat.id) !== chatId && `@${chat.username ?? ""}` !== chatId) return undefined;
  const [word = "", ...rest] = text.trim().split(/\s+/);
  const ageMs = parts.clock.now() - date * 1_000;
  if (!isCaughtUp && ageMs > AGE_MS_MAX) return word.startsWith("/") ? leftOut(word, ageMs, parts) : undefined;
  switch (word.toLowerCase().replace(/@.*$/, "")) {
    case "/status":
      return parts.status();
    case "/balances":
      return parts.balances();
    case "/halt":
      return halted(rest.join(" "), parts);
    case "/plans":
      return parts.plans();
    case "/approve":
      return from !== undefined && approvers.includes(from.id)
        ? parts.approve(rest.join(" "), `telegram-${from.id}`)
        : `NOT APPROVED: user ${from?.id ?? "unknown"} is not in notices.telegram.approvers`;
    case "/resume":
      return 'not from here: pegbot resume --reason "..." on its own machine';
    default:
      return "I know /status, /balances, /halt REASON, /plans and /approve DIGEST";
  }
}

function leftOut(word: string, ageMs: number, parts: CommandParts): string {
  const why = `written ${Math.round(ageMs / 60_000)} min ago by this machine's clock, before the bot listened`;
  if (word.startsWith("/halt")) parts.trouble(`a /halt was not acted on: ${why}`);
  return `not acted on: ${why}. Send it again`;
}

function halted(reason: string, parts: CommandParts): string {
  if (reason === "") return "NOT STOPPED: why? /halt REASON";
  const problem = parts.halt(printable(reason, REASON_MAX), "telegram");
  return problem === undefined ? "HALTED: nothing leaves any more" : `HALTED, but: ${problem}`;
}
