import fc from 'fast-check';
import { currentKey, dueChanges, type KeyTimes, MAX_TOKEN_MS, PUBLISHED_MS, SIGNING_MS } from './key-rotation';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.parse('2026-11-22T00:00:00Z');

const at = (ms: number) => new Date(ms);
const key = (kid: string, createdAt: number, signsFrom: number | null): KeyTimes => ({
  kid,
  createdAt: at(createdAt),
  signsFrom: signsFrom === null ? null : at(signsFrom),
});

/** The keys of an installation whose workers ran at some moments only, and what happened to them. */
class History {
  keys: KeyTimes[] = [];
  readonly signings: { kid: string; time: number; publishedFor: number; isFirst: boolean }[] = [];
  readonly removals: { key: KeyTimes; time: number }[] = [];
  private created = 0;

  /** @param file whether a key of the former release comes first */
  constructor(file: boolean) {
    if (file) this.create(START, START);
  }

  importLate(time: number): void {
    this.keys.push(key('late', time, null));
  }

  work(time: number): void {
    const { ended, next } = dueChanges(this.keys, at(time));
    if (next !== undefined) this.create(time, next.getTime());
    for (const gone of this.keys.filter(({ kid }) => ended.includes(kid))) this.removals.push({ key: gone, time });
    this.keys = this.keys.filter(({ kid }) => !ended.includes(kid));
  }

  sign(time: number): void {
    const current = currentKey(this.keys, at(time));
    if (current === undefined) return;
    const publishedFor = time - current.createdAt.getTime();
    this.signings.push({ kid: current.kid, time, publishedFor, isFirst: current.kid === 'key 1' });
  }

  private create(time: number, signsFrom: number): void {
    this.keys.push(key(`key ${++this.created}`, time, signsFrom));
  }
}

/** Milliseconds between two runs of a worker: minutes as a rule, months while the installation was off. */
const pauses = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 3 * DAY }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 120 * DAY }) },
  ),
  { minLength: 5, maxLength: 120 },
);

/** @returns a history in which tokens were signed at and between the runs */
function lived(file: boolean, gaps: readonly number[], lateAt: number | undefined): History {
  const history = new History(file);
  let time = START;
  for (const [index, gap] of gaps.entries()) {
    history.work(time);
    if (index === lateAt) history.importLate(time);
    for (const part of [0, 0.3, 0.9]) history.sign(time + gap * part);
    time += gap;
  }
  return history;
}

describe('The rotation of signing keys', () => {
  const histories = fc.tuple(fc.boolean(), pauses, fc.option(fc.nat(100), { nil: undefined }));
  const check = (rule: (history: History, gaps: readonly number[]) => void) =>
    fc.assert(fc.property(histories, ([file, gaps, lateAt]) => rule(lived(file, gaps, lateAt), gaps)));

  it('has a key that signs at any time, one and the same for everyone who asks', () => {
    check((history, gaps) => {
      expect(history.signings).toHaveLength(gaps.length * 3);
      const shuffled = history.keys.toReversed();
      expect(currentKey(shuffled, at(START + 10 * DAY))).toBe(currentKey(history.keys, at(START + 10 * DAY)));
    });
  });

  it('signs with no key that was published for less than 24 hours, except the first', () => {
    check(({ signings }) => {
      const tooNew = signings.filter(({ publishedFor, isFirst }) => publishedFor < PUBLISHED_MS && !isFirst);
      expect(tooNew).toEqual([]);
    });
  });

  it('removes no key before the last token that it signed has expired', () => {
    check(({ signings, removals }) => {
      for (const { key: gone, time } of removals) {
        const last = Math.max(
          ...signings.filter(({ kid }) => kid === gone.kid).map((signing) => signing.time),
          -Infinity,
        );
        expect(time - last).toBeGreaterThan(MAX_TOKEN_MS);
        expect(time - gone.createdAt.getTime()).toBeGreaterThan(MAX_TOKEN_MS);
      }
    });
  });

  it('does not go back to an earlier key', () => {
    check(({ signings }) => {
      const order = signings.map(({ kid }) => Number(kid.slice('key '.length)));
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    });
  });

  it('never publishes more than four keys, one of them imported', () => {
    check(({ keys }) => expect(keys.length).toBeLessThanOrEqual(4));
  });

  it('does nothing a second time', () => {
    check((history) => {
      const time = START + 1_000 * DAY;
      history.work(time);
      expect(dueChanges(history.keys, at(time))).toEqual({ ended: [], next: undefined });
    });
  });

  it('is monthly, if workers run', () => {
    const history = new History(false);
    for (let time = START; time < START + 366 * DAY; time += HOUR) {
      history.work(time);
      history.sign(time);
    }
    const turns = new Map(history.signings.toReversed().map(({ kid, time }) => [kid, time]));
    expect([...turns.values()].toReversed().map((time) => (time - START) / SIGNING_MS)).toEqual(
      Array.from({ length: 13 }, (_, month) => month),
    );
  });

  it('keeps a key in use past its month rather than sign with one that nobody could fetch', () => {
    const old = key('old', START, START);
    const now = START + 90 * DAY;
    const { next } = dueChanges([old], at(now));
    expect(next?.getTime()).toBeGreaterThanOrEqual(now + PUBLISHED_MS);
    const fresh = key('fresh', now, next?.getTime() ?? NaN);
    expect(currentKey([old, fresh], at(now + PUBLISHED_MS - 1))).toBe(old);
    expect(currentKey([old, fresh], at(now + 2 * PUBLISHED_MS))).toBe(fresh);
  });

  it('uses the first key even where the clock is behind', () => {
    const first = key('first', START, START);
    expect(currentKey([first], at(START - HOUR))).toBe(first);
  });
});
