// Whether the configuration that a bot was started from still has the limits that it goes by. It takes none over: it says so once
// when they differ, and once when they are the same again, and whoever looks at it meanwhile finds it.

import { type Environment, environment } from "../../../config/environment.ts";
import { readConfigText } from "../../../config/file.ts";
import { parseConfig } from "../../../config/load.ts";
import type { Config } from "../../../config/schema.ts";
import { differingLimits, limitTexts } from "../../config/limits-in-force.ts";
import { every } from "../../system/every.ts";
import type { BotOrder } from "../bot-order.ts";
import type { BotView } from "../shown/view.ts";

const LOOK_MS = 10_000;

/** The function it gives back ends it. */
export function watchLimits(
  { config, file }: Pick<BotOrder, "config" | "file">,
  { board, say, aside }: Pick<BotView, "board" | "say" | "aside">,
): () => void {
  if (file === undefined) return () => undefined;
  const look = limitsWatch(config, rereading(file), {
    differ: board.limitsDiffer,
    say: (level, text) => say(level, "limits", text),
  });
  return every(LOOK_MS, () => aside(look));
}

type Told = {
  /** Each limit that differs, with both values; undefined while none does. */
  readonly differ: (text: string | undefined) => void;
  readonly say: (level: "info" | "warn", text: string) => void;
};

/**
 * To be called now and then. `reread`: the configuration as a start would read it; undefined while that would be refused, so that nobody
 * knows what it is to be.
 */
export function limitsWatch(config: Config, reread: () => Config | undefined, told: Told): () => void {
  const own = limitTexts(config);
  let known: string | undefined;
  return () => {
    const now = reread();
    if (now === undefined) return;
    const found = differingLimits(own, limitTexts(now));
    if (found === known) return;
    known = found;
    told.differ(found);
    if (found === undefined) told.say("info", "the configuration has the limits again that the bot goes by");
    else told.say("warn", `${found}: ${UNTIL_RESTART}`);
  };
}

const UNTIL_RESTART =
  "the configuration's count from the next start on; until then orders, mints and rails by command are refused";

/** Parsed only when its text is another than the last time. */
export function rereading(file: string, variables: Environment = environment()): () => Config | undefined {
  let last: string | undefined;
  let config: Config | undefined;
  return () => {
    const text = readConfigText(file);
    if (!text.ok) return undefined;
    if (text.value === last) return config;
    last = text.value;
    const parsed = parseConfig(last, file, variables);
    config = parsed.ok ? parsed.value.config : undefined;
    return config;
  };
}
