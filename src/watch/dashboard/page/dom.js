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

/** Only what changed: a text that is being selected stays selected. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * Only what changed here too, down to texts and attributes: an element that stays what it was is the same one, so that a mark, a
 * press of a slow hand and the focus stay, and nothing is read aloud again. Who listens on such an element must therefore not
 * depend on what it was made for.
 */
export function put(element, ...children) {
  const wanted = children.filter((child) => child !== undefined);
  wanted.forEach((child, index) => {
    const node = typeof child === "string" ? document.createTextNode(child) : child;
    const old = element.childNodes[index];
    if (old === undefined) element.append(node);
    else if (!became(old, node)) old.replaceWith(node);
  });
  while (element.childNodes.length > wanted.length) element.lastChild.remove();
}

/** Whether the one was made into the other. */
function became(old, node) {
  if (old === node) return true;
  if (old.nodeName !== node.nodeName) return false;
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== node.data) old.data = node.data;
    return true;
  }
  for (const name of old.getAttributeNames()) if (!node.hasAttribute(name)) old.removeAttribute(name);
  for (const name of node.getAttributeNames())
    if (name !== "style" && old.getAttribute(name) !== node.getAttribute(name))
      old.setAttribute(name, node.getAttribute(name));
  // The page's policy forbids styles in attributes, not as properties.
  if (old.style.cssText !== node.style.cssText) old.style.cssText = node.style.cssText;
  put(old, ...node.childNodes);
  return true;
}

/** The focus moves to the next element, not to the top of the page. */
export function hide(element, isHidden, instead) {
  const isLeft = isHidden && document.activeElement === element;
  element.hidden = isHidden;
  if (isLeft) instead.focus();
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
