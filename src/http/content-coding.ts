import compression from 'compression';
import type { RequestHandler } from 'express';

/** In the order in which we prefer them where the caller has no preference. */
const CODINGS = ['br', 'gzip'] as const;
export type Coding = (typeof CODINGS)[number];

/** Clients send one of a few dozen texts; what is remembered of them is bounded all the same. */
const MOST_REMEMBERED = 100;
const remembered = new Map<string, Coding | undefined>();

/**
 * @param header `Accept-Encoding` (RFC 9110, section 12.5.3)
 * @returns the coding that the caller likes best; undefined for none, and where plain is liked better
 */
export function acceptedCoding(header: string | undefined): Coding | undefined {
  if (header === undefined) return undefined;
  if (remembered.has(header)) return remembered.get(header);
  const coding = negotiate(header);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(header, coding);
  return coding;
}

function negotiate(header: string): Coding | undefined {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.map((parameter) => /^q=([01](?:\.\d{0,3})?)$/.exec(parameter)?.[1]).find(Boolean);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  const rest = weights.get('*') ?? 0;
  const liked = CODINGS.map((coding) => ({ coding, weight: weights.get(coding) ?? rest })).sort(
    (one, other) => other.weight - one.weight,
  )[0];
  const plain = weights.get('identity') ?? 0;
  return liked && liked.weight > 0 && liked.weight >= plain ? liked.coding : undefined;
}

/**
 * Compresses answers of a kilobyte and more as they go out, unless they are compressed already (`prepared-answer.ts`) or
 * must not be (`@ShowsSecret`). All that is compressed here has a weak ETag or none, so its validators stay true.
 */
export function compressAnswers(): RequestHandler {
  return compression({
    threshold: 1_024,
    // A 304 has the `Vary` of the answer that it stands for (RFC 9110, section 15.4.5).
    filter: (request, response) => response.statusCode === 304 || compression.filter(request, response),
  });
}
