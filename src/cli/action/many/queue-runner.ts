// The runner of a search on a queue: what its trials name is sent there first.

import { randomUUID } from "node:crypto";
import type { CodeIdentity } from "../../../../backtest/search/identity.ts";
import { openLink } from "../../../../backtest/search/queue/connection.ts";
import { openQueueRunner, type QueueRunner, runnerDefaults } from "../../../../backtest/search/queue/runner.ts";
import { sendColumns, sendStrategy } from "../../../../backtest/search/queue/transfer.ts";
import type { Shell } from "../../shell.ts";
import { systemTimers } from "../../system/system-timers.ts";
import type { BaseTrial } from "./base-trial.ts";
import { ownName, type QueueFlags, queueAddress, queueFailure } from "./open-queue.ts";

export async function openQueue(
  { terminal }: Pick<Shell, "terminal">,
  flags: QueueFlags,
  { ground, bundle }: BaseTrial,
  code: CodeIdentity,
): Promise<QueueRunner> {
  const address = queueAddress(flags);
  try {
    const link = await openLink(address);
    try {
      for (const columns of ground.columns) await sendColumns(link, columns);
      if (bundle !== undefined) await sendStrategy(link, bundle);
      const presence = { role: "sweep", name: ownName(), code, strategyFiles: bundle !== undefined } as const;
      const runner = await openQueueRunner(address, randomUUID(), {
        link,
        presence,
        timers: systemTimers,
        tell: (line) => terminal.note(line),
        settings: runnerDefaults,
      });
      return {
        inFlightMax: runner.inFlightMax,
        run: (trial) => runner.run(trial),
        async close() {
          await runner.close();
          await link.close();
        },
      };
    } catch (error) {
      await link.close();
      throw error;
    }
  } catch (error) {
    throw queueFailure(error);
  }
}
