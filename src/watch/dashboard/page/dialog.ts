// What a person decides: halting, resuming, a plan, and the token that each needs. What is accepted with a resume stands in
// the dialog as it stood when it was opened.

import type { PageData } from "../model.ts";
import { act, type PlanShown, set, showPlan, view } from "./app.ts";
import { amount, moment } from "./format.ts";
import { html, useLayoutEffect, useRef, useState } from "./preact.js";

const HELP = [
  ["1 \u2013 6", "tables"],
  ["j k", "rows, Enter opens"],
  ["[ ]", "span of the charts"],
  ["p", "next pair"],
  ["l", "all limits"],
  ["/", "filter"],
  ["h", "halt"],
  ["Esc", "closes this"],
];

const TITLES = {
  halt: [
    "Halt everything",
    "No order, mint or rail leaves from now on, through restarts too, until a person resumes. Reading and resolving go on.",
  ],
  resume: ["Take the stop back", "It does not heal the cause. Reason and time go into the journal."],
  token: [
    "The token is needed",
    "It is in the .token file next to the journal; this page keeps it until it is closed.",
  ],
  plan: ["Decide on the plan", "It is carried out as it stands here, before it expires."],
  help: ["Keys", ""],
} as const;

export function Decision({ data }: { readonly data: PageData | undefined }) {
  const place = useRef<HTMLDialogElement>(null);
  const { dialog, problem, isSending } = view;
  // What the person saw: a stop that comes while they type was not.
  const [seen, see] = useState<readonly string[]>([]);
  useLayoutEffect(() => {
    const { standing } = data?.status ?? {};
    see(standing === undefined ? [] : [standing, ...standing.also].map(({ reason }) => reason));
    if (dialog !== undefined && place.current?.open === false) place.current.showModal();
    if (dialog?.kind === "plan" && view.token !== undefined) void showPlan(dialog.id, view.token);
  }, [dialog?.kind]);
  if (dialog === undefined) return "";
  const [title, text] = TITLES[dialog.kind];
  const close = () => set({ dialog: undefined, problem: "" });
  const needsToken = view.token === undefined && dialog.kind !== "help";
  const isPlan = dialog.kind === "plan";
  const plan = isPlan ? dialog.plan : undefined;

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const of = (name: string) => String(form.get(name) ?? "").trim();
    const token = view.token ?? of("token");
    const reason = of("reason");
    if (isSending || dialog === undefined) return;
    if (token === "") return set({ problem: "the token is needed" });
    if (dialog.kind === "token") return set({ token, dialog: undefined });
    if (dialog.kind === "halt")
      return reason === "" ? set({ problem: "a reason is needed" }) : act("/api/halt", { reason }, token);
    if (dialog.kind === "resume") {
      if (reason === "" || of("confirm") !== "resume")
        return set({ problem: "a reason and the word resume are needed" });
      return act("/api/resume", { reason, confirm: "resume", seen }, token);
    }
    if (dialog.kind !== "plan") return;
    if (plan === undefined) return showPlan(dialog.id, token);
    const answer = (event.submitter as HTMLButtonElement).value as "approve" | "decline";
    if (answer === "decline" && reason === "") return set({ problem: "a reason is needed" });
    const body = { id: dialog.id, digest: plan.digest, by: of("by"), confirm: answer };
    return act(`/api/${answer}`, answer === "decline" ? { ...body, reason } : body, token);
  }

  const field = (name: string, label: string, type = "text") =>
    html`<label>${label} <input name=${name} id=${name} type=${type} maxlength="200" autocomplete="off" autofocus=${name === "reason"} /></label>`;
  return html`<dialog ref=${place} aria-labelledby="dialog-title" onClose=${close}>
    <form onSubmit=${send}><h2 id="dialog-title">${title}</h2><p>${text}</p>
      ${dialog.kind === "help" ? html`<dl>${HELP.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>` : ""}
      ${plan === undefined ? "" : planShown(plan, data?.status.at ?? plan.at)}
      ${dialog.kind === "resume" ? html`<ul id="accepts">${[...(data?.status.needs.filter(({ kind }) => kind === "stop").map(({ what }) => what) ?? []), ...(data?.resume ?? [])].map((line) => html`<li>${line}</li>`)}</ul>` : ""}
      ${dialog.kind === "halt" || dialog.kind === "resume" ? field("reason", "Reason, for the journal") : ""}
      ${plan === undefined ? "" : [field("by", "Your name, which is the token's"), field("reason", "Reason (to decline)")]}
      ${dialog.kind === "resume" ? field("confirm", "Type resume to go on") : ""}
      ${needsToken ? field("token", "Token", "password") : ""}
      <p id="problem" class="loss" role="alert">${problem}</p>
      <div class="buttons"><button type="button" onClick=${close}>Close</button>
        ${plan !== undefined ? html`<button value="decline" disabled=${isSending}>Decline</button>` : ""}
        ${dialog.kind === "help" ? "" : html`<button id="do" class=${dialog.kind === "halt" ? "halt" : "main"} value="approve" disabled=${isSending}>${isSending ? "Sending\u2026" : isPlan ? (plan === undefined ? "Show the plan" : "Approve") : dialog.kind === "token" ? "Look" : title.split(" ")[0] === "Take" ? "Resume" : "Halt"}</button>`}</div>
    </form></dialog>`;
}

/** To the letter, with what each holding has before and after it. */
function planShown({ content, steps, expiresAt, approvals, persons, why, holdings }: PlanShown, at: number) {
  const { cost, currency } = JSON.parse(content) as { cost: string; currency: string };
  const by = approvals.length === 0 ? "" : `, by ${approvals.map((one) => one.by).join(", ")}`;
  return html`<ol id="steps">${steps.map((step) => html`<li>${step}</li>`)}</ol>
    <p>It costs at most <b>${amount(cost)} ${currency}</b>.</p>${why === undefined ? "" : html`<p>Why: ${why}</p>`}
    <p class="quiet">Expires ${moment(expiresAt, at)} UTC; ${approvals.length} of ${persons} approved${by}.</p>
    <table id="holdings"><thead><tr><th>holding</th><th class="n">now</th><th class="n">after</th><th class="n">its band</th></tr></thead>
    <tbody>${holdings
      .filter(({ now, after, low, high }) => now !== after || low !== undefined || high !== undefined)
      .map(({ holding, now, after, low, high, missingNow, missingAfter }) => {
        const cell = (text: string, missing: string) =>
          html`<td class="n ${Number(missing) === 0 ? "" : "warn"}">${amount(text)}</td>`;
        const band = low === undefined && high === undefined ? "" : `${amount(low, 0)} \u2013 ${amount(high, 0)}`;
        return html`<tr><th scope="row">${holding}</th>${cell(now, missingNow)}${cell(after, missingAfter)}<td class="n">${band}</td></tr>`;
      })}</tbody></table>`;
}
