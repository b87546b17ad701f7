// Resolves relative paths of a configuration against the file that names them, and `credential:NAME` to the file that
// systemd gives to the unit (LoadCredential).

import { resolve } from "node:path";
import type { Environment } from "./environment.ts";
import type { Config } from "./schema.ts";
import { isRecording } from "./section/market.ts";
import { isStrategyFile } from "./section/strategy.ts";

const CREDENTIAL = "credential:";

export function absolutePaths(config: Config, folder: string, environment: Environment = {}): Config {
  const { venue, key, market, strategy, journal, server, notices } = config;
  const { CREDENTIALS_DIRECTORY: given = "/run/credentials/pegbot.service" } = environment;
  const absolute = (path: string): string =>
    path.startsWith(CREDENTIAL) ? resolve(given, path.slice(CREDENTIAL.length)) : resolve(folder, path);
  /** The section with these paths made absolute, if present. */
  const located = <T extends object>(section: T, ...names: readonly (keyof T)[]): T => {
    const given = names.filter((name) => section[name] !== undefined);
    return { ...section, ...Object.fromEntries(given.map((name) => [name, absolute(String(section[name]))])) };
  };
  const { webhook, telegram } = notices;
  const source = market.source && isRecording(market.source) ? absolute(market.source) : market.source;
  return {
    ...config,
    venue: located(venue, "authority"),
    key: key && located(key, "file", "keystore", "passphraseFile"),
    market: {
      ...market,
      ...(source !== undefined && { source }),
      references: market.references.map((feed) =>
        feed.kind === "recorded" || feed.kind === "json" ? located(feed, "file") : feed,
      ),
    },
    strategy: isStrategyFile(strategy.use) ? located(strategy, "use") : strategy,
    journal: located(journal, "path"),
    server: { ...server, ...(server.tls && { tls: located(server.tls, "certFile", "keyFile") }) },
    notices: {
      ...notices,
      webhook: webhook && located(webhook, "urlFile"),
      telegram: telegram && located(telegram, "tokenFile"),
    },
  };
}
