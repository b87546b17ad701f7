// Relative paths of a configuration are relative to the file that names them.

import { resolve } from "node:path";
import type { Config } from "./schema.ts";
import { isRecording } from "./section/market.ts";
import { isStrategyFile } from "./section/strategy.ts";

export function absolutePaths(config: Config, folder: string): Config {
  const { key, market, strategy, journal, server, notices } = config;
  const absolute = (path: string): string => resolve(folder, path);
  const { webhook, telegram, email } = notices;
  return {
    ...config,
    key: key && {
      ...key,
      ...(key.file !== undefined && { file: absolute(key.file) }),
      ...(key.keystore !== undefined && { keystore: absolute(key.keystore) }),
      ...(key.passphraseFile !== undefined && { passphraseFile: absolute(key.passphraseFile) }),
    },
    market: {
      ...market,
      ...(market.source && isRecording(market.source) && { source: absolute(market.source) }),
      references: market.references.map((feed) =>
        feed.kind === "recorded" ? { ...feed, file: absolute(feed.file) } : feed,
      ),
    },
    strategy: { ...strategy, use: isStrategyFile(strategy.use) ? absolute(strategy.use) : strategy.use },
    journal: { ...journal, path: absolute(journal.path) },
    server: {
      ...server,
      ...(server.tls && { tls: { certFile: absolute(server.tls.certFile), keyFile: absolute(server.tls.keyFile) } }),
    },
    notices: {
      ...notices,
      webhook: webhook && { ...webhook, ...(webhook.urlFile && { urlFile: absolute(webhook.urlFile) }) },
      telegram: telegram && { ...telegram, ...(telegram.tokenFile && { tokenFile: absolute(telegram.tokenFile) }) },
      email: email && { ...email, ...(email.passwordFile && { passwordFile: absolute(email.passwordFile) }) },
    },
  };
}
