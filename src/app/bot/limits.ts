// The limits in force in a running bot. On request it reads its configuration again and applies the tighter limits at
// once, with a journal record; wider ones need a restart. Every ten seconds it checks whether the configuration's
// limits differ from those in force.

import { type Core, type MakeCore, replaceLimits } from "../../bot/core.ts";
import { type Environment, environment } from "../../config/environment.ts";
import { limitsOf } from "../../config/limits-of.ts";
import { parseConfig, readConfigText } from "../../config/load.ts";
import type { Config } from "../../config/schema.ts";
import type { Control } from "../../domain/event.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type { ReloadedLimits } from "../../operation/owner.ts";
import { movementLimitsOf } from "../../operation/terms/movement-terms.ts";
import type { Limits } from "../../risk/limits.ts";
import {
  changeText,
  type Difference,
  differences,
  differingLimits,
  limitTexts,
  SAME_LIMITS,
  type Tightened,
  tightened,
} from "../config/limits-in-force.ts";
import { every } from "../system/system-timers.ts";
import type { BotOrder } from "./bot-order.ts";
import type { BotView } from "./view.ts";

const LOOK_MS = 10_000;
const NOT_TAKEN = "not taken over, since it is not tighter: a restart is needed";

type Bot = Pick<BotView, "board" | "say" | "aside"> & {
  readonly tell: (control: Control) => void;
};

export class LimitsInForce {
  /** One object shared by everything that shows the limits: a reload changes it in place. */
  readonly limits: Limits;
  #config: Config;
  readonly #start: Config;
  readonly #reread: (() => Result<Config>) | undefined;
  #bot: Bot | undefined;
  /** The origin of a reload requested before the bot was open. */
  #early: string | undefined;

  constructor({ config, file }: Pick<BotOrder, "config" | "file">, reread = file && rereading(file)) {
    this.#config = config;
    this.#start = config;
    this.#reread = reread || undefined;
    this.limits = { ...limitsOf(config) };
  }

  /** Gives the limits the bot to apply them to; the returned function ends the checks of the file. */
  open(bot: Bot): () => void {
    this.#bot = bot;
    if (this.#reread === undefined) return () => undefined;
    if (this.#early !== undefined) this.reload(this.#early);
    const look = this.watching(bot);
    return every(LOOK_MS, () => bot.aside(look));
  }

  /** Each core is built with the limits of the start; this applies those in force. */
  applied(makeCore: MakeCore): MakeCore {
    return (strategy, saved) => {
      const core = makeCore(strategy, saved);
      this.#apply(core);
      return core;
    };
  }

  reload(by: string): Result<ReloadedLimits> {
    const bot = this.#bot;
    if (bot === undefined) {
      this.#early = by;
      return err("the bot starts");
    }
    const found = this.#read();
    if (!found.ok) {
      bot.say("warn", "limits", `no limit is changed: ${found.error}`);
      return found;
    }
    const { config, taken, rest } = found.value;
    const reloaded = { tighter: taken.map(plain), refused: rest.map(plain) };
    if (rest.length > 0) bot.say("warn", "limits", `${changeText(rest)}: ${NOT_TAKEN}`);
    if (taken.length === 0) {
      bot.say("info", "limits", `${by} asked for a reload: no limit is tighter`);
      return ok(reloaded);
    }
    this.#config = config;
    Object.assign(this.limits, { exit: undefined }, limitsOf(config));
    if (bot.board.tradingCore !== undefined) this.#apply(bot.board.tradingCore);
    bot.tell({ kind: "limits", by, changed: changeText(taken) });
    return ok(reloaded);
  }

  /**
   * Returns a check to be called periodically: it reports once when the configuration's limits differ, and once when
   * they agree again.
   */
  watching({
    board,
    say,
  }: Pick<BotView, "say"> & { readonly board: Pick<BotView["board"], "limitsDiffer"> }): () => void {
    let known: string | undefined;
    return () => {
      const now = this.#reread?.();
      // While the file is being written or has a mistake, its limits are unknown.
      if (now?.ok !== true) return;
      const found = differingLimits(limitTexts(this.#config), limitTexts(now.value));
      if (found === known) return;
      known = found;
      board.limitsDiffer(found);
      if (found === undefined) say("info", "limits", "the configuration has the limits of the running bot again");
      else say("warn", "limits", `${found}: ${SAME_LIMITS}`);
    };
  }

  #read(): Result<Tightened & { readonly rest: readonly Difference[] }> {
    const read = this.#reread?.() ?? err("the bot was started without a configuration file");
    if (!read.ok) return read;
    const configured = limitTexts(read.value);
    const found = tightened(this.#config, configured);
    if (!found.ok) return found;
    return ok({ ...found.value, rest: differences(limitTexts(found.value.config), configured) });
  }

  #apply(core: Pick<Core, "gate" | "movements">): void {
    if (this.#config !== this.#start) replaceLimits(core, limitsOf(this.#config), movementLimitsOf(this.#config));
  }
}

function plain({ name, from, to, is }: Difference): ReloadedLimits["tighter"][number] {
  return { name, from: from ?? null, to: to ?? null, is };
}

/** The configuration as a start would read it, with the variables of this one. */
export function rereading(file: string, variables: Environment = environment()): () => Result<Config> {
  return () => {
    const text = readConfigText(file);
    if (!text.ok) return err(`${file} cannot be read`);
    const parsed = parseConfig(text.value, file, variables);
    return parsed.ok ? ok(parsed.value.config) : err(`${file} has mistakes: pegbot config check names them`);
  };
}
