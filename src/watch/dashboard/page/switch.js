// The switch: halting and resuming with the token. The token is typed, kept in this page's memory and nowhere else, and gone
// when the page is closed or the bot refuses it.

import { byId, make, put, say } from "./dom.js";
import { moment } from "./format.js";
import { stopsOf, wordsOf } from "./state.js";
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
    text: "It does not heal the cause. Reason and time go into the journal.",
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
/** What would stop it again after a resume, what that would accept now, and what becomes of the figures. */
let words = { again: [], accepts: [], forgiven: "" };
/** The bot's time of it. */
let at;
/** What stood when the dialog was opened: a stop that comes while a person types was not seen. */
let seen = [];

export function tokenHeld() {
  return token;
}

export function showSwitch(status) {
  standing = status.standing;
  words = wordsOf(status);
  at = status.at;
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

/** Asked again where a token was given: then it was wrong, and the dialog says so. */
export function askToLook(why, isKnown = false) {
  const wasGiven = token !== undefined;
  token = undefined;
  if (byId("dialog").open) return;
  ask(why);
  if (wasGiven) refuse(isKnown ? "as many pages as there is place for show this token already" : "the token is wrong");
}

function ask(name) {
  wanted = name;
  const stops = stopsOf(standing);
  seen = stops.map(({ reason }) => reason);
  attempt = undefined;
  const { title, text, fields } = ORDERS[name];
  say(byId("dialog-title"), title);
  say(byId("dialog-text"), name === "resume" ? `${text} ${sentence(words.forgiven)}` : text);
  // What is taken back, and accepted with it, is what the person reads here.
  const read = [...stops.map((stop) => stopText(stop, at)), ...balancesLine(words), ...words.again, ...words.accepts];
  put(byId("dialog-stops"), ...(name === "resume" ? read.map((line) => make("li", {}, line)) : []));
  ready();
  say(byId("dialog-problem"), "");
  for (const field of ["reason", "confirm", "token"])
    byId(`${field}-field`).hidden = !fields.includes(field) || (field === "token" && token !== undefined);
  byId("dialog").showModal();
}

/** `balances: they agree with the books since ...`. */
function balancesLine({ balances }) {
  return balances === undefined ? [] : [`balances: ${balances}`];
}

async function submit() {
  if (isSending) return;
  const [reason, confirm, typed] = ["reason", "confirm", "token"].map((field) => byId(field).value.trim());
  const used = typed === "" ? token : typed;
  const lacking = lackingOf(ORDERS[wanted].fields, { reason, confirm, token: used });
  if (lacking !== undefined) {
    refuse(lacking.text);
    byId(lacking.field).focus();
    return;
  }
  if (wanted === "unlock" || wanted === "crowded") {
    token = used;
    byId("dialog").close();
    return;
  }
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

export function sentence(text) {
  return text === "" ? "" : `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** `HALTED by anna, 2026-11-13 11:32:28 UTC: fat finger`. */
export function stopText({ state, by, since, reason }, now) {
  return `${state} by ${by}, ${moment(since, now)} UTC: ${reason}`;
}

/** The first field, from above, that is not as it must be. */
export function lackingOf(fields, { reason, confirm, token: given }) {
  const rules = {
    reason: reason === "" && "a reason is needed",
    confirm: confirm !== "resume" && "type the word resume to go on",
    token: given === undefined && "the token is needed",
  };
  const field = fields.find((name) => rules[name] !== false);
  return field === undefined ? undefined : { field, text: rules[field] };
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
