import fc from 'fast-check';
import type { ImportFacts, KeyFacts } from '../../metrics/health-sources';
import {
  HEALTH_STATES,
  stateOfCounts,
  stateOfImports,
  stateOfKey,
  stateOfMigrations,
  stateOfQueue,
  stateOfReplicas,
  stateOfVersions,
  worst,
} from './health-rules';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe('The state of the instance', () => {
  it('is the worst of its parts, and OK without any', () => {
    expect(worst([])).toBe('OK');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...HEALTH_STATES), { minLength: 1 }), (states) => {
        const state = worst(states);
        expect(states).toContain(state);
        if (states.includes('BAD')) expect(state).toBe('BAD');
        if (state === 'OK') expect(new Set(states)).toEqual(new Set(['OK']));
      }),
    );
  });

  it.each([
    [[], 'OK'],
    [['0.2.0'], 'OK'],
    [['0.1.0', '0.2.0'], 'WARN'],
  ])('with the releases %j is %s', (releases, state) => {
    expect(stateOfVersions(releases)).toBe(state);
  });

  it.each([
    [{ pending: 0, unknown: 0 }, 'OK'],
    [{ pending: 0, unknown: 2 }, 'WARN'],
    [{ pending: 1, unknown: 2 }, 'BAD'],
  ])('with the migrations %j is %s', (migrations, state) => {
    expect(stateOfMigrations(migrations)).toBe(state);
  });

  it.each([
    [null, 'WARN'],
    [ago(-SECOND), 'OK'],
    [ago(8 * HOUR), 'OK'],
    [ago(9 * HOUR + 1), 'WARN'],
    [ago(DAY + 1), 'BAD'],
  ])('with counts of %s is %s', (refreshedAt, state) => {
    expect(stateOfCounts(refreshedAt, NOW)).toBe(state);
  });

  it.each([
    [0, null, 'OK'],
    [3, ago(MINUTE), 'OK'],
    [3, ago(MINUTE + 1), 'WARN'],
    [3, ago(10 * MINUTE + 1), 'BAD'],
    [100, ago(SECOND), 'WARN'],
  ])('with a queue of %s since %s is %s', (depth, oldestAt, state) => {
    expect(stateOfQueue({ name: 'MAILS', depth, countedUpTo: 100, oldestAt }, NOW)).toBe(state);
  });

  it.each([
    [{ api: 1, worker: 1, lost: 0 }, 'OK'],
    [{ api: 1, worker: 1, lost: 1 }, 'WARN'],
    [{ api: 2, worker: 0, lost: 0 }, 'BAD'],
    [{ api: 0, worker: 1, lost: 0 }, 'BAD'],
  ])('with the processes %j is %s', (replicas, state) => {
    expect(stateOfReplicas(replicas)).toBe(state);
  });

  describe('with imports', () => {
    const finished = {
      source: 'https://registry.example.com',
      status: 'finished',
      error: null,
      startedAt: ago(HOUR),
      updatedAt: ago(HOUR),
      finishedAt: ago(HOUR),
    } as const;
    const facts = (changes: Partial<ImportFacts> = {}): ImportFacts => ({
      from: finished.source,
      intervalMinutes: 60,
      last: finished,
      finishedAt: finished.finishedAt,
      quarantined: 0,
      quarantinedToday: 0,
      countedUpTo: 1_000,
      ...changes,
    });
    const failed = { ...finished, status: 'failed', error: 'It did not answer.' } as const;
    const running = { ...finished, status: 'running', finishedAt: null } as const;

    it.each<[string, Partial<ImportFacts>, string]>([
      ['that went well', {}, 'OK'],
      ['that never were', { from: null, last: null, finishedAt: null }, 'OK'],
      ['that are about to begin', { last: null, finishedAt: null }, 'OK'],
      ['of which the last failed', { last: failed }, 'WARN'],
      ['that run', { last: { ...running, updatedAt: ago(MINUTE) } }, 'OK'],
      ['that do not move', { last: { ...running, updatedAt: ago(16 * MINUTE) } }, 'WARN'],
      ['that left documents in quarantine', { quarantined: 5, quarantinedToday: 1 }, 'WARN'],
      ['that left documents in quarantine long ago', { quarantined: 5 }, 'OK'],
      ['of which none finished for a day', { last: failed, finishedAt: ago(DAY + 1) }, 'BAD'],
      ['that are a week apart', { intervalMinutes: 10_080, finishedAt: ago(20 * DAY) }, 'OK'],
      ['by hand long ago', { from: null, finishedAt: ago(300 * DAY) }, 'OK'],
    ])('%s', (_, changes, state) => {
      expect(stateOfImports(facts(changes), NOW)).toBe(state);
    });
  });

  it.each<[Omit<KeyFacts, 'id'>, string]>([
    [{ purpose: 'SIGNING', use: 'CURRENT', since: ago(31 * DAY) }, 'OK'],
    [{ purpose: 'SIGNING', use: 'CURRENT', since: ago(33 * DAY) }, 'WARN'],
    [{ purpose: 'SIGNING', use: 'CURRENT', since: ago(61 * DAY) }, 'BAD'],
    [{ purpose: 'SIGNING', use: 'FORMER', since: ago(61 * DAY) }, 'OK'],
    [{ purpose: 'SIGNING', use: 'NEXT', since: ago(-DAY) }, 'OK'],
    [{ purpose: 'ENCRYPTION', use: 'CURRENT', since: ago(300 * DAY) }, 'OK'],
    [{ purpose: 'ENCRYPTION', use: 'CURRENT', since: ago(366 * DAY) }, 'WARN'],
    [{ purpose: 'ENCRYPTION', use: 'FORMER', since: ago(DAY) }, 'WARN'],
    [{ purpose: 'ENCRYPTION', use: 'UNKNOWN', since: ago(DAY) }, 'BAD'],
  ])('with the key %j is %s', (facts, state) => {
    expect(stateOfKey({ ...facts, id: 'key' }, NOW)).toBe(state);
  });
});
