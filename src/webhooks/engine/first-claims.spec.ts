import { claimFirst, type ListeningLane, type NewDelivery } from './first-claims';
import { Slots } from '../sending/slots';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const RULES = { bound: 20, now: NOW, leaseEnd: NOW + 40_000 };

const lane = (endpoint_id: string, fields: Partial<ListeningLane> = {}): ListeningLane => ({
  endpoint_id,
  tenant_id: `owner of ${endpoint_id}`,
  generation: 1,
  wake_at: null,
  tokens: 0,
  tokens_at: null,
  is_doubtful: false,
  rate: null,
  under_way: 0,
  has_due: false,
  target_url: 'https://hooks.example.com',
  encrypted_query: null,
  encrypted_secret: Buffer.alloc(0),
  encrypted_headers: null,
  former: [],
  ...fields,
});

const newOnes = (endpoint_id: string, count: number): NewDelivery[] =>
  Array.from({ length: count }, (_, n) => ({ id: `${endpoint_id}${n + 1}`, endpoint_id }));

/** What is claimed of deliveries to one lane, and how the lane moves. */
function alone(fields: Partial<ListeningLane>, count = 1, slots: Slots | undefined = new Slots(128)) {
  const { claimed, moves } = claimFirst(newOnes('a', count), [lane('a', fields)], slots, RULES);
  const [move] = moves;
  return {
    claimed: [...claimed],
    wakes: move && move.wakeAt.getTime() - NOW,
    tokens: move?.tokens ?? null,
  };
}

describe('New deliveries', () => {
  it('are claimed at once if their lane works and has nothing else due; it then wakes when the claim ends', () => {
    expect(alone({})).toEqual({ claimed: ['a1'], wakes: 40_000, tokens: null });
    expect(alone({}, 3)).toMatchObject({ claimed: ['a1', 'a2', 'a3'] });
  });

  it('do not move a lane that wakes early enough', () => {
    expect(alone({ wake_at: new Date(NOW + 39_999) })).toEqual({ claimed: ['a1'], wakes: undefined, tokens: null });
    expect(alone({ wake_at: new Date(NOW + 40_001) })).toMatchObject({ wakes: 40_000 });
  });

  it.each<[string, Partial<ListeningLane>]>([
    ['is failing or has never succeeded', { is_doubtful: true }],
    ['has older deliveries that are due', { has_due: true }],
  ])('are queued, and wake their lane, if it %s', (_, fields) => {
    expect(alone(fields)).toEqual({ claimed: [], wakes: 0, tokens: null });
  });

  it('are queued if the process has no slots for them', () => {
    const { claimed, moves } = claimFirst(newOnes('a', 1), [lane('a')], undefined, RULES);
    expect([claimed.size, moves]).toEqual([0, [{ endpoint_id: 'a', wakeAt: new Date(NOW), tokens: null }]]);
    const full = new Slots(8);
    for (let n = 0; n < 8; n++) full.take(`other ${n}`, false);
    expect(alone({}, 1, full)).toMatchObject({ claimed: [], wakes: 0 });
  });

  it('are claimed up to the limit of their endpoint; the others wait for results', () => {
    const wake_at = new Date(NOW + 50_000);
    expect(alone({ under_way: 18, wake_at }, 5)).toMatchObject({ claimed: ['a1', 'a2'], wakes: 40_000 });
    expect(alone({ under_way: 20, wake_at }, 1)).toMatchObject({ claimed: [], wakes: undefined });
  });

  it('wake a lane at once that was enabled again while attempts of before are in flight', () => {
    expect(alone({ under_way: 18 }, 5)).toMatchObject({ claimed: ['a1', 'a2'], wakes: 0 });
    expect(alone({ under_way: 20 }, 1)).toMatchObject({ claimed: [], wakes: 0 });
  });

  it.each<[string, Partial<ListeningLane>]>([
    ['as many attempts in flight as it may', { under_way: 20 }],
    ['more than that, since its bound was lowered', { under_way: 21 }],
    ['that many, and older deliveries that are due', { under_way: 20, has_due: true }],
    ['two, and is failing', { under_way: 2, is_doubtful: true }],
  ])('are queued without waking a lane that has %s: a result will', (_, fields) => {
    const at = lane('a', { wake_at: new Date(NOW + 39_000), ...fields });
    const first = claimFirst(newOnes('a', 3), [at], new Slots(128), RULES);
    expect(first).toEqual({ claimed: new Set(), moves: [], hasDue: false });
    // One attempt fewer, and a claim would take some.
    const free = claimFirst(newOnes('a', 3), [{ ...at, under_way: (at.under_way > 2 ? 20 : 2) - 1 }], undefined, RULES);
    expect([free.moves.length, free.hasDue]).toEqual([1, true]);
  });

  it('are due for a claim if not all of them were claimed at once', () => {
    const of = (slots?: Slots) => claimFirst(newOnes('a', 2), [lane('a')], slots, RULES).hasDue;
    expect([of(new Slots(128)), of(undefined)]).toEqual([false, true]);
  });

  it('use up the tokens of a rate limit, and wake the lane when the next one comes', () => {
    expect(alone({ rate: 20 }, 7)).toEqual({ claimed: ['a1', 'a2', 'a3', 'a4', 'a5'], wakes: 50, tokens: 0 });
    expect(alone({ rate: 2, tokens: 0.5, tokens_at: new Date(NOW) })).toEqual({
      claimed: [],
      wakes: 250,
      tokens: null,
    });
  });

  it('of an owner get no more slots than a claim would give', () => {
    const lanes = Array.from({ length: 100 }, (_, n) => lane(`lane ${n}`, { tenant_id: 'one' }));
    const deliveries = lanes.flatMap(({ endpoint_id }) => newOnes(endpoint_id, 1));
    expect(claimFirst(deliveries, lanes, new Slots(128), RULES).claimed.size).toBe(37);
    const slots = new Slots(128);
    for (let n = 0; n < 37; n++) slots.take('one', false);
    expect(claimFirst(deliveries, lanes, slots, RULES).claimed.size).toBe(0);
  });
});
