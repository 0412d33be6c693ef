import fc from 'fast-check';
import { type LaneFacts, type LaneShare, shareOut, type SharingRules, type TenantFacts } from './lane-shares';
import { mostOfTenant } from '../sending/slots';
import { cases } from '../../../test/support/random-cases';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const RULES: SharingRules = {
  bound: 20,
  slots: { total: 128, proven: 112, doubtful: 64 },
  read: 1_000,
  now: NOW,
  leaseEnd: NOW + 40_000,
};

const lane = (fields: Partial<LaneFacts> = {}): LaneFacts => ({
  underWay: 0,
  due: 1,
  nextDue: Infinity,
  rate: null,
  tokens: 0,
  tokensAt: null,
  ...fields,
});

const tenant = (lanes: Partial<LaneFacts>[], fields: Partial<TenantFacts> = {}): TenantFacts => ({
  isDoubtful: false,
  held: 0,
  ...fields,
  lanes: lanes.map(lane),
});

const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);
const proven = (slots: number) => ({ slots: { total: slots, proven: slots, doubtful: 0 } });
const takes = (tenants: TenantFacts[], rules: Partial<SharingRules> = {}) =>
  shareOut(tenants, { ...RULES, ...rules }).map((shares) => shares.map(({ take }) => take));
const alone = (fields: Partial<LaneFacts>, ofTenant: Partial<TenantFacts> = {}, rules: Partial<SharingRules> = {}) =>
  shareOut([tenant([fields], ofTenant)], { ...RULES, ...rules })[0]?.[0] as LaneShare;

describe('A single lane', () => {
  it.each<[string, Partial<LaneFacts>, Partial<TenantFacts>, number]>([
    ['all that is due', { due: 7 }, {}, 7],
    ['no more than the limit of an endpoint', { due: 1_000 }, {}, 20],
    ['what is left of the limit', { due: 1_000, underWay: 15 }, { held: 15 }, 5],
    ['nothing at the limit', { due: 1_000, underWay: 20 }, { held: 20 }, 0],
    ['nothing beyond the limit', { due: 1_000, underWay: 25 }, { held: 25 }, 0],
    ['nothing at the limit, even if other processes use all of it', { due: 1_000, underWay: 20 }, {}, 0],
    ['two when it is doubtful', { due: 1_000 }, { isDoubtful: true }, 2],
    ['one more when it is doubtful and one is under way', { due: 9, underWay: 1 }, { isDoubtful: true, held: 1 }, 1],
    ['what its rate allows in a quarter of a second', { due: 1_000, rate: 20 }, {}, 5],
    ['at least one at the lowest rate', { due: 1_000, rate: 1 }, {}, 1],
    ['the tokens that its bucket has gained since', { due: 1_000, rate: 20, tokens: 1.5, tokensAt: NOW - 100 }, {}, 3],
    ['nothing from an empty bucket', { due: 1_000, rate: 20, tokens: 0.5, tokensAt: NOW }, {}, 0],
    ['no less if the clock was set back', { due: 1_000, rate: 20, tokens: 2, tokensAt: NOW + 60_000 }, {}, 2],
  ])('gets %s', (_, fields, ofTenant, take) => expect(alone(fields, ofTenant).take).toBe(take));

  it.each<[string, Partial<LaneFacts>, number]>([
    ['never, with nothing left', { due: 0 }, Infinity],
    ['when the claim ends, with everything under way', { due: 5 }, 40_000],
    ['when the next one is due', { due: 5, nextDue: NOW + 3_000 }, 3_000],
    ['when results are expected, at its limit', { due: 1_000 }, 40_000],
    ['when another of its claims ends, at its limit', { due: 1_000, underWay: 20, nextDue: NOW + 500 }, 500],
    ['when the next token comes', { due: 10, rate: 2, tokens: 0.5, tokensAt: NOW }, 250],
    ['after a while, when tokens come quickly', { due: 1_000, rate: 1_000, tokens: 0.5, tokensAt: NOW }, 50],
  ])('wakes %s', (_, fields, ms) => expect(alone(fields).wakeAt - NOW).toBe(ms));

  it('wakes at once if it got its share and has more', () => {
    const shares = shareOut(many(3, tenant([{ due: 500 }])), { ...RULES, ...proven(33) });
    expect(shares.flat().map(({ take, wakeAt }) => [take, wakeAt - NOW])).toEqual(many(3, [6, 0]));
  });

  it('wakes at once if more may be due than was read', () => {
    expect(alone({ due: 4 }, {}, { read: 4 }).wakeAt - NOW).toBe(0);
    expect(alone({ due: 4 }, {}, { read: 5 }).wakeAt - NOW).toBe(40_000);
  });

  it('stays due if its tenant gets nothing more', () => {
    expect(alone({ due: 4 }, { held: 70 })).toMatchObject({ take: 0, wakeAt: NOW });
  });
});

