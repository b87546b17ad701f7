// Which plans of the bot wait for a person: each bound of treasury.approvals, at it and one unit beyond.

import { expect, test } from "vitest";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { whyAsked } from "../../src/treasury/approval/bounds.ts";
import type { PlanStep } from "../../src/treasury/plan/path.ts";

const BOUNDS = {
  ...{ costBpsMax: 100, orderValueMax: Quantity.of("5000") },
  ...{ mintValueMax: undefined, railValueMax: undefined, dayValueMax: Quantity.of("100000") },
};

test("without asking goes what is at a bound, and nothing beyond one, whichever it is", () => {
  const money = (text: string, asset = "CHF"): Money => Money.of(text, asset as Asset);
  const why = (change: object = {}, bounds: object = {}, before: readonly Money[] = []): string | undefined => {
    const route = { name: "a step" };
    const step = {
      route,
      value: money("5000"),
      lost: money("50"),
      via: { kind: "order" },
      cost: money("50"),
      ...change,
    } as unknown as PlanStep;
    return whyAsked([step], { ...BOUNDS, ...bounds }, before);
  };
  expect([why(), why({ lost: money("-1") }), why({}, {}, [money("95000")])]).toEqual([undefined, undefined, undefined]);
  expect(why({ value: money("5000.01") })).toBe("a step is worth 5,000.01 CHF, orderValueMax is 5000");
  expect(why({ lost: money("50.01") })).toBe("a step loses 50.01 CHF, 100.0 bp of its worth, costBpsMax is 100");
  expect(why({}, {}, [money("95000.01")])).toBe("with it 100,000.01 CHF are moved today, dayValueMax is 100000");
  expect(why({}, {}, [money("1", "EUR")])).toBe("what was moved today is not counted in CHF");
  expect(why({}, { dayValueMax: undefined })).toBe("without dayValueMax nothing is moved unasked");
  for (const [kind, key] of [
    ["order", "orderValueMax"],
    ["mint", "mintValueMax"],
    ["on-ramp", "railValueMax"],
    ["off-ramp", "railValueMax"],
  ] as const) {
    const via = { kind };
    const most = (text: string | undefined) => ({ [key]: text === undefined ? undefined : Quantity.of(text) });
    expect(why({ via }, most("5000"))).toBeUndefined();
    expect(why({ via }, most("4999.99"))).toBe(`a step is worth 5,000.00 CHF, ${key} is 4999.99`);
    expect(why({ via }, most(undefined))).toBe(`a step: without ${key} every such step is asked for`);
  }
});
