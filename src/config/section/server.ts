// The page, metrics and control of a running bot. They stay on this machine unless somebody says otherwise three times over.

import { z } from "zod";
import { wholeNumber } from "../../domain/field.ts";
import { filePath } from "../file-path.ts";

const HOST_RULE = "must be an address to listen on: 127.0.0.1, ::1, localhost, or one of this machine's own";
const NAME_RULE = "must be a host name without a port";

export const serverSchema = z.strictObject({
  host: z
    .string({ error: HOST_RULE })
    .regex(/^[0-9A-Za-z.:-]{1,253}$/, { error: HOST_RULE })
    .default("127.0.0.1")
    .describe("address to listen on; any but a loopback address also needs exposed, tls and names"),
  port: wholeNumber(0, 65_535, "port to listen on; 0 takes a free one").default(8787),
  exposed: z.boolean({ error: "must be true or false" }).optional().describe("lets other machines reach it"),
  tls: z
    .strictObject({
      certFile: filePath("PEM file with the certificate and its chain"),
      keyFile: filePath("PEM file with its private key (mode 0600)"),
    })
    .optional()
    .describe("serves over https"),
  names: z
    .array(z.string({ error: NAME_RULE }).regex(/^[0-9A-Za-z.-]{1,253}$/, { error: NAME_RULE }), {
      error: "must be a list of host names",
    })
    .max(10, { error: "must have at most 10 names" })
    .optional()
    .describe("names by which other machines ask for it; requests by any other are refused"),
});
