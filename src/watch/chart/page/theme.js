// Colours come from the style sheet, so that light and dark are decided in one place.

const inks = new Map();

/** As rgb(...): a canvas does not know variables. */
export function ink(name) {
  if (!inks.has(name)) {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(--${name})`;
    inks.set(name, getComputedStyle(probe).color);
    probe.remove();
  }
  return inks.get(name);
}

/** The same colour, as thin as told. */
export function thin(colour, alpha) {
  return colour.replace(/^rgb\((.*)\)$/, `rgba($1, ${alpha})`);
}

export function forgetInks() {
  inks.clear();
}

export function font() {
  return '11px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
}

/** Runs when the reader or the system changes between light and dark. */
export function onTheme(redraw) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", redraw);
  document.querySelector("#theme").addEventListener("click", () => {
    const { dataset } = document.documentElement;
    const shown = dataset.theme ?? (system.matches ? "dark" : "light");
    dataset.theme = shown === "dark" ? "light" : "dark";
    redraw();
  });
}
