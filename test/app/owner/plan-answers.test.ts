import { expect, test } from "vitest";
import { planAnswers } from "../../../src/app/owner/plan-answers.ts";
import { LineClosed, type OperationLine } from "../../../src/bot/operation-line.ts";
import type { Config } from "../../../src/config/schema.ts";
import { personHere } from "../../../src/operation/person.ts";

test.each([
  ["127.0.0.1", undefined, true],
  ["127.0.0.1", "token", false],
  ["0.0.0.0", undefined, false],
])(
  "on %s with server.reads %s the owner's token stands for the user of this machine: %s",
  async (host, reads, stands) => {
    const reached = new LineClosed("reached the journal");
    const line = { restored: () => Promise.reject(reached) } as unknown as OperationLine;
    const approvals = { people: [], persons: 2 };
    const config = { server: { host, reads }, treasury: { approvals } } as unknown as Config;
    const by = personHere();
    const { decline } = planAnswers({ config, line, killFile: { standing: () => expect.fail("not asked") } });
    const answer = await decline(
      { id: "R-1", digest: "0".repeat(64), by, reason: "no" },
      { by: "api", token: "owner" },
    );
    const refusal = expect.stringContaining("needs a token of that name");
    expect(answer).toEqual({ ok: false, error: stands ? reached.message : refusal });
  },
);
