// The section `notices`: where secrets may stand, and what a template may name.

import { expect, test } from "vitest";
import { mistakesOf } from "./complete.ts";

test.for<[string, string, string | undefined]>([
  ["a webhook on loopback", 'webhook: { url: "http://127.0.0.1:9/x" }', undefined],
  [
    "a webhook in the clear",
    'webhook: { url: "http://hook.example/x" }',
    "must be an https address, or http on this machine",
  ],
  [
    "a webhook twice",
    "webhook: { urlEnv: A, urlFile: ./b }",
    "needs exactly one of url, urlFile, urlEnv, there are urlFile, urlEnv",
  ],
  ["a webhook without an address", "webhook: {}", "needs exactly one of url, urlFile, urlEnv, there is none"],
  ["Telegram without a token", 'telegram: { chatId: "5" }', "needs exactly one of tokenFile, tokenEnv, there is none"],
  [
    "approvers where nobody listens",
    'telegram: { tokenEnv: T, chatId: "5", approvers: [77] }',
    "needs notices.telegram.commands",
  ],
  ["e-mail, which went", "email: { host: mail.example }", "notices.email went: let Alertmanager send e-mail"],
  ["a size that is a float", "fillValueMin: 12.5", "must be a quoted decimal"],
])("%s: %s", ([, lines, mistake]) => {
  const found = mistakesOf(`notices:\n  ${lines}\n`);
  if (mistake === undefined) expect(found).toEqual([]);
  else expect(found.join("\n")).toContain(mistake);
});
test.each([
  ["an address without its scheme", "webhook: { url: hooks.example/services/CANARY }"],
  ["an address with a login", 'webhook: { url: "https://bot:CANARY@hooks.example/x" }'],
  ["a token in the place of the section", 'telegram: "987654:CANARY"'],
])("%s is refused without repeating it", (_, lines) => {
  const found = mistakesOf(`notices:\n  ${lines}\n`);
  expect(found).toHaveLength(1);
  expect(found.join()).toMatch(/^[^ ]* ?notices\.(webhook|telegram)(\.url)? must be /);
  expect(found.join()).not.toContain("CANARY");
});
