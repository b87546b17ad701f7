// The order for one run of the bot: configuration and flags.

import type { Config } from "../../config/schema.ts";
import type { LogLevel } from "../../watch/log.ts";
import type { Tuning } from "../key/join-budget.ts";

export type BotOrder = {
  readonly config: Config;
  /** The configuration file; absent if there was none. */
  readonly file?: string;
  readonly port: number;
  /** The port was not chosen explicitly: if it is taken, any free one is used. */
  readonly anyPort?: boolean;
  readonly watch: boolean;
  /** The strategy begins anew where its state does not fit. */
  readonly freshState?: boolean;
  /** JSON log lines even on a terminal. */
  readonly logJson: boolean;
  readonly logLevel: LogLevel;
  readonly durationMs: number | undefined;
  readonly tuning?: Tuning;
  /** Called when key, books and, in live mode, every condition are in place: trading starts now. */
  readonly onOpen?: () => void;
};
