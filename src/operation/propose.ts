// An order or a mint that an agent, or any program, would like: a plan of one step that a person approves by its digest
// before it expires. It is judged by the gate now and again when it is carried out; nothing is sent before the approval.

import { operation } from "./operation.ts";
import { proposed, proposeInput } from "./plan.ts";

export const propose = operation({
  name: "propose",
  sentence: "Proposes an order, or a mint, as a plan: it is sent only after a person has approved its digest",
  scope: "halt",
  input: proposeInput,
  answer: proposed,
  failure: { status: 409, description: "not proposed: the error says what stands in the way" },
  act: (owner, wish, asker) => owner.propose(wish, asker),
});
