import fc from 'fast-check';
import { type LaneFacts, shareOut, type SharingRules, worthReading } from './lane-shares';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const RULES: SharingRules = {
  bound: 20,
  slots: { healthy: 128, failing: 64 },
  read: 1_000,
  now: NOW,
  leaseEnd: NOW + 40_000,
};

const lane = (fields: Partial<LaneFacts> = {}): LaneFacts => ({
  isFailing: false,
  underWay: 0,
  due: 1,
  nextDue: Infinity,
  rate: null,
  tokens: 0,
  tokensAt: null,
  ...fields,
});

const takes = (lanes: LaneFacts[], rules: Partial<SharingRules> = {}) =>
  shareOut(lanes, { ...RULES, ...rules }).map(({ take }) => take);
const wake = (fields: Partial<LaneFacts>, rules: Partial<SharingRules> = {}) =>
  shareOut([lane(fields)], { ...RULES, ...rules }).map(({ wakeAt }) => wakeAt - NOW)[0];

describe('A lane that is alone', () => {
  it.each([
    ['all that is due', { due: 7 }, 7],
    ['no more than the bound of an endpoint', { due: 1_000 }, 20],
    ['what is left of the bound', { due: 1_000, underWay: 15 }, 5],
    ['nothing at the bound', { due: 1_000, underWay: 20 }, 0],
    ['nothing beyond the bound', { due: 1_000, underWay: 25 }, 0],
    ['two when it fails', { due: 1_000, isFailing: true }, 2],
    ['one more when it fails and one is under way', { due: 1_000, isFailing: true, underWay: 1 }, 1],
    ['what its rate allows in a quarter of a second', { due: 1_000, rate: 20 }, 5],
    ['at least one at the lowest rate', { due: 1_000, rate: 1 }, 1],
    ['what has come into its bucket since', { due: 1_000, rate: 20, tokens: 1.5, tokensAt: NOW - 100 }, 3],
    ['nothing from an empty bucket', { due: 1_000, rate: 20, tokens: 0.5, tokensAt: NOW }, 0],
    ['nothing less when the clock was set back', { due: 1_000, rate: 20, tokens: 2, tokensAt: NOW + 60_000 }, 2],
  ])('gets %s', (_, fields, take) => expect(takes([lane(fields)])).toEqual([take]));

  it.each([
    ['never, with nothing left', { due: 0 }, Infinity],
    ['when the claim ends, with everything under way', { due: 5 }, 40_000],
    ['when the next one is due', { due: 5, nextDue: NOW + 3_000 }, 3_000],
    ['when there must have been a result, at its bound', { due: 1_000 }, 40_000],
    ['when another claim of it ends, at its bound', { due: 1_000, underWay: 20, nextDue: NOW + 500 }, 500],
    ['when the next token comes', { due: 10, rate: 2, tokens: 0.5, tokensAt: NOW }, 250],
    ['after a while, when tokens come quickly', { due: 1_000, rate: 1_000, tokens: 0.5, tokensAt: NOW }, 50],
  ])('wakes %s', (_, fields, ms) => expect(wake(fields)).toBe(ms));

  it('wakes at once when it got its share and has more', () => {
    const three = Array.from({ length: 3 }, () => lane({ due: 500 }));
    const shares = shareOut(three, { ...RULES, slots: { healthy: 33, failing: 0 } });
    expect(shares.map(({ take, wakeAt }) => [take, wakeAt - NOW])).toEqual(Array(3).fill([6, 0]));
  });

  it('wakes at once when there may be more than was looked at', () => {
    expect(wake({ due: 4 }, { read: 4 })).toBe(0);
    expect(wake({ due: 4 }, { read: 5 })).toBe(40_000);
  });
});

describe('Lanes that share', () => {
  it('get one each first', () => {
    expect(takes([lane({ due: 20_000 }), ...Array.from({ length: 127 }, () => lane())])).toEqual(Array(128).fill(1));
  });

  it('get more than one from half of what is left, in equal shares', () => {
    expect(
      takes([lane({ due: 500 }), lane({ due: 500 }), lane({ due: 500 })], { slots: { healthy: 33, failing: 0 } }),
    ).toEqual([6, 6, 6]);
  });

  it('leave to others what they do not need', () => {
    expect(
      takes([lane({ due: 1 }), lane({ due: 2 }), lane({ due: 500 })], { slots: { healthy: 63, failing: 0 } }),
    ).toEqual([1, 2, 15]);
  });

  it('hold no more than a quarter of the free slots each', () => {
    expect(takes([lane({ due: 500, underWay: 3 })], { slots: { healthy: 20, failing: 0 } })).toEqual([2]);
    expect(takes([lane({ due: 500, underWay: 1 })], { slots: { healthy: 7, failing: 0 } })).toEqual([0]);
  });

  it('do not mix those that work with those that fail', () => {
    const lanes = [lane({ due: 50, isFailing: true }), lane({ due: 50 })];
    expect(takes(lanes, { slots: { healthy: 128, failing: 0 } })[1]).toBe(20);
    expect(takes(lanes, { slots: { healthy: 0, failing: 64 } })[0]).toBe(2);
  });
});

