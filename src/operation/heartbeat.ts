import { z } from "zod";
import { ok } from "../domain/result.ts";
import { printable } from "../domain/sanitise.ts";
import { moment } from "../watch/status.ts";
import { operation } from "./operation.ts";

const person = z.string().trim().min(1).max(64);

export const heartbeat = operation({
  name: "heartbeat",
  sentence: "Sending is still wanted, where `risk.heartbeatMsMax` asks for it",
  scope: "halt",
  input: z.strictObject({ by: person.meta({ description: "who says so: a name, a watchdog" }) }),
  answer: z.object({ at: moment }),
  failure: { status: 409, description: "not heard: the bot does not trade yet" },
  async act(owner, input, { by }) {
    const heard = await owner.heartbeat(input.by === by ? by : `${printable(input.by)} (${by})`);
    return heard.ok ? ok({ at: heard.value }) : heard;
  },
});
