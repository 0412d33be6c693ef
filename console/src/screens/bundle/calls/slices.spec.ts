import type { CallStatistics } from '../../../api/schema';
import { durationSeries, hasCalls, rateSeries, slicesOf } from './slices';

const counted = { calls: 4, errors: 1, p50_ms: 10, p95_ms: 20, p99_ms: 30 };
const statistics: CallStatistics = {
  from: '2026-11-28T09:20:00.000Z',
  to: '2026-11-28T12:05:00.000Z',
  is_complete: true,
  total: { ...counted, bytes_in: 1, bytes_out: 1 },
  groups: [
    {
      ...counted,
      ...{ bytes_in: 1, bytes_out: 1, tool: null, entry_id: null, entry_key: null, principal: null, outcome: null },
      begins_at: '2026-11-28T11:00:00.000Z',
    },
  ],
  group_count: 1,
  part_seconds: 3_600,
};

describe('The parts of a period', () => {
  const slices = slicesOf(statistics);

  it('follow each other up to its end, also those without calls', () => {
    expect(slices.map(({ from, calls }) => [new Date(from).toISOString().slice(11, 16), calls])).toEqual([
      ['09:00', 0],
      ['10:00', 0],
      ['11:00', 4],
      ['12:00', 0],
    ]);
  });

  it('are none of statistics by something else', () => {
    expect(slicesOf({ ...statistics, part_seconds: null })).toEqual([]);
  });

  it('are drawn with a gap where nothing has ended', () => {
    expect(rateSeries(slices).slice(1)).toEqual([
      [0, 0, 4, 0],
      [0, 0, 1, 0],
    ]);
    expect(durationSeries(slices).slice(1)).toEqual([
      [null, null, 10, null],
      [null, null, 20, null],
      [null, null, 30, null],
    ]);
  });

  it('are not drawn if nothing was called', () => {
    expect(hasCalls(slices)).toBe(true);
    expect(hasCalls(slices.slice(0, 2))).toBe(false);
  });
});
