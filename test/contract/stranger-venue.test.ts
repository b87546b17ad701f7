// Our client against a venue that a stranger wrote from the interface alone: doctor, an order on both sides and one that is killed, a
// mint until it has settled, and a rail, as a person gives them.

import { expect, onTestFinished, test } from "vitest";
import { paperLimits } from "../../src/risk/paper-limits.ts";
import { botStage } from "../cli/bot-stage.ts";
import { strangerVenue } from "./stranger-venue.ts";

type Finding = { readonly check: string; readonly verdict: string; readonly cause: string };

test("doctor, orders, a mint and a rail work against a venue that was written from the interface alone", async () => {
  let now = Date.now;
  const venue = await strangerVenue(() => now());
  onTestFinished(() => venue.close());
  const market = { par: { "VCHF/CHF": 50 }, parFair: ["VCHF/CHF"] };
  const risk = { ...paperLimits, symbols: ["VCHF/CHF"], orderQuantityMax: { "VCHF/CHF": "1000" } };
  const bank = { kind: "bank", account: "CH9300762011623852957" };
  const stage = await botStage({
    venue: { baseUrl: venue.baseUrl },
    market,
    risk,
    treasury: { destinations: { house: bank } },
  });
  const [scale = 1, epoch = 0] = (stage.env.PEGBOT_TIME_SCALE ?? "").split("@").map(Number);
  now = () => epoch + (Date.now() - epoch) * scale;
  venue.register(stage.publicKey);
  const asked = async (code: number, ...args: string[]): Promise<string> => {
    const got = await stage.ask(...args);
    expect(got.code, `${args.join(" ")}\n${got.stdout}${got.stderr}\n${venue.seen.join("\n")}`).toBe(code);
    return got.stdout;
  };
  const before = JSON.parse(await asked(0, "doctor", "--json")) as { readonly findings: readonly Finding[] };
  expect(before.findings.filter(({ verdict }) => verdict === "problem")).toEqual([]);
  const confirmed = ["--yes", "--json"];
  expect(await asked(0, "order", "buy", "VCHF/CHF", "100", "--price", "1.004", ...confirmed)).toContain("100.2 CHF");
  expect(await asked(3, "order", "buy", "VCHF/CHF", "100", "--price", "1.001", ...confirmed)).toContain("rejected");
  expect(await asked(0, "mint", "VCHF", "--chain", "ETH", "--quantity", "120000", "--wait", ...confirmed)).toContain(
    "settled",
  );
  const party = ["--sender-name", "Zürich Handels AG", "--sender-country", "CH"];
  await asked(0, "rail", "off", "--asset", "VCHF", "--chain", "ETH", "--to", "house", ...party, "--wait", ...confirmed);
  // Later than RC15 lets an order the other way through.
  expect(await asked(0, "order", "sell", "VCHF/CHF", "50", "--price", "0.996", ...confirmed)).toContain("49.9 CHF");
  // What it now lists is read as it stands.
  const after = JSON.parse(await asked(0, "doctor", "--json")) as { readonly findings: readonly Finding[] };
  expect(after.findings.filter(({ verdict }) => verdict === "problem")).toEqual([]);
  expect(venue.seen.filter((line) => / \/(?:private|client)\//.test(line) && !/ 200$|quotes 404$/.test(line))).toEqual(
    [],
  );
});
