// The frame of a conformance case: it gets a client with a fresh account where there is a portal, the shared key where
// there is none, and is skipped by name where it needs what the target does not have.

import { expect, type TestContext } from "vitest";
import { refused } from "./answer.ts";
import { type Answer, Client, newKeyPair, send } from "./client.ts";
import type { Target } from "./target.ts";

export type Stage = { client: Client; target: Target; portal: Portal };
export type Portal = (route: string, body: unknown) => Promise<Record<string, unknown>>;

export type Case = {
  name: string;
  /** `portal`: sets its own stage by hand. `key`: any signed call. `nothing`: public calls. */
  needs: "portal" | "key" | "nothing";
  /** Does, or would on a service that is laxer than the contract: an order with a wrong word in it may still fill there. */
  movesMoney?: boolean;
  /** What the fresh account holds; only where there is a portal. */
  funds?: Record<string, string>;
  /** Moves the target's settlement clock, or must not have it moved: such cases take turns. */
  clock?: boolean;
  /** Stop before KYB and agreements. */
  bare?: boolean;
  run(stage: Stage): Promise<void>;
};

type Call = (stage: Stage) => Promise<Answer>;

/** One call that is refused so. */
export function refusal(what: string, call: Call, status = 400, code?: string, terms: Partial<Case> = {}): Case {
  const name = `${what} is refused with ${status}${code === undefined ? "" : ` ${code}`}`;
  const run = async (stage: Stage): Promise<void> => refused(await call(stage), [status, code]);
  return { name, needs: "key", movesMoney: true, run, ...terms };
}

/** One call that is refused to an account without KYB, and to one without the agreement. */
export function standing(what: string, call: Call): readonly Case[] {
  const terms = { needs: "portal", bare: true } as const;
  const cleared: Call = async (stage) => {
    await stage.portal("kyb", { publicKey: stage.client.key.publicKey, cleared: true });
    return call(stage);
  };
  return [
    refusal(`${what} before KYB`, call, 403, "kyb_required", terms),
    refusal(`${what} without the agreement`, cleared, 403, "agreement_missing", terms),
  ];
}

const AGREEMENTS = ["issuance", "conversion"];
const shared = new Map<string, Client>();

export async function runCase(test: Case, target: Target, context: TestContext): Promise<void> {
  const { portalUrl, sharedKey } = target;
  if (test.needs === "portal" && portalUrl === undefined) return context.skip("needs the portal");
  if (test.needs === "key" && portalUrl === undefined && sharedKey === undefined)
    return context.skip("needs PEGBOT_CONTRACT_KEY");
  if (test.movesMoney && !target.mayMoveMoney) return context.skip("moves money: needs a test address and consent");
  const portal = portalOf(portalUrl);
  const client = portalUrl === undefined ? sharedClient(target) : new Client(target.baseUrl, newKeyPair());
  if (portalUrl !== undefined && test.needs !== "nothing") await openAccount(test, client, portal);
  const run = () => test.run({ client, target, portal });
  await (test.clock ? inTurn(target, run) : run());
}

const turns = new Map<string, Promise<unknown>>();

async function inTurn(target: Target, run: () => Promise<void>): Promise<void> {
  const turn = (turns.get(target.baseUrl) ?? Promise.resolve()).then(run);
  turns.set(
    target.baseUrl,
    turn.catch(() => undefined),
  );
  await turn;
}

function sharedClient(target: Target): Client {
  let client = shared.get(target.baseUrl);
  if (client === undefined) {
    client = new Client(target.baseUrl, target.sharedKey ?? newKeyPair());
    shared.set(target.baseUrl, client);
  }
  return client;
}

async function openAccount(test: Case, client: Client, portal: Portal): Promise<void> {
  const { publicKey } = client.key;
  await portal("keys", { publicKey });
  if (test.bare) return;
  await portal("kyb", { publicKey, cleared: true });
  for (const product of AGREEMENTS) await portal("agreements", { publicKey, product, signed: true });
  for (const [asset, amount] of Object.entries(test.funds ?? {})) await portal("credits", { publicKey, asset, amount });
}

function portalOf(portalUrl: string | undefined): Portal {
  return async (route, body) => {
    expect(portalUrl, "a portal").toBeDefined();
    const text = JSON.stringify(body);
    const headers = { "user-agent": "contract-suite/1", "content-type": "application/json" };
    const answer = await send(portalUrl as string, { method: "POST", path: route, headers, body: text });
    expect(answer.status, `${route} ${text}: ${answer.text}`).toBe(200);
    return answer.body as Record<string, unknown>;
  };
}
