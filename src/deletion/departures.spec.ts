import type { EntityManager } from 'typeorm';
import { Departures } from './departures';

const MANAGER = {} as EntityManager;

describe('Departures', () => {
  it('run in the declared order, whatever the order of registration; undeclared ones run last', async () => {
    const departures = new Departures();
    const removed: string[] = [];
    for (const what of ['badges', 'listings', 'awards', 'bundles']) {
      departures.register({
        what,
        ofAccount: (_, userId) => Promise.resolve(void removed.push(`${what} of ${userId}`)),
      });
    }
    await departures.removeOfAccount(MANAGER, 'ada');
    expect(removed).toEqual(['bundles of ada', 'listings of ada', 'badges of ada', 'awards of ada']);
  });

  it('keep an organisation as long as any room has rows that must stay', async () => {
    const departures = new Departures();
    departures.register(
      { what: 'bundles' },
      { what: 'webhook endpoints', whenReady: () => Promise.resolve(2) },
      { what: 'audit log', whenReady: () => Promise.resolve(1) },
    );
    expect(await departures.removeWhenReady(MANAGER, 'org', new Date())).toBe(3);
  });
});
