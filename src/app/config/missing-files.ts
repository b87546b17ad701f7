// Files that a configuration names and that are not there. A configuration may be written before its keys are, and on another
// machine, so they are told and are no mistakes; a start refuses by itself.

import { existsSync } from "node:fs";
import type { Config } from "../../config/schema.ts";
import { isRecording } from "../../config/section/market.ts";
import { isEmbedded } from "../paper/paper-place.ts";

export type MissingFile = { readonly key: string; readonly path: string };

export function missingFiles(config: Config): readonly MissingFile[] {
  return namedFiles(config).flatMap(([key, path]) => (path === undefined || existsSync(path) ? [] : [{ key, path }]));
}

function namedFiles(config: Config): readonly (readonly [string, string | undefined])[] {
  const { market, server, notices } = config;
  const { source, references } = market;
  // The embedded simulator's account has a key of its own.
  const key = isEmbedded(config) ? undefined : config.key;
  return [
    ["key.file", key?.file],
    ["key.keystore", key?.keystore],
    ["key.passphraseFile", key?.passphraseFile],
    ["market.source", source !== undefined && isRecording(source) ? source : undefined],
    ...references.map((feed) => ["market.references", feed.kind === "recorded" ? feed.file : undefined] as const),
    ["server.tls.certFile", server.tls?.certFile],
    ["server.tls.keyFile", server.tls?.keyFile],
    ["notices.webhook.urlFile", notices.webhook?.urlFile],
    ["notices.telegram.tokenFile", notices.telegram?.tokenFile],
    ["notices.email.passwordFile", notices.email?.passwordFile],
  ];
}
