// Elements from data. Texts become text nodes, whatever they hold: there is no way here to make markup of them.

export function byId(id) {
  return document.getElementById(id);
}

/** `make("td", { class: "n" }, "1.5")`; properties that are undefined or false are left out. */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Only what changed: a text that somebody is marking stays marked. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function put(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== undefined));
}

/** Rows that are the same as before stay as they are, so that a table does not flicker or lose its place. */
export function putRows(place, items, keyOf, rowOf) {
  const before = new Map(Array.from(place.children, (row) => [row.dataset.key, row]));
  const rows = items.map((item) => {
    const key = keyOf(item);
    const known = before.get(key);
    if (known !== undefined) return known;
    const row = rowOf(item);
    row.dataset.key = key;
    return row;
  });
  if (rows.length !== place.children.length || rows.some((row, index) => row !== place.children[index]))
    place.replaceChildren(...rows);
}

export function empty(text) {
  return make("p", { class: "empty" }, text);
}

/** One of some; tells which. */
export function choice(place, options, chosen, tell) {
  const buttons = options.map(({ key, label, title }) => {
    const button = make("button", { type: "button", title, "aria-pressed": String(key === chosen) }, label);
    button.addEventListener("click", () => {
      for (const one of buttons) one.setAttribute("aria-pressed", String(one === button));
      tell(key);
    });
    return button;
  });
  put(place, ...buttons);
}
