// A payment rail as it arrives: JSON whose shape nobody vouches for. A missing or mistyped field is a bad request; a
// field that is there and says something impossible makes a rejected rail, with the reason.

import type { Asset } from "../../domain/asset.ts";
import { shown } from "./house.ts";
import type { RailRow, RailType } from "./record.ts";
import { type Answer, refused } from "./refusal.ts";

export type RailForm = Pick<RailRow, "type" | "sender" | "destination" | "memo" | "asset" | "currency" | "blockchain">;

const TEXT_MAX = 200;

export function readRail(body: unknown): Answer<RailForm> {
  const type = textAt(body, "railtype");
  if (type !== "FiatToStablecoin" && type !== "StablecoinToFiat")
    return refused("bad_request", `railtype must be FiatToStablecoin or StablecoinToFiat, was ${shown(type)}`);
  const target = type === "FiatToStablecoin" ? "wallet" : "bankaccount";
  const paths = {
    name: "sender.partyname.name",
    country: "sender.address.country",
    partyType: "sender.partytype",
    destination: `${target}.destination`,
    asset: "instructions.asset",
    currency: "instructions.currency",
    blockchain: "instructions.blockchain",
  };
  const found = Object.entries(paths).map(([name, path]) => [name, textAt(body, path)] as const);
  const missing = found.find(([, text]) => text === undefined);
  if (missing !== undefined)
    return refused(
      "bad_request",
      `${paths[missing[0] as keyof typeof paths]} must be a text of 1 to ${TEXT_MAX} characters`,
    );
  const memo = valueAt(body, "wallet.memo");
  if (memo !== undefined && memo !== null && typeof memo !== "string")
    return refused("bad_request", "wallet.memo must be a text");
  return { ok: true, value: railOf(type, Object.fromEntries(found) as Record<string, string>, memo ?? undefined) };
}

function railOf(type: RailType, text: Record<string, string>, memo: string | undefined): RailForm {
  return {
    type,
    sender: {
      name: text.name as string,
      country: text.country as string,
      type: text.partyType as string,
    },
    destination: text.destination as string,
    memo: type === "FiatToStablecoin" ? memo : undefined,
    asset: text.asset as Asset,
    currency: text.currency as Asset,
    blockchain: text.blockchain as string,
  };
}

function textAt(body: unknown, path: string): string | undefined {
  const value = valueAt(body, path);
  return typeof value === "string" && value.length >= 1 && value.length <= TEXT_MAX ? value : undefined;
}

function valueAt(body: unknown, path: string): unknown {
  let value = body;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
