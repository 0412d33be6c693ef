/** For so long after signing in, ways to sign in can be changed and tokens created. */
const RECENT_MS = 300_000;

/** @returns for how many milliseconds a sign-in still counts as recent; 0 if it does not */
export function recentFor(signedInAt: string, now: number): number {
  return Math.max(0, new Date(signedInAt).getTime() + RECENT_MS - now);
}
