// Every configuration that a page shows is accepted by the schema.

import { expect, test } from "vitest";
import { marked } from "../support/examples.ts";
import { mistakesOf } from "./complete.ts";

test.for(marked("yaml config"))("$page:$line is accepted", ({ text }) => expect(mistakesOf(text)).toEqual([]));
