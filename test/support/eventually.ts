const POLL_MS = 20;

/**
 * Asks again and again until the answer is good.
 *
 * @param within milliseconds after which it is too late
 * @throws Error that says what was last seen
 */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  isGood: (answer: T) => boolean,
  within: number,
): Promise<T> {
  const deadline = Date.now() + within;
  for (;;) {
    const answer = await ask();
    if (isGood(answer)) return answer;
    if (Date.now() >= deadline) throw new Error(`Not within ${within} ms; last seen: ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
