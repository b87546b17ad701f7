// The library as the page loads it: one file of htm and preact.
export { html, render, useLayoutEffect, useMemo, useRef, useState } from "htm/preact";
