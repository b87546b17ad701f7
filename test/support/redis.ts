// A real Redis for a test, on a free port of loopback, in a folder of its own. Tests that start one begin with
// needs("redis-server").

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import { selfSigned } from "./certificate.ts";
import { type Program, start, until } from "./program.ts";

export type RedisStage = {
  readonly port: number;
  readonly program: Program;
  /** Of the certificate that it shows, for NODE_EXTRA_CA_CERTS. */
  readonly certificate: string;
  /** To look at it from outside. */
  readonly client: () => Redis;
};

export type RedisSetting = { readonly password?: string; readonly tls?: true };

export async function startRedis({ password, tls }: RedisSetting = {}): Promise<RedisStage> {
  const folder = mkdtempSync(join(tmpdir(), "pegbot-redis-"));
  const port = await freePort();
  const { cert, key } = selfSigned({
    names: ["localhost", "127.0.0.1"],
    from: new Date(Date.now() - 86_400_000),
    to: new Date(Date.now() + 86_400_000),
  });
  const certificate = join(folder, "cert.pem");
  writeFileSync(certificate, cert);
  writeFileSync(join(folder, "key.pem"), key, { mode: 0o600 });
  const files = ["--tls-cert-file", certificate, "--tls-key-file", join(folder, "key.pem"), "--tls-auth-clients", "no"];
  const program = start("redis-server", [
    ...["--bind", "127.0.0.1", "--save", "", "--dir", folder, "--daemonize", "no"],
    ...(tls ? ["--port", "0", "--tls-port", String(port), ...files] : ["--port", String(port)]),
    ...(password === undefined ? [] : ["--requirepass", password]),
  ]);
  onTestFinished(async () => {
    program.kill("SIGKILL");
    await program.ended();
    rmSync(folder, { recursive: true });
  });
  await until(
    () => program.lines().some((line) => /Ready to accept connections/.test(line)),
    "redis-server to be ready",
  );
  const client = (): Redis => {
    const redis = new Redis({
      port,
      ...(password === undefined ? {} : { password }),
      ...(tls ? { tls: { ca: cert } } : {}),
    });
    onTestFinished(() => redis.disconnect());
    return redis;
  };
  return { port, program, certificate, client };
}

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
