// The switch: halting and resuming with the token. The token is typed, kept in this page's memory and nowhere else, and gone
// when the page is closed or the bot refuses it.

import { byId, say } from "./dom.js";
import { act } from "./stream.js";

const ORDERS = {
  halt: {
    title: "Halt everything",
    text: "No order, mint or rail leaves from now on, through restarts too, until a person resumes. Reading and resolving go on.",
    button: "Halt",
    fields: ["reason", "token"],
    refused: "NOT STOPPED: ",
    otherwise: "stop it with pegbot halt, the kill file or SIGUSR2",
  },
  resume: {
    title: "Take the stop back",
    text: "It does not heal the cause: a limit that is still broken stops the bot again. Reason and time go into the journal.",
    button: "Resume",
    fields: ["reason", "confirm", "token"],
    refused: "",
    otherwise: "see how it stands with pegbot status, or use pegbot resume",
  },
  unlock: {
    title: "This bot is reached from another machine",
    text: "So looking needs the token too.",
    button: "Look",
    fields: ["token"],
  },
  crowded: {
    title: "Too many pages are open on this bot",
    text: "With the token there is a place for this one. Or close another.",
    button: "Look",
    fields: ["token"],
  },
};

let token;
let wanted;
let isSending = false;
/** The last that was sent: answers to earlier ones, and to those of a dialog that is gone, change nothing here. */
let attempt;
let standing;
/** What stood when the dialog was opened: a stop that comes while a person types was not seen. */
let seen = [];

export function tokenHeld() {
  return token;
}

export function showSwitch(status) {
  standing = status.standing;
}

export function openSwitch() {
  // Before this it would do nothing, and look as if it had.
  byId("halt").disabled = false;
  byId("halt").addEventListener("click", () => ask("halt"));
  byId("resume").addEventListener("click", () => ask("resume"));
  byId("dialog-close").addEventListener("click", () => byId("dialog").close());
  byId("dialog").addEventListener("close", forgetTyped);
  byId("dialog-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
}

export function askToLook(why) {
  token = undefined;
  if (!byId("dialog").open) ask(why);
}

function ask(name) {
  wanted = name;
  seen = standing === undefined ? [] : [standing, ...standing.also].map((stop) => stop.reason);
  attempt = undefined;
  const { title, text, fields } = ORDERS[name];
  say(byId("dialog-title"), title);
  say(byId("dialog-text"), text);
  ready();
  say(byId("dialog-problem"), "");
  for (const field of ["reason", "confirm", "token"])
    byId(`${field}-field`).hidden = !fields.includes(field) || (field === "token" && token !== undefined);
  byId("dialog").showModal();
}

async function submit() {
  if (isSending) return;
  const typed = byId("token").value.trim();
  const used = typed === "" ? token : typed;
  if (used === undefined) return refuse("the token is needed");
  if (wanted === "unlock" || wanted === "crowded") {
    token = used;
    byId("dialog").close();
    return;
  }
  const reason = byId("reason").value.trim();
  if (reason === "") return refuse("a reason is needed");
  const confirm = byId("confirm").value.trim();
  if (wanted === "resume" && confirm !== "resume") return refuse("type the word resume to go on");
  await send(used, wanted === "resume" ? { reason, confirm, seen } : { reason });
}

async function send(used, body) {
  const name = wanted;
  const mine = Symbol(name);
  attempt = mine;
  isSending = true;
  say(byId("dialog-do"), "Sending\u2026");
  byId("dialog-do").disabled = true;
  refuse("");
  const { refused, otherwise } = ORDERS[name];
  let isTold = false;
  const tell = (text) => {
    if (!byId("dialog").open) ask(name);
    attempt = mine;
    isTold = true;
    ready();
    refuse(text);
  };
  const noAnswer = () => {
    if (attempt !== mine || isTold) return;
    tell(`NOT KNOWN whether it was done, or will be: no answer from the bot; ${otherwise}`);
  };
  const problem = await act(`/api/${name}`, used, body, noAnswer);
  if (attempt !== mine) return;
  if (problem === undefined) {
    token = used;
    byId("dialog").close();
    return;
  }
  if (problem.status === 0) return noAnswer();
  if (problem.status === 401) token = undefined;
  tell(`${refused}${problem.error}`);
  if (problem.status === 401) byId("token-field").hidden = false;
}

function ready() {
  isSending = false;
  say(byId("dialog-do"), ORDERS[wanted].button);
  byId("dialog-do").disabled = false;
}

function refuse(text) {
  say(byId("dialog-problem"), text);
}

function forgetTyped() {
  for (const field of ["reason", "confirm", "token"]) byId(field).value = "";
}
