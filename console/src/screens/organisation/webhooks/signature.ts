import { isObject } from '../../../../../src/http/requests/json-object';

/** A request that a receiver got, as a person pastes it, and the secret. */
export interface PastedRequest {
  /** A header a line. */
  headers: string;
  body: string;
  secret: string;
}

/** What is wrong with a request; `seconds`: how old it is, negative in the future. */
export type Verdict =
  | { is: 'right' | 'old' | 'future'; seconds: number }
  | { is: 'missing'; names: string[] }
  | { is: 'timestamp' | 'secretForm' | 'signatureForm' | 'mended' | 'bodyChanged' | 'notJson' | 'wrongSecret' };

/** As browsers have it, and Node. */
type Subtle = typeof globalThis.crypto.subtle;

const NEEDED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
/** Of Standard Webhooks; the libraries allow the same either way. */
const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
/** Keys of the standard have 24 to 64 bytes. */
const [MIN_BYTES, MAX_BYTES] = [24, 64];

/** @returns the headers by their names in lower case; also of a command for curl */
export function parseHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const bare = line
      .trim()
      .replace(/^(?:-H|--header)\s+/, '')
      .replace(/\s*\\$/, '')
      .replace(/^(['"])(.*)\1$/, '$2')
      .replace(/^["']?([\w-]+)["']?\s*:\s*["']?(.*?)["']?,?$/, '$1: $2');
    const place = bare.indexOf(':');
    if (place > 0) headers.set(bare.slice(0, place).trim().toLowerCase(), bare.slice(place + 1).trim());
  }
  return headers;
}

/** @returns the bytes of base64; undefined for other text */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64) || base64.length % 4 !== 0) return undefined;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** Checks as a receiver does (Standard Webhooks 1.0), and finds out what is wrong. */
export async function checkRequest(
  { headers: text, body, secret }: PastedRequest,
  subtle: Subtle,
  now: number,
): Promise<Verdict> {
  const headers = parseHeaders(text);
  const [id = '', timestamp = '', given = ''] = NEEDED.map((name) => headers.get(name));
  const names = NEEDED.filter((name) => !headers.get(name));
  if (names.length > 0) return { is: 'missing', names };
  const bytes = bytesOf(secret.trim().replace(/^whsec_/, ''));
  const isSecret = secret.trim().startsWith(PREFIX) && bytes && bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES;
  if (!isSecret) return { is: 'secretForm' };
  if (!/^\d+$/.test(timestamp)) return { is: 'timestamp' };
  const signatures = given
    .split(/\s+/)
    .filter((one) => one.startsWith('v1,'))
    .map((one) => bytesOf(one.slice(3)));
  if (signatures.length === 0) return { is: 'signatureForm' };
  const key = await subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  const isSigned = async (candidate: string) => {
    const signed = new TextEncoder().encode(`${id}.${timestamp}.${candidate}`);
    for (const signature of signatures)
      if (signature && (await subtle.verify('HMAC', key, signature, signed))) return true;
    return false;
  };
  if (await isSigned(body)) return inTime(Number(timestamp), now);
  return whyNot(body, isSigned);
}

function inTime(timestamp: number, now: number): Verdict {
  const seconds = Math.round(now / 1_000) - timestamp;
  if (seconds > TOLERANCE_SECONDS) return { is: 'old', seconds };
  return { is: seconds < -TOLERANCE_SECONDS ? 'future' : 'right', seconds };
}

async function whyNot(body: string, isSigned: (candidate: string) => Promise<boolean>): Promise<Verdict> {
  const own = asSent(body);
  if (own === undefined) return { is: 'notJson' };
  if (own === body) return { is: 'wrongSecret' };
  return { is: (await isSigned(own)) ? 'mended' : 'bodyChanged' };
}

/** @returns the body as Toolyard writes it, with the same content; undefined if it is no JSON */
export function asSent(body: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isObject(parsed)) return JSON.stringify(parsed);
  const { type, timestamp, data } = parsed;
  return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(timestamp)},"data":${spaced(data)}}`;
}

/** JSON as PostgreSQL writes it, with spaces after commas and colons. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${spaced(member)}`);
  return `{${members.join(', ')}}`;
}
