// A refusal that comes again and again.

import { expect, it } from "vitest";
import { refusalEcho } from "../../../src/app/bot/announcer.ts";
import { mono } from "../../../src/domain/time.ts";
import type { LogLine } from "../../../src/watch/log.ts";

function heard() {
  const said: LogLine[] = [];
  let seconds = 0;
  const log = refusalEcho(
    () => mono(seconds * 1_000),
    (line) => void said.push(line),
  );
  return {
    pass(count: number) {
      seconds += count;
    },
    refused(symbol: string, text: string, rule = "RC09", side = "sell") {
      log({ level: "info", event: "decision.refused", text, fields: { rule, side, symbol } });
    },
    texts: () => said.splice(0).map(({ text, fields }) => [text, fields?.more]),
  };
}

it("is logged at once, and then once a minute with how many were left out", () => {
  const log = heard();
  for (let bps = 31; bps < 152; bps++) {
    log.refused("VCHF/CHF", `apart by ${bps}`);
    log.pass(1);
  }
  expect(log.texts()).toEqual([
    ["apart by 31", undefined],
    ["apart by 91 (and 59 before)", 59],
    ["apart by 151 (and 59 before)", 59],
  ]);
});

it("is another one of another rule, side or pair", () => {
  const log = heard();
  log.refused("VCHF/CHF", "one");
  log.refused("VGBP/GBP", "another pair");
  log.refused("VCHF/CHF", "another rule", "RC19");
  log.refused("VCHF/CHF", "another side", "RC09", "buy");
  log.refused("VCHF/CHF", "the same");
  expect(log.texts().map(([text]) => text)).toEqual(["one", "another pair", "another rule", "another side"]);
});