describe('Sharing out, whatever the lanes', () => {
  const anyLane: fc.Arbitrary<LaneFacts> = fc.record({
    isFailing: fc.boolean(),
    underWay: fc.nat(25),
    due: fc.nat(60),
    nextDue: fc.oneof(fc.constant(Infinity), fc.integer({ min: NOW + 1, max: NOW + 100_000 })),
    rate: fc.option(fc.integer({ min: 1, max: 1_000 })),
    tokens: fc.double({ min: 0, max: 250, noNaN: true }),
    tokensAt: fc.option(fc.integer({ min: NOW - 10_000, max: NOW + 10_000 })),
  });
  const situation = fc
    .record({
      healthy: fc.nat(200),
      failing: fc.nat(100),
      bound: fc.integer({ min: 1, max: 40 }),
      lanes: fc.array(anyLane),
    })
    .map(({ healthy, failing, bound, lanes }) => {
      const of = (isFailing: boolean, most: number) =>
        lanes.filter((one) => one.isFailing === isFailing).slice(0, most);
      const known = [...of(false, healthy), ...of(true, failing)];
      const read = worthReading(of(false, healthy).length, healthy);
      const seen = known.map((one) => ({ ...one, due: Math.min(one.due, read) }));
      return { lanes: seen, rules: { ...RULES, bound, slots: { healthy, failing }, read } };
    });

  const check = (property: (lanes: LaneFacts[], rules: SharingRules, shares: ReturnType<typeof shareOut>) => void) =>
    fc.assert(
      fc.property(situation, ({ lanes, rules }) => property(lanes, rules, shareOut(lanes, rules))),
      { numRuns: 3_000 },
    );

  it('gives no more than there are slots, of either kind', () =>
    check((lanes, { slots }, shares) => {
      for (const isFailing of [false, true]) {
        const total = shares.reduce((sum, { take }, i) => sum + (lanes[i]?.isFailing === isFailing ? take : 0), 0);
        expect(total).toBeLessThanOrEqual(isFailing ? slots.failing : slots.healthy);
      }
    }));

  it('gives no lane more than is due, than its bound or than its tokens', () =>
    check((lanes, { bound }, shares) =>
      shares.forEach(({ take, tokens }, i) => {
        const { due, underWay, rate, isFailing } = lanes[i] as LaneFacts;
        expect(take).toBeGreaterThanOrEqual(0);
        expect(take).toBeLessThanOrEqual(due);
        if (take > 0) expect(underWay + take).toBeLessThanOrEqual(isFailing ? Math.min(2, bound) : bound);
        if (rate !== null) expect(take + tokens).toBeLessThanOrEqual(Math.max(1, rate / 4) + 1e-9);
        expect(tokens).toBeGreaterThanOrEqual(0);
      }),
    ));

  it('gives every lane of which nothing is under way something, if its rate allows', () =>
    check((lanes, _, shares) =>
      shares.forEach(({ take }, i) => {
        const { due, underWay, rate } = lanes[i] as LaneFacts;
        if (due > 0 && underWay === 0 && rate === null) expect(take).toBeGreaterThanOrEqual(1);
      }),
    ));

  it('never lets a lane oversleep', () =>
    check((lanes, { leaseEnd, now }, shares) =>
      shares.forEach(({ take, wakeAt, tokens }, i) => {
        const { due, nextDue, rate, underWay } = lanes[i] as LaneFacts;
        if (take > 0) expect(wakeAt).toBeLessThanOrEqual(Math.max(leaseEnd, now));
        const waitsForToken = rate !== null && due > take && tokens < 1;
        if (!waitsForToken) expect(wakeAt).toBeLessThanOrEqual(nextDue);
        else expect(wakeAt).toBeLessThanOrEqual(now + Math.max(50, 1_000 / Number(rate)));
        // It may only wait for a result when there will be one.
        if (due > take && !waitsForToken && wakeAt > now) expect(underWay + take).toBeGreaterThan(0);
      }),
    ));
});
