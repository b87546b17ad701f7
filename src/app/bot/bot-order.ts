// What a run of the bot is asked to be.

import type { Config } from "../../config/schema.ts";
import type { LogLevel } from "../../watch/log.ts";
import type { Tuning } from "../key/join-budget.ts";

export type BotOrder = {
  readonly config: Config;
  /** What it was read from, where that was a file. */
  readonly file?: string;
  readonly port: number;
  /** Nobody asked for just this port: when it is taken, a free one will do. */
  readonly anyPort?: boolean;
  readonly watch: boolean;
  /** JSON lines also on a terminal. */
  readonly logJson: boolean;
  readonly logLevel: LogLevel;
  readonly durationMs: number | undefined;
  readonly tuning?: Tuning;
  /** Key, books and, of real money, every condition are there: from here on it trades. */
  readonly onOpen?: () => void;
};
