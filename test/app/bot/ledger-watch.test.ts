// A bot without the ledger of its key can ask and send nothing: it halts, and says which folder it is.

import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ledgerWatch } from "../../../src/app/owner/open-owner.ts";
import type { Control } from "../../../src/domain/event.ts";
import { millis, mono } from "../../../src/domain/time.ts";
import { KeyFile } from "../../../src/exchange/budget/key-file.ts";
import { pacingDefaults } from "../../../src/exchange/budget/pacing.ts";
import { FRESH, RESUME, type TradingState, transition } from "../../../src/risk/trading-state.ts";

test("a ledger whose folder is moved away halts the bot once, and again after a resume that brings nothing back", () => {
  const root = mkdtempSync(join(tmpdir(), "pegbot-ledger-"));
  const [folder, away] = [mkdtempSync(join(root, "key-")), join(root, "away")];
  const store = new KeyFile(
    join(folder, "key.db"),
    { clock: { now: () => millis(0), monotonic: () => mono(0) }, host: { boot: "boot", monotonic: () => mono(0) } },
    { pacing: pacingDefaults, environment: undefined, isTrial: false },
  );
  onTestFinished(() => {
    store.close();
    rmSync(root, { recursive: true });
  });
  let standing: TradingState = FRESH;
  const told: Control[] = [];
  const look = ledgerWatch(
    store,
    () => standing,
    (control) => void told.push(control),
  );
  const looked = (): number => {
    for (let i = 0; i < 3; i++) look();
    return told.length;
  };
  expect(looked()).toBe(0);
  renameSync(folder, away);
  expect(looked()).toBe(1);
  expect(told[0]).toEqual({
    kind: "halt",
    cause: "journal",
    subject: "ledger",
    reason: `the file of the key is gone: ${folder} was moved or deleted, or a file in it was cut, while in use, so that nothing can be asked or sent`,
    wayOut: `end the bot, put the folder back in place of what stands there now, start it again, then ${RESUME}`,
  });
  standing = transition(FRESH, told[0] as Control, millis(1));
  expect([standing.state, looked()]).toEqual(["HALTED", 1]);
  standing = FRESH;
  expect(looked()).toBe(2);
});
