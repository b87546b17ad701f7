// The certificate of the page, renewed while the bot runs.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect, test } from "vitest";
import { selfSigned } from "../../support/certificate.ts";
import { botFolder, logged } from "./bot-process.ts";

const DAY_MS = 86_400_000;
const names = ["bot.example"];
const certificate = () => selfSigned({ names, from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + DAY_MS) });

test("a renewed certificate is taken over without a restart, and half of one is not", async (context) => {
  const bot = botFolder(context);
  const write = (name: string, text: string): void => writeFileSync(join(bot.folder, name), text, { mode: 0o600 });
  const [first, second] = [certificate(), certificate()];
  write("cert.pem", first.cert);
  write("tls.key", first.key);
  const server = { reads: "token", names, tls: { certFile: "cert.pem", keyFile: "tls.key" } };
  write("pegbot.yaml", JSON.stringify({ mode: "paper", server }));
  const program = bot.pegbot("run", "--port", "0");
  await logged(program, /listening on https/);
  const port = Number(/listening on https:\S+:(\d+)\//.exec(program.stderr())?.[1]);
  const isServed = (ca: string): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect({ host: "127.0.0.1", port, servername: "bot.example", ca }, () => resolve(true));
      socket.on("error", () => resolve(false)).on("secureConnect", () => socket.destroy());
    });
  expect([await isServed(first.cert), await isServed(second.cert)]).toEqual([true, false]);
  write("cert.pem", second.cert);
  await logged(program, /key values mismatch/);
  expect(await isServed(first.cert)).toBe(true);
  write("tls.key", second.key);
  await logged(program, /took over the renewed certificate/);
  expect([await isServed(first.cert), await isServed(second.cert)]).toEqual([false, true]);
});
