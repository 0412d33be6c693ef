import { attemptSeries, durationSeries, everyHour } from './hour-series';

const HOURS = everyHour({
  from: '2026-11-20T08:00:00.000Z',
  to: '2026-11-20T11:00:00.000Z',
  hours: [{ hour: '2026-11-20T09:00:00.000Z', succeeded: 3, failed: 1, p50_ms: 20, p95_ms: 40, p99_ms: 50 }],
});

describe('The hours of an endpoint', () => {
  it('are all there, those without attempts, too', () => {
    expect(HOURS.map(({ at }) => new Date(at).getUTCHours())).toEqual([8, 9, 10]);
    expect(attemptSeries(HOURS).slice(1)).toEqual([
      [0, 3, 0],
      [0, 1, 0],
    ]);
  });

  it('have no duration without attempts', () => {
    expect(durationSeries(HOURS)[2]).toEqual([null, 40, null]);
    expect(durationSeries(HOURS)[0][0]).toBe(Date.parse('2026-11-20T08:00:00.000Z') / 1_000);
  });
});
