// docs/guides/conversions.md: every command of it as a reader types it, against a bot and a venue.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { botStage, eventually, said } from "../cli/bot-stage.ts";
import { CONFIG } from "./world.ts";

/** What a reader types at a terminal is confirmed there. */
const CONFIRMED = /^(convert|conversion|rail) (?!.*--preview)/;

test("the examples of the guide do what they say", async () => {
  const { destinations, rails } = CONFIG.treasury;
  const planning = { unused: [{ above: "100000", currency: "CHF", bps: 300, spentBps: 7_500 }] };
  const stage = await botStage({ strategy: { use: "./still.ts" }, treasury: { destinations, rails, planning } });
  writeFileSync(join(stage.folder, "still.ts"), 'export default { name: "still", decide: () => undefined };\n');
  const { publicKey } = stage;
  for (const asset of ["VCHF", "VGBP"]) await stage.portal("credits", { publicKey, asset, amount: "200000" });
  await said(stage.run(), /trading/);
  const page = readFileSync("docs/guides/conversions.md", "utf8");
  const typed = [...page.matchAll(/^npx pegbot (.*)$/gm)].map(([, line = ""]) => line);
  let patient: { readonly id: string; readonly command: ReturnType<typeof stage.order> } | undefined;
  const outputs: string[] = [];
  for (const line of typed) {
    const text = line
      .replace(/ > \S+$/, "")
      .replace("R-d1c4d5a18b", patient?.id ?? "")
      .replace("2026-11", new Date().toISOString().slice(0, 7));
    const words = [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
    const args = CONFIRMED.test(text) ? [...words, "--yes"] : words;
    if (line.includes("--by 12:00") && args.includes("--yes")) {
      const command = stage.order(...args);
      await eventually(async () => /R-\w{10}/.test((await stage.ask("status")).stdout), "a conversion under way");
      patient = { command, id: /R-\w{10}/.exec((await stage.ask("status")).stdout)?.[0] ?? "" };
      continue;
    }
    const { code, stdout, stderr } = await stage.ask(...args);
    expect(code, `${line}\n${stdout}${stderr}`).toBe(0);
    outputs.push(`${stdout}${stderr}`);
  }
  // 3 where no price had been good enough yet.
  expect([3, 4]).toContain((await patient?.command.ended())?.code);
  expect(typed.length).toBe(15);
  const all = outputs.join("\n");
  for (const told of [
    /until {2,}left/,
    /unused funds cost/,
    /by currency/,
    /<h2>ways, at their prices then<\/h2>/,
    /^began,id,from,to,/m,
  ])
    expect(all).toMatch(told);
});
