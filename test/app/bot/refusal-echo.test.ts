// A refusal that comes again and again, and the weekend.

import { expect, it } from "vitest";
import { RefusalEcho } from "../../../src/app/bot/announcer.ts";
import { mono } from "../../../src/domain/time.ts";
import type { LogLine } from "../../../src/watch/log.ts";

function heard() {
  const said: LogLine[] = [];
  let seconds = 0;
  const log = (line: LogLine): void => void said.push(line);
  const echo = new RefusalEcho(() => mono(seconds * 1_000), log);
  return {
    /** So many seconds with a look every ten and, every second, what is proposed then. */
    passes(count: number, propose: () => void = () => {}) {
      for (let i = 0; i < count; i++) {
        propose();
        seconds++;
        if (seconds % 10 === 0) echo.look();
      }
    },
    ends: () => echo.look(0),
    refused(symbol: string | undefined, what = "RC09 sources disagree", rule = "RC09", side = "sell") {
      const fields = { rule, side, symbol };
      const line = { level: "info", event: "decision.refused", text: `refused ${symbol}: ${what}`, fields } as const;
      echo.log(line);
    },
    tells(line: LogLine) {
      echo.log(line);
    },
    texts: () =>
      said.splice(0).map(({ text, fields }) => (fields?.more === undefined ? text : `${text} [${fields.more}]`)),
  };
}

it("is said at once, and then once a minute with its last words and how many there were", () => {
  const log = heard();
  let bps = 30;
  log.passes(121, () => log.refused("VCHF/CHF", `RC09 apart by ${++bps}`));
  expect(log.texts()).toEqual([
    "refused VCHF/CHF: RC09 apart by 31",
    "refused VCHF/CHF: RC09 apart by 90 (the last of 59 more in 0:01:00) [59]",
    "refused VCHF/CHF: RC09 apart by 150 (the last of 60 more in 0:01:00) [60]",
  ]);
});

it("is another one of another rule, side or pair, and new again after a minute without any", () => {
  const log = heard();
  log.refused("VCHF/CHF");
  log.refused("VGBP/GBP");
  log.refused("VCHF/CHF", "RC19 pair", "RC19");
  log.refused("VCHF/CHF", "other side", "RC09", "buy");
  log.refused("VCHF/CHF", "said already");
  expect(log.texts()).toHaveLength(4);
  log.passes(60);
  expect(log.texts()).toEqual(["refused VCHF/CHF: said already (the last of 1 more in 0:01:00) [1]"]);
  log.passes(60);
  log.refused("VCHF/CHF", "new");
  expect(log.texts()).toEqual(["refused VCHF/CHF: new"]);
});

it("is said with its count at the end of a run too, once", () => {
  const log = heard();
  log.passes(50, () => log.refused("VGBP/GBP"));
  log.refused("VCHF/CHF");
  log.texts();
  log.ends();
  log.ends();
  expect(log.texts()).toEqual(["refused VGBP/GBP: RC09 sources disagree (the last of 49 more in 0:00:50) [49]"]);
});
