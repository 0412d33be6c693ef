import type { PlatformHealth } from '../../../api/schema';
import { lightsOf, toDo } from './lights';

const AT = '2026-03-01T12:00:00.000Z';

const WELL: PlatformHealth = {
  state: 'OK',
  read_at: AT,
  versions: { state: 'OK', service: '0.1.0', releases: ['0.1.0'], postgresql: '17.2', node: '24.0.0' },
  migrations: { state: 'OK', applied: 90, pending: [], unknown: [] },
  replicas: { state: 'OK', api: 1, worker: 1, replicas: [] },
  queues: [
    { state: 'OK', name: 'WEBHOOK_EVENTS', depth: 0, counted_up_to: 10_000, oldest_at: null },
    { state: 'OK', name: 'MAILS', depth: 0, counted_up_to: 10_000, oldest_at: null },
  ],
  category_counts: { state: 'OK', refreshed_at: AT },
  imports: {
    state: 'OK',
    from: null,
    last: null,
    finished_at: null,
    quarantined: 0,
    quarantined_today: 0,
    counted_up_to: 1_000,
  },
  keys: [{ state: 'OK', purpose: 'SIGNING', id: 'a', use: 'CURRENT', since: AT }],
};

const LAST = { source: 'file', error: null, started_at: AT, updated_at: AT, finished_at: null };

describe('The lights of the page of health', () => {
  it('are one for each part, queue and key, and have nothing to do while all is well', () => {
    const lights = lightsOf(WELL);
    expect(new Set(lights.map(({ id }) => id)).size).toBe(8);
    expect(lights.flatMap(({ todo }) => todo ?? [])).toEqual([]);
    expect(toDo(lights)).toEqual([]);
  });

  it.each<[Partial<PlatformHealth>, string]>([
    [{ versions: { ...WELL.versions, state: 'WARN' } }, 'rollOut'],
    [{ migrations: { ...WELL.migrations, state: 'BAD', pending: ['A'] } }, 'migrate'],
    [{ migrations: { ...WELL.migrations, state: 'WARN', unknown: ['B'] } }, 'newer'],
    [{ replicas: { ...WELL.replicas, state: 'BAD', worker: 0 } }, 'noWorker'],
    [{ replicas: { ...WELL.replicas, state: 'BAD', api: 0, worker: 0 } }, 'noApi'],
    [{ replicas: { ...WELL.replicas, state: 'WARN' } }, 'lost'],
    [{ queues: [{ state: 'WARN', name: 'MAILS', depth: 1, counted_up_to: 1, oldest_at: AT }] }, 'mails'],
    [{ queues: [{ state: 'BAD', name: 'WEBHOOK_DELIVERIES', depth: 1, counted_up_to: 1, oldest_at: AT }] }, 'workers'],
    [{ category_counts: { state: 'BAD', refreshed_at: null } }, 'counts'],
    [{ imports: { ...WELL.imports, state: 'BAD' } }, 'importLate'],
    [{ imports: { ...WELL.imports, state: 'WARN', last: { ...LAST, status: 'failed' } } }, 'importFailed'],
    [{ imports: { ...WELL.imports, state: 'WARN', last: { ...LAST, status: 'running' } } }, 'importStuck'],
    [{ imports: { ...WELL.imports, state: 'WARN', last: { ...LAST, status: 'finished' } } }, 'quarantine'],
    [{ keys: [{ state: 'WARN', purpose: 'SIGNING', id: 'a', use: 'CURRENT', since: AT }] }, 'signing'],
    [{ keys: [{ state: 'WARN', purpose: 'ENCRYPTION', id: 'a', use: 'FORMER', since: AT }] }, 'formerKey'],
    [{ keys: [{ state: 'WARN', purpose: 'ENCRYPTION', id: 'a', use: 'CURRENT', since: AT }] }, 'oldKey'],
    [{ keys: [{ state: 'BAD', purpose: 'ENCRYPTION', id: 'a', use: 'UNKNOWN', since: AT }] }, 'unknownKey'],
  ])('say what to do: %j', (changes, todo) => {
    expect(toDo(lightsOf({ ...WELL, ...changes })).map((light) => light.todo)).toEqual([todo]);
  });

  it('are listed with the worst first', () => {
    const lights = lightsOf({
      ...WELL,
      replicas: { ...WELL.replicas, state: 'WARN' },
      category_counts: { state: 'BAD', refreshed_at: null },
    });
    expect(toDo(lights).map(({ id }) => id)).toEqual(['category-counts', 'replicas']);
  });
});