describe('Tenants that share slots', () => {
  it('get one each first, however many endpoints one of them has', () => {
    const hostile = tenant(many(400, { due: 50 }));
    const others = many(100, tenant([{ due: 1 }]));
    const [ofHostile = [], ...ofOthers] = takes([hostile, ...others]);
    expect(ofOthers.flat()).toEqual(many(100, 1));
    expect(ofHostile.reduce((sum, take) => sum + take, 0)).toBeLessThanOrEqual(2);
  });

  it('get more than one from half of the remaining slots, in equal shares', () => {
    expect(takes(many(3, tenant([{ due: 500 }])), proven(33))).toEqual(many(3, [6]));
    expect(takes(many(3, tenant(many(50, { due: 500 }))), proven(33)).map((shares) => shares.filter(Boolean))).toEqual(
      many(3, many(6, 1)),
    );
  });

  it('leave to others what they do not need', () => {
    expect(takes([tenant([{ due: 1 }]), tenant([{ due: 2 }]), tenant([{ due: 500 }])], proven(63))).toEqual([
      [1],
      [2],
      [14],
    ]);
  });

  it('hold at most half of the slots then free, or a quarter if their lanes are doubtful', () => {
    expect(takes([tenant(many(50, {}), { held: 3 })], proven(21))[0]?.filter(Boolean)).toHaveLength(5);
    const slots = { total: 22, proven: 0, doubtful: 22 };
    expect(takes([tenant(many(50, {}), { held: 3, isDoubtful: true })], { slots })[0]?.filter(Boolean)).toHaveLength(2);
  });

  it('do not mix proven and doubtful lanes', () => {
    const tenants = [tenant([{ due: 50 }], { isDoubtful: true }), tenant([{ due: 50 }])];
    expect(takes(tenants, { slots: { total: 128, proven: 112, doubtful: 0 } })).toEqual([[0], [20]]);
    expect(takes(tenants, { slots: { total: 64, proven: 0, doubtful: 64 } })).toEqual([[2], [0]]);
  });
});

describe('The lanes of a tenant', () => {
  it('get one each before any gets a second', () => {
    expect(takes([tenant(many(6, { due: 50 }))], proven(21))).toEqual([[2, 1, 1, 1, 1, 1]]);
    expect(takes([tenant(many(6, { due: 50 }))], proven(12))).toEqual([[1, 1, 1, 1, 0, 0]]);
  });

  it('each leave half as many slots as they have to the others of their tenant', () => {
    // Of 33 the tenant may have 11.
    expect(takes([tenant([{ due: 500 }])], proven(33))).toEqual([[7]]);
    expect(takes([tenant([{ due: 500, underWay: 7 }], { held: 7 })], proven(26))).toEqual([[0]]);
    expect(takes([tenant([{ due: 500, underWay: 6 }], { held: 6 })], proven(27))).toEqual([[1]]);
  });
});

