// A recording that a configuration names.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { recordOpener } from "../../../src/app/bot/open-record.ts";
import { wantedRecording } from "../../../src/app/paper/recorded-market.ts";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import { temporaryFolder } from "../../journal/place.ts";
import { recordedShell } from "../../support/recorded-shell.ts";

const NEXT = "a configuration has no such options: pegbot data import has them, and writes a file that needs none";

test.each([
  ["prices.csv", "time,bid,ask\n2026-01-01T00:00:00Z,1,1.001\n", "the pair must be declared (--pair does)"],
  ["VCHF-CHF.csv", "time;bid;ask\n2026-01-01T00:00:00Z;1,0;1,001\n", "that must be declared (--decimal-comma does)"],
])("whose file %s needs a declaration names the command that has the options for it", async (name, text, why) => {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  const config = { market: { source: path } } as Parameters<typeof wantedRecording>[1];
  const refusal = { message: expect.stringContaining(why), code: 2, next: NEXT };
  await expect(wantedRecording(recordedShell(), config)).rejects.toMatchObject(refusal);
  const symbols = ["VCHF/CHF", "VGBP/GBP"] as PairSymbol[];
  await expect(recordOpener(recordedShell())(path, symbols)).rejects.toMatchObject(refusal);
});
