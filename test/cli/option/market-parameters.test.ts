// `--market` of research, and `--param` of `data generate`, beside the flags that set several at once.

import { expect, test } from "vitest";
import { marketParameters } from "../../../src/cli/option/market-parameters.ts";
import { millis } from "../../../src/domain/time.ts";

const TO = millis(Date.UTC(2026, 1, 1));

test.each([
  ["pegs.VCHF.deviationBps=20", { edge: false }, "--no-edge"],
  ["stress.chancePerDay=1", { edge: false }, "--no-edge"],
  ["pairs.VCHF/CHF.noiseBps=3", { edge: false }, "--no-edge"],
  ["weekendCloses=false", { edge: true, weekends: true }, "--weekends"],
] as const)("%s is refused beside %o, which would take it back without a word", (setting, flags, flag) => {
  expect(() => marketParameters("--market", [setting], flags, TO)).toThrow(
    `--market ${setting} and ${flag} contradict each other`,
  );
});

test.each([
  ["pegs.VCHF.deviationBps=0", { edge: false }],
  ["pairs.VCHF/CHF.halfSpreadBps=3", { edge: false }],
  ["weekendCloses=true", { edge: true, weekends: true }],
] as const)("%s goes together with %o", (setting, flags) => {
  expect(() => marketParameters("--market", [setting], flags, TO)).not.toThrow();
});