describe('Sharing slots, for random lanes', () => {
  const anyLane: fc.Arbitrary<LaneFacts> = fc.record({
    underWay: fc.nat(25),
    due: fc.nat(60),
    nextDue: fc.oneof(fc.constant(Infinity), fc.integer({ min: NOW + 1, max: NOW + 100_000 })),
    rate: fc.option(fc.integer({ min: 1, max: 1_000 })),
    tokens: fc.double({ min: 0, max: 250, noNaN: true }),
    tokensAt: fc.option(fc.integer({ min: NOW - 10_000, max: NOW + 10_000 })),
  });
  const anyTenant: fc.Arbitrary<TenantFacts> = fc.record({
    isDoubtful: fc.boolean(),
    held: fc.oneof(fc.constant(0), fc.nat(80)),
    lanes: fc.array(anyLane, { maxLength: 6 }),
  });
  const situation = fc
    .record({
      total: fc.nat(200),
      proven: fc.nat(200),
      doubtful: fc.nat(100),
      bound: fc.integer({ min: 1, max: 40 }),
      tenants: fc.array(anyTenant),
    })
    .map(({ total, proven: ofProven, doubtful: ofDoubtful, bound, tenants }) => {
      const slots = { total, proven: Math.min(total, ofProven), doubtful: Math.min(total, ofDoubtful) };
      const of = (isDoubtful: boolean, most: number) =>
        tenants.filter((one) => one.isDoubtful === isDoubtful).slice(0, most);
      const asked = [...of(false, slots.proven), ...of(true, slots.doubtful)];
      // As `READ_LANES`.
      const read = 4 + Math.ceil(slots.total / 2 / Math.max(1, asked.flatMap(({ lanes }) => lanes).length));
      const seen = asked.map((one) => ({
        ...one,
        lanes: one.lanes.map((each) => ({ ...each, due: Math.min(each.due, read) })),
      }));
      return { tenants: seen, rules: { ...RULES, bound, slots, read } };
    });

  interface Shared {
    tenant: TenantFacts;
    shares: LaneShare[];
    taken: number;
  }
  const check = (property: (shared: Shared[], rules: SharingRules) => void) =>
    fc.assert(
      fc.property(situation, ({ tenants, rules }) => {
        const shares = shareOut(tenants, rules);
        property(
          tenants.map((one, place) => ({
            tenant: one,
            shares: shares[place] ?? [],
            taken: (shares[place] ?? []).reduce((sum, { take }) => sum + take, 0),
          })),
          rules,
        );
      }),
      { numRuns: cases(600) },
    );
  const lanesOf = (shared: Shared[]) =>
    shared.flatMap(({ tenant: of, shares }) =>
      of.lanes.map((facts, place) => ({ of, facts, share: shares[place] as LaneShare })),
    );

  it('gives out no more than there are slots, per kind and in total', () =>
    check((shared, { slots }) => {
      const sum = (some: Shared[]) => some.reduce((total, { taken }) => total + taken, 0);
      expect(sum(shared)).toBeLessThanOrEqual(slots.total);
      expect(sum(shared.filter(({ tenant: { isDoubtful } }) => isDoubtful))).toBeLessThanOrEqual(slots.doubtful);
      expect(sum(shared.filter(({ tenant: { isDoubtful } }) => !isDoubtful))).toBeLessThanOrEqual(slots.proven);
    }));

  it('gives no tenant more than its part of the free slots', () =>
    check((shared, { slots }) => {
      for (const { tenant: of, taken } of shared) {
        if (taken === 0) continue;
        const most = mostOfTenant(of.isDoubtful ? slots.doubtful : slots.proven, of.held, of.isDoubtful);
        expect(of.held + taken).toBeLessThanOrEqual(most);
      }
    }));

  it('gives a slot to every tenant that holds none, if one of its lanes can send', () =>
    check((shared, { slots }) => {
      for (const { tenant: of, taken } of shared) {
        const canSend = of.lanes.some(({ due, underWay, rate }) => due > 0 && underWay === 0 && rate === null);
        if (of.held === 0 && canSend && !of.isDoubtful) expect(taken).toBeGreaterThanOrEqual(1);
        if (of.held === 0 && canSend && slots.proven === 0) expect(taken).toBeGreaterThanOrEqual(1);
      }
    }));

  it('gives no lane more than is due, than its limit or than its tokens', () =>
    check((shared, { bound }) => {
      for (const { of, facts, share } of lanesOf(shared)) {
        const { due, underWay, rate } = facts;
        expect(share.take).toBeGreaterThanOrEqual(0);
        expect(share.take).toBeLessThanOrEqual(due);
        if (share.take > 0)
          expect(underWay + share.take).toBeLessThanOrEqual(of.isDoubtful ? Math.min(2, bound) : bound);
        if (rate !== null) expect(share.take + share.tokens).toBeLessThanOrEqual(Math.max(1, rate / 4) + 1e-9);
        expect(share.tokens).toBeGreaterThanOrEqual(0);
      }
    }));

  it('never lets a lane oversleep', () =>
    check((shared, { leaseEnd, now }) => {
      for (const { facts, share } of lanesOf(shared)) {
        const { due, nextDue, rate, underWay } = facts;
        const { take, wakeAt, tokens } = share;
        if (take > 0) expect(wakeAt).toBeLessThanOrEqual(Math.max(leaseEnd, now));
        const waitsForToken = rate !== null && due > take && tokens < 1;
        if (!waitsForToken) expect(wakeAt).toBeLessThanOrEqual(nextDue);
        else expect(wakeAt).toBeLessThanOrEqual(now + Math.max(50, 1_000 / Number(rate)));
        // It may wait for a result only if one will come.
        if (due > take && !waitsForToken && wakeAt > now) expect(underWay + take).toBeGreaterThan(0);
      }
    }));
});
