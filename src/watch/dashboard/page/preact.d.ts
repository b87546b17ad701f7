// The library as the page loads it: one file of htm and preact.
export { html, render, useEffect, useRef, useState } from "htm/preact";
