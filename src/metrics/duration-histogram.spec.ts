import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { DurationHistogram, type DurationSeries } from './duration-histogram';

const CONFIGURATION = {
  name: 'seconds',
  help: 'How "long"\nit took.',
  labelNames: ['route', 'status'],
  buckets: [0.005, 0.1, 2.5],
};

describe('The histogram of durations', () => {
  it('says the same as that of the library', async () => {
    const route = fc.constantFrom('/a', '/a/{b}', 'ö"\\\n');
    const status = fc.constantFrom('200', '404');
    const seconds = fc.oneof(fc.constantFrom(0, 0.005, 0.1, 2.5), fc.double({ min: 0, max: 20, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(route, status, seconds), { maxLength: 60 }), async (observed) => {
        const [ours, theirs] = [new Registry(), new Registry()];
        const histogram = new DurationHistogram({ ...CONFIGURATION, registers: [ours] });
        const reference = new Histogram({ ...CONFIGURATION, registers: [theirs] });
        const series = new Map<string, DurationSeries>();
        for (const [inRoute, ofStatus, value] of observed) {
          const labels = { route: inRoute, status: ofStatus };
          const key = JSON.stringify(labels);
          const own = series.get(key) ?? histogram.series(labels);
          series.set(key, own);
          own.observe(value);
          reference.observe(labels, value);
        }
        expect(await ours.metrics()).toBe(await theirs.metrics());
      }),
    );
  });
});
