const DAY_MS = 86_400_000;

/**
 * @param days as a form has it; empty: without an end
 * @returns the instant so many days from now
 */
export function expiryIn(days: string, now = Date.now()): string | undefined {
  return days === '' ? undefined : new Date(now + Number(days) * DAY_MS).toISOString();
}
