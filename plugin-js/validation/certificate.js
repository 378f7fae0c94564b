/**
 * A certificate for the counterfeit of an application that uses HTTPS. It is self-signed, and clients don't verify it. Node.js creates
 * keys but no certificates: this is a minimal one (RFC 5280, version 1), encoded in ASN.1.
 */
import { generateKeyPairSync, sign } from "node:crypto";

/** An ASN.1 value: its kind, its length, and its contents. @param {number} kind @param {(Buffer | number[])[]} parts */
function value(kind, ...parts) {
  const held = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = held;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([kind, ...(length < 0x80 ? [length] : long)]), held]);
}

/** @param {(Buffer | number[])[]} parts */
const list = (...parts) => value(0x30, ...parts);
/** @param {string} text */
const time = (text) => value(0x17, Buffer.from(text));

/** The signature algorithm: ECDSA with SHA-256. */
const SIGNED_BY = list([0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]);
/** Its common name. */
const NAME = list(value(0x31, list([0x06, 3, 0x55, 0x04, 0x03], value(0x0c, Buffer.from("counterfeit")))));
/** From 2020 to 2049. */
const VALID = list(time("200101000000Z"), time("491231235959Z"));

/** @returns {{key: string, cert: string}} both as PEM */
export function selfSigned() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const its = list(
    [0x02, 1, 1],
    SIGNED_BY,
    NAME,
    VALID,
    NAME,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = value(0x03, [0], sign("sha256", its, privateKey));
  const text = list(its, SIGNED_BY, signature).toString("base64").replace(/.{64}/g, "$&\n");
  const cert = `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
  return { key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(), cert };
}
