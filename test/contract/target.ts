// What the suite runs against: a service named by the environment, or, without one, the simulator with each of its
// answer profiles. Money is moved only where that is harmless.

import { readFileSync } from "node:fs";
import { createSimulatorServer } from "../../src/simulator/server.ts";
import { systemParts } from "../simulator/server-parts.ts";
import { type KeyPair, readKeyPair, send } from "./client.ts";

export type Target = {
  name: string;
  baseUrl: string;
  portalUrl: string | undefined;
  sharedKey: KeyPair | undefined;
  mayMoveMoney: boolean;
  close(): Promise<void>;
};

export type Environment = { url?: string | undefined; key?: string | undefined; spend?: string | undefined };

export async function openTargets(environment: Environment): Promise<Target[]> {
  if (environment.url !== undefined) return [await external(environment.url, environment)];
  return Promise.all([embedded("contract"), embedded("observed")]);
}

/** Loopback, or a host with a label that says test. */
export function harmless(baseUrl: string): boolean {
  const { hostname } = new URL(baseUrl);
  if (hostname === "localhost" || hostname === "[::1]" || /^127(\.[0-9]{1,3}){3}$/.test(hostname)) return true;
  return hostname.split(/[.-]/).some((label) => ["test", "uat", "sandbox", "staging"].includes(label.toLowerCase()));
}

async function external(url: string, environment: Environment): Promise<Target> {
  const baseUrl = url.endsWith("/") ? url : `${url}/`;
  const portalUrl = await findPortal(baseUrl);
  const key = environment.key === undefined ? undefined : readKeyPair(readFileSync(environment.key, "utf8"));
  return {
    name: new URL(baseUrl).host,
    baseUrl,
    portalUrl,
    sharedKey: key,
    mayMoveMoney: harmless(baseUrl) && (portalUrl !== undefined || environment.spend === "yes"),
    close: async () => undefined,
  };
}

async function findPortal(baseUrl: string): Promise<string | undefined> {
  const portalUrl = new URL("/portal/", baseUrl).href;
  const headers = { "user-agent": "contract-suite/1" };
  const answer = await send(portalUrl, { method: "GET", path: "", headers, body: "" });
  return answer.status === 200 && /"routes"/.test(answer.text) ? portalUrl : undefined;
}

async function embedded(profile: "contract" | "observed"): Promise<Target> {
  const server = await createSimulatorServer({ ...systemParts, seed: 7, profile });
  return {
    name: `simulator, ${profile} profile`,
    baseUrl: server.baseUrl,
    portalUrl: server.portalUrl,
    sharedKey: undefined,
    mayMoveMoney: true,
    close: () => server.close(),
  };
}
