/** How long a key signs. */
export const SIGNING_MS = 30 * 86_400_000;
/** How long a key is in the JWKS before it signs, so that anyone who caches the JWKS has it by then. */
export const PUBLISHED_MS = 24 * 3_600_000;
/** The longest life of a token: `npm run token -- --ttl 30d`. */
export const MAX_TOKEN_MS = 30 * 86_400_000;
/** The next key is created this long before its turn, so that workers may be down for a day without a delay. */
const LEAD_MS = 2 * PUBLISHED_MS;
/** Clocks of replicas may differ by this much. */
const MARGIN_MS = 3_600_000;

/** What the rotation needs to know about a key. */
export interface KeyTimes {
  kid: string;
  /** When it was created or imported; it has been in the JWKS since then. */
  createdAt: Date;
  /** When it starts to sign; null: it only verifies tokens of a former release. */
  signsFrom: Date | null;
}

/** What has to be done now. */
export interface KeyChanges {
  /** The kids of keys whose last token has expired. */
  ended: string[];
  /** When the key that has to be created now starts to sign; undefined: none has to be created. */
  next: Date | undefined;
}

/**
 * The key that signs: the one whose turn began last. If none has begun, as the clock of another replica was ahead when
 * it created the first key, then the first.
 *
 * @returns undefined if no key may sign
 */
export function currentKey<Key extends KeyTimes>(keys: readonly Key[], now: Date): Key | undefined {
  const signers = inTurn(keys);
  return signers.findLast((key) => turnOf(key) <= now.getTime()) ?? signers[0];
}

/**
 * Decides the monthly rotation (issue "Signing in", "Keys"). The turn of a key ends when that of the next one begins;
 * after that it stays until the last token that it can have signed has expired. The state is in the times alone, so it
 * does not matter which replica asks, how often, or after how long a pause.
 */
export function dueChanges(keys: readonly KeyTimes[], now: Date): KeyChanges {
  const time = now.getTime();
  const signers = inTurn(keys);
  const verifiers = keys.filter(({ signsFrom }) => signsFrom === null);
  const isOver = (lastSigned: number) => lastSigned + MAX_TOKEN_MS + MARGIN_MS <= time;
  const ended = [
    ...signers.filter((_, index) => {
      const successor = signers[index + 1];
      return successor !== undefined && isOver(turnOf(successor));
    }),
    ...verifiers.filter(({ createdAt }) => isOver(createdAt.getTime())),
  ];
  return { ended: ended.map(({ kid }) => kid), next: nextTurn(signers.at(-1), time) };
}

function nextTurn(newest: KeyTimes | undefined, time: number): Date | undefined {
  if (newest === undefined) return new Date(time);
  const turn = turnOf(newest) + SIGNING_MS;
  if (time < turn - LEAD_MS) return undefined;
  return new Date(Math.max(turn, publishedFirst(new Date(time)).getTime()));
}

/** @returns when a key that is created now may sign at the earliest */
export function publishedFirst(now: Date): Date {
  return new Date(now.getTime() + PUBLISHED_MS + MARGIN_MS);
}

/** Equal times are ordered by kid, so that all replicas agree. */
function inTurn<Key extends KeyTimes>(keys: readonly Key[]): Key[] {
  return keys
    .filter(({ signsFrom }) => signsFrom !== null)
    .sort((a, b) => turnOf(a) - turnOf(b) || (a.kid < b.kid ? -1 : 1));
}

function turnOf({ signsFrom }: KeyTimes): number {
  return signsFrom?.getTime() ?? NaN;
}
