// `config check`: the mistakes are the result, so they go to stdout. Named files are checked as well: a strategy that
// cannot be loaded is a mistake, a missing file is only reported.

import { existsSync } from "node:fs";
import type { Command } from "commander";
import { loadStrategy } from "../../app/bot/load-strategy.ts";
import { oddities, sleeper } from "../../app/config/oddities.ts";
import { isEmbedded } from "../../app/config/paper-place.ts";
import type { Run, Shell } from "../../app/shell.ts";
import { environment } from "../../config/environment.ts";
import { type Loaded, loadConfig } from "../../config/load.ts";
import { type Mistake, mistakeLine } from "../../config/mistake.ts";
import type { Config } from "../../config/schema.ts";
import { isRecording } from "../../config/section/market.ts";
import { whyNoPlace } from "../../disk/create-folder.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import type { Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Strategy } from "../../strategy/prepare.ts";

export function defineCheck(command: Command, run: Run): void {
  command.action(() => run(checkConfig));
}

export async function checkConfig({ terminal, configFile }: Shell): Promise<ExitCode> {
  const loaded = loadConfig(configFile, environment());
  const strategy = loaded.ok ? await loadStrategy(loaded.value.config.strategy) : undefined;
  const mistakes = loaded.ok ? strategyMistakes(loaded.value, strategy) : loaded.error;
  const isRight = loaded.ok && mistakes.length === 0;
  const missing = loaded.ok ? missingFiles(loaded.value.config) : [];
  const warnings = loaded.ok ? warningsOf(loaded.value.config, strategy) : [];
  if (terminal.wantsJson) terminal.json({ file: configFile, ok: isRight, mistakes, missing, warnings });
  else if (isRight)
    terminal.print(
      `${printable(configFile)} is ${terminal.style("green", "right")}: ${printable(summary(loaded.value), 1000)}`,
    );
  else for (const mistake of mistakes) terminal.print(mistakeLine(configFile, mistake));
  if (terminal.wantsJson) return isRight ? exitCode.done : exitCode.usage;
  for (const warning of warnings) terminal.note(`warning: ${printable(warning, 1000)}`);
  for (const { key, path } of missing)
    terminal.note(`${key}: there is no file ${printable(path, 1000)}; the bot does not start without it`);
  return isRight ? exitCode.done : exitCode.usage;
}

function warningsOf(config: Config, strategy: Result<Strategy> | undefined): readonly string[] {
  return [...oddities(config), ...(strategy?.ok ? sleeper(config, strategy.value) : []), ...journalTrouble(config)];
}

const NO_START = "the bot does not start here";

/** Reported, but not a mistake: the configuration may be for another machine. */
function journalTrouble(config: Config): readonly string[] {
  const { path } = config.journal;
  const why = whyNoPlace(path);
  return [...(why === undefined ? [] : [`journal.path is ${path}: ${why}; ${NO_START}`])];
}

function strategyMistakes({ originOf }: Loaded, strategy: Result<Strategy> | undefined): readonly Mistake[] {
  if (strategy === undefined || strategy.ok) return [];
  const isAboutParams = strategy.error.includes(": params");
  const origin = (isAboutParams ? originOf(["strategy", "params"]) : undefined) ?? originOf(["strategy", "use"]);
  const where = { place: undefined, variable: undefined, ...origin };
  return [{ text: strategy.error, ...where }];
}

function summary({ config }: Loaded): string {
  const { mode, venue, strategy, risk } = config;
  const where = venue.baseUrl ?? "the embedded simulator";
  const limits = risk === undefined ? "no limits of its own" : `limits for ${risk.symbols.join(", ")}`;
  return `${mode} mode on ${where} (${venue.environment}), strategy ${strategy.use}, ${limits}`;
}

// Files that the configuration names and that do not exist. They are reported but are not mistakes, because a
// configuration may be written before its keys, or on another machine; a start refuses them.

type MissingFile = { readonly key: string; readonly path: string };

function missingFiles(config: Config): readonly MissingFile[] {
  return namedFiles(config).flatMap(([key, path]) => (path === undefined || existsSync(path) ? [] : [{ key, path }]));
}

function namedFiles(config: Config): readonly (readonly [string, string | undefined])[] {
  const { market, server, notices } = config;
  const { source, references } = market;
  // The embedded simulator's account has its own key.
  const key = isEmbedded(config) ? undefined : config.key;
  return [
    ["venue.authority", config.venue.authority],
    ["key.file", key?.file],
    ["key.keystore", key?.keystore],
    ["key.passphraseFile", key?.passphraseFile],
    ["market.source", source !== undefined && isRecording(source) ? source : undefined],
    ...references.map((feed) => ["market.references", "file" in feed ? feed.file : undefined] as const),
    ["server.tls.certFile", server.tls?.certFile],
    ["server.tls.keyFile", server.tls?.keyFile],
    ["notices.webhook.urlFile", notices.webhook?.urlFile],
    ["notices.telegram.tokenFile", notices.telegram?.tokenFile],
  ];
}
