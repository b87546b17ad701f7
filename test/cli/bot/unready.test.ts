import { expect, it } from "vitest";
import { unreadyReasons } from "../../../src/cli/bot/unready.ts";
import { statusAt } from "../../dashboard/stage.ts";

it("a bot is not ready while everything is frozen, and is with some assets frozen", () => {
  const ready = unreadyReasons(statusAt({ frozen: "VCHF: one outcome is unknown" }), undefined);
  const frozen = unreadyReasons(statusAt({ frozen: "everything: a person must decide" }), undefined);
  expect(frozen).toEqual([...ready, "frozen everything: a person must decide"]);
  expect(ready).toEqual([]);
});
