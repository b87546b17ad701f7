// Tokens of the control API next to a running bot: given and taken without a restart, one file a token.

import { readFileSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { botFolder, logged } from "../app/bot/bot-process.ts";
import { startHost } from "./command-host.ts";

test("a running bot goes by each change of its tokens at once, and names the one that acted", async (context) => {
  const bot = botFolder(context);
  const host = startHost(bot.folder, { HOME: bot.folder, XDG_STATE_HOME: join(bot.folder, "state") });
  context.onTestFinished(() => host.end());
  const program = bot.pegbot("start", "--port", "0");
  await logged(program, /listening on http/);
  const url = /listening on (http:\S+\/)/.exec(program.stderr())?.[1] ?? "";
  const command = async (...args: string[]): Promise<readonly [number | null, string]> => {
    const { code, stdout } = await host.run("token", ...args);
    return [code, stdout.trimEnd()];
  };
  const given = async (...args: string[]): Promise<string> => {
    const [code, token] = await command(...args);
    expect([code, token]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    return token;
  };
  const asked = async (token: string, path: string, body?: object): Promise<Response> => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    return fetch(`${url}api/${path}`, { headers, ...post });
  };
  const ask = async (...what: Parameters<typeof asked>): Promise<number> => (await asked(...what)).status;
  const halt = { reason: "by token" };

  const first = await given("add", "grafana");
  expect([await ask(first, "status"), await ask(first, "halt", halt)]).toEqual([200, 403]);
  const ops = await given("add", "ops", "--scope", "halt");
  expect(await command("list")).toEqual([0, "approve  owner\nread     grafana\nhalt     ops"]);
  expect(await command("revoke", "grafana")).toEqual([0, "the token of grafana no longer counts"]);
  expect(await ask(first, "status")).toBe(401);
  expect(await ask(ops, "halt", halt)).toBe(200);
  const [path, owner] = [`${bot.journal}.token`, readFileSync(`${bot.journal}.token`, "utf8").trim()];
  rmSync(path);
  expect([await ask(owner, "status"), await ask(readFileSync(path, "utf8").trim(), "status")]).toEqual([401, 200]);
  for (const refused of [
    ["revoke", "owner"],
    ["add", "ops"],
    ["revoke", "none"],
    ["add", "a b"],
    ["add"],
    ["rotate", "a"],
  ])
    expect((await command(...refused))[0], refused.join(" ")).toBe(2);
  // Its holder may approve under its own name only: the owner could otherwise answer under two names.
  const agent = await given("add", "agent", "--scope", "approve");
  const wish = { id: "R-1", digest: "0".repeat(64), by: userInfo().username, confirm: "approve" };
  const answer = await asked(agent, "approve", wish);
  expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining("needs a token of that name")]);
  await logged(program, /by api:ops: by token/);
});
