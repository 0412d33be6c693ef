import { type EdgeNews, keyOf } from './edge-news';
import { MAX_WATCHED } from './resource-watch';
import { SessionSubscriptions } from './session-subscriptions';

/** News of one process. */
class OwnNews implements Pick<EdgeNews, 'on' | 'tell'> {
  private readonly listeners = new Map<string, (...values: string[]) => void>();

  on(kind: string, listener: (...values: string[]) => void): void {
    this.listeners.set(kind, listener);
  }

  tell(kind: string, ...values: string[]): Promise<boolean> {
    this.listeners.get(kind)?.(...values);
    return Promise.resolve(true);
  }
}

const stream = { add: () => undefined, remove: () => undefined, end: () => undefined };

describe('What sessions follow', () => {
  const followed = (all: SessionSubscriptions, session: string) => all.attach(session, stream).uris;

  it('is known to whoever gets the stream', async () => {
    const all = new SessionSubscriptions(new OwnNews() as unknown as EdgeNews);
    await all.add('s', 'user a', 'x://1');
    await all.add('s', 'user a', 'x://2');
    await all.remove('s', 'user a', 'x://1');
    expect([followed(all, 's'), followed(all, 'other')]).toEqual([['x://2'], []]);
    await all.remove('s', 'user a', 'x://2');
    expect(followed(all, 's')).toEqual([]);
  });

  it('is forgotten when the session ends', async () => {
    const news = new OwnNews();
    const all = new SessionSubscriptions(news as unknown as EdgeNews);
    await all.add('s', 'user a', 'x://1');
    await news.tell('ended', keyOf('s'), 'user a');
    expect(followed(all, 's')).toEqual([]);
  });

  it('is bounded for one session and one principal, who drives out nothing of others', async () => {
    const all = new SessionSubscriptions(new OwnNews() as unknown as EdgeNews);
    for (let n = 0; n < MAX_WATCHED; n++) expect(await all.add('s', 'user a', `x://${n}`)).toBe(true);
    expect(await all.add('s', 'user a', 'x://one more')).toBe(false);
    for (let session = 0; session < 100; session++)
      for (let n = 0; n < 50; n++) await all.add(`session ${session}`, 'user b', `${n}`.padEnd(7_000));
    const kept = Array.from({ length: 100 }, (_, session) => followed(all, `session ${session}`).length);
    expect(kept.at(-1)).toBe(50);
    expect(kept.reduce((sum, count) => sum + count) * 7_000).toBeLessThan(1_048_576);
    expect(followed(all, 's')).toHaveLength(MAX_WATCHED);
  });
});
