import Theme from "vitepress/theme-without-fonts";
import { h } from "vue";
import dark from "../../../docs/page-desktop-dark.png";
import light from "../../../docs/page-desktop-light.png";
import "./style.css";

function shots() {
  const picture = (theme: string, src: string) =>
    h("img", { class: `shot ${theme}`, src, alt: "the page of a running bot" });
  return [picture("light", light), picture("dark", dark)];
}

export default { extends: Theme, Layout: () => h(Theme.Layout, undefined, { "home-hero-image": shots }) };
