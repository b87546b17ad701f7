// Self-signed certificates made on the spot, so that no key and no expiry date lies in the repository.

import { generateKeyPairSync, sign } from "node:crypto";

export type Certificate = { readonly cert: string; readonly key: string };

export function selfSigned(options: { names: readonly string[]; from: Date; to: Date }): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const name = sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from("pegbot test")))));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(options.from), time(options.to)),
    name,
    publicKey.export({ format: "der", type: "spki" }),
    der(0xa3, sequence(sequence(oid("551d11"), der(0x04, sequence(...options.names.map(alternative)))))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const text = sequence(body, algorithm, signature).toString("base64").replace(/.{64}/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: "pem", type: "pkcs8" }) as string,
  };
}

function alternative(name: string): Buffer {
  return /^[\d.]+$/.test(name) ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name));
}

function time(at: Date): Buffer {
  return der(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, "hex"));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
