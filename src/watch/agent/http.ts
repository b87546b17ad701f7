// The agent's tools at the page's server, for a token: one request, one answer, nothing kept in between.

import type { IncomingMessage } from "node:http";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { boundedText } from "../../domain/bounded-text.ts";
import type { Reply } from "../dashboard/reply.ts";
import { type AgentParts, agentServer } from "./agent.ts";

const BYTES_MAX = 65_536;

export async function answerAgent(parts: AgentParts, request: IncomingMessage): Promise<Reply> {
  const handler = createMcpHandler(() => agentServer(parts), { responseMode: "json" });
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (name !== "authorization" && typeof value === "string") headers.set(name, value);
  const body = await boundedText(request, BYTES_MAX);
  const answer = await handler.fetch(new Request("http://agent/mcp", { method: "POST", headers, body }));
  const text = await answer.text();
  await handler.close();
  return { status: answer.status, type: answer.headers.get("content-type") ?? "application/json", text };
}
