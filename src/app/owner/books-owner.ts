// The owner of a key for a decision that needs no venue: lock, journal and books, with the fingerprint that the journal
// states, so that a stop can be lifted even if key and venue are out of reach.

import { randomUUID } from "node:crypto";
import { concatMap, map } from "rxjs";
import { Engine } from "../../bot/engine.ts";
import { createJournaledEngine } from "../../bot/journaled-engine.ts";
import { type Done, OperationLine } from "../../bot/operation-line.ts";
import { pipelineDefaults } from "../../bot/pipeline-settings.ts";
import { restoreFrom } from "../../bot/snapshot.ts";
import { IDLE } from "../../bot/strategy-host/strategy-state.ts";
import type { Config } from "../../config/schema.ts";
import { plainFailure } from "../../domain/command-failure.ts";
import { BRIEFLY } from "../../journal/file/inspect.ts";
import { openJournal } from "../../journal/open-journal.ts";
import { personHere } from "../../operation/person.ts";
import { botTime } from "../journal/bot-time.ts";
import { requireOpening } from "../journal/open-reader.ts";
import { joinBudget, newInstance } from "../key/join-budget.ts";
import { openKillFile } from "../kill-switch/kill-file.ts";
import type { Shell } from "../shell.ts";
import { createClosing } from "../system/closing.ts";
import { timerScheduler } from "../system/scheduler.ts";
import { systemTimers } from "../system/system-timers.ts";
import { versionText } from "../version.ts";
import { asked, failedLine } from "./answer.ts";
import { coreOf, ownerBoard } from "./core-of.ts";
import type { AskedAlone } from "./headless.ts";
import { ownerOf } from "./owner-of.ts";
import { snapshotsOf } from "./snapshots.ts";

export async function openBooksOwner(shell: Shell, { config }: { readonly config: Config }): Promise<AskedAlone> {
  const closing = createClosing();
  const close = async (): Promise<void> => void (await closing.all());
  try {
    const { path } = config.journal;
    const { opening } = requireOpening(path);
    const instance = newInstance();
    const budget = await joinBudget(shell, { fingerprint: opening.account }, path, { patienceMs: 0 });
    closing.add(() => budget.close());
    const clock = botTime(shell.clock, budget.file);
    // Whichever key it belongs to; it verifies what a start verifies.
    const opened = openJournal({
      ...{ path, environment: opening.environment, account: opening.account, writer: instance, absent: "refuse" },
      ...{ codeVersion: versionText(), newChainId: randomUUID, clock: shell.clock, settings: BRIEFLY },
    });
    if (!opened.ok) throw plainFailure(opened.error.message);
    const journal = opened.value;
    closing.add(() => journal.close());
    const killFile = openKillFile(path);
    const line = new OperationLine();
    const ledger = () => budget.file.status(budget.waiting);
    const board = ownerBoard({ clock, config, environment: opening.environment, journal, ledger });
    const makeCore = coreOf(config, instance, personHere());
    const snapshots = snapshotsOf({ journal, path, config }, clock, (text) => shell.terminal.note(text));
    const journaled = createJournaledEngine({
      journal,
      restored: () => restoreFrom((saved) => new Engine(makeCore(IDLE, saved), pipelineDefaults), journal, snapshots),
      followState: () => undefined,
      now: () => ({ at: clock.now(), mono: clock.monotonic() }),
      scheduler: timerScheduler(clock, systemTimers),
      // It is not tried again: the caller gets the error at once.
      onTrouble: (error) => error && line.close(error.message),
      watch: {},
      retryMs: pipelineDefaults.retryMs,
    });
    if (!journaled.ok) throw plainFailure(`journal ${path}: ${journaled.error.message}`);
    const { commit } = journaled.value;
    board.watcher.core(journaled.value.engine);
    const turns = line.inputs$.pipe(concatMap((input) => commit(input).pipe(map((turn): Done => ({ input, turn })))));
    const running = turns.subscribe((done) => line.done(done));
    closing.add(() => running.unsubscribe());
    const kill = async (reason: string, by: string): Promise<undefined> => {
      await line.take({ kind: "control", control: { kind: "kill", reason, by } });
    };
    const killSwitch = { standing: killFile.standing, kill };
    const owner = ownerOf({ config, line, killFile, clock, board, killSwitch });
    return { ask: (name, request) => asked(owner, name, request).catch(failedLine), close };
  } catch (error) {
    await close();
    throw error;
  }
}
