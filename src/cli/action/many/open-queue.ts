// The queue that a person named, ready to be used, or the reason why not. Its password comes from the environment and
// is shown nowhere.

import { hostname } from "node:os";
import { type AddressPolicy, parseQueueAddress, type QueueAddress } from "../../../../backtest/search/queue/address.ts";
import { environment } from "../../../config/environment.ts";
import { CommandFailure } from "../../command-failure.ts";
import { exitCode } from "../../exit-code.ts";

export type QueueFlags = {
  readonly queue: string;
  readonly insecureQueue?: string;
};

export function queueAddress({ queue, insecureQueue }: QueueFlags): QueueAddress {
  const given = environment().PEGBOT_QUEUE_PASSWORD;
  const policy: AddressPolicy = { password: given === "" ? undefined : given, insecureHost: insecureQueue };
  const address = parseQueueAddress(queue, policy);
  if (!address.ok) throw new CommandFailure(exitCode.usage, `--queue ${address.error}`);
  return address.value;
}

/** For people who look who is at a queue. */
export function ownName(): string {
  return `${hostname()}:${process.pid}`;
}

/** Whatever a queue says when it cannot be used is a failure and no bug. */
export function queueFailure(error: unknown): CommandFailure {
  return new CommandFailure(exitCode.failed, error instanceof Error ? error.message : String(error));
}
