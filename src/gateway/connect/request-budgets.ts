import { ConnectFailure } from './connect-failure';

/**
 * What a request to an OAuth server is for: keeping tokens that are there (renewed, or given back), or connecting an account,
 * which anybody can begin at a server that takes its time. `personId`: who does, where that is known.
 */
export type RequestUse = { readonly of: 'tokens' } | { readonly of: 'connection'; readonly personId?: string };

/** Under way in this process: who connects accounts takes nothing away from calls that need new tokens. */
const MAX_HELD = { tokens: 64, connection: 32 };
const MAX_OF_PERSON = 4;

/** Counts requests that are under way. */
export class RequestBudgets {
  private readonly underWay = new Map<string, number>();

  /**
   * @returns ends the request
   * @throws ConnectFailure `busy`
   */
  enter(use: RequestUse): () => void {
    const bounds: [key: string, most: number][] = [[use.of, MAX_HELD[use.of]]];
    if (use.of === 'connection' && use.personId !== undefined) bounds.push([`person ${use.personId}`, MAX_OF_PERSON]);
    const count = (key: string) => this.underWay.get(key) ?? 0;
    if (bounds.some(([key, most]) => count(key) >= most))
      throw new ConnectFailure('busy', 'too many requests are under way');
    for (const [key] of bounds) this.underWay.set(key, count(key) + 1);
    return () => {
      for (const [key] of bounds) {
        if (count(key) > 1) this.underWay.set(key, count(key) - 1);
        else this.underWay.delete(key);
      }
    };
  }
}
