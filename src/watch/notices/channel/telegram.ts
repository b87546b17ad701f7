// Messages by a Telegram bot into one chat. Plain text: nothing in it is markup.

import { z } from "zod";
import { printable } from "../../../domain/outside-text.ts";
import type { Channel, Refusal } from "./channel.ts";
import { createJsonPost } from "./post-json.ts";

export type TelegramSettings = { readonly apiRoot: string; readonly token: string; readonly chatId: string };

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

export function methodUrl(apiRoot: string, token: string, method: string): string {
  return `${apiRoot.replace(/\/$/, "")}/bot${token}/${method}`;
}

/** Undefined when it was taken. An answer that is none of Telegram's counts as not taken. */
export function refusalOf({ status, body }: { readonly status: number; readonly body: unknown }): Refusal | undefined {
  const parsed = answer.safeParse(body);
  if (!parsed.success) return { reason: `Telegram's answer cannot be read (status ${status})`, isFinal: false };
  const { ok, error_code = status, description = "no reason given", parameters } = parsed.data;
  if (ok && status === 200) return undefined;
  const retryAfterMs = parameters?.retry_after === undefined ? undefined : parameters.retry_after * 1_000;
  const reason = `Telegram refused with ${error_code}: ${printable(description)}`;
  return { reason, isFinal: error_code >= 400 && error_code < 500 && error_code !== 429, retryAfterMs };
}
