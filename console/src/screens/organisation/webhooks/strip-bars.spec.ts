import { stripHours } from './strip-bars';

const FROM = '2026-11-20T08:00:00.000Z';

describe('The strip of a day', () => {
  it('has the hours in their order, as high as the largest of them', () => {
    expect(stripHours(FROM, [100, 0], [0, 50])).toEqual([
      { at: Date.parse(FROM), succeeded: 100, failed: 0, up: 1, down: 0 },
      { at: Date.parse('2026-11-20T09:00:00.000Z'), succeeded: 0, failed: 50, up: 0, down: 0.5 },
    ]);
  });

  it('shows one attempt among thousands, and nothing where there was none', () => {
    const [hour] = stripHours(FROM, [5_000], [1]);
    expect(hour?.down).toBeGreaterThan(0.1);
    expect(stripHours(FROM, [0], [0])).toMatchObject([{ up: 0, down: 0 }]);
  });
});
