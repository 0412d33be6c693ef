import fc from 'fast-check';
import { Metrics } from './metrics';

const seriesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

describe('What a process tells Prometheus', () => {
  it('starts every count at 0, for each value of its labels', async () => {
    const metrics = new Metrics();
    const counter = metrics.counter('toolyard_runs_total', 'Runs.', {
      kind: ['a', 'b'],
      result: ['success', 'failure'],
    });
    counter.add({ kind: 'a', result: 'failure' });
    counter.add({ kind: 'a', result: 'failure' }, 2);
    const lines = seriesOf(await metrics.text()).filter((line) => line.startsWith('toolyard_runs_total'));
    expect(lines.sort()).toEqual([
      'toolyard_runs_total{kind="a",result="failure"} 3',
      'toolyard_runs_total{kind="a",result="success"} 0',
      'toolyard_runs_total{kind="b",result="failure"} 0',
      'toolyard_runs_total{kind="b",result="success"} 0',
    ]);
  });

  it('reads gauges at each scrape, once for all that scrape at the same time', async () => {
    const metrics = new Metrics();
    let reads = 0;
    metrics.gauge('toolyard_queue', 'Waiting.', () => Promise.resolve(++reads));
    const [one, other] = await Promise.all([metrics.text(), metrics.text()]);
    expect(other).toBe(one);
    expect(seriesOf(one)).toContain('toolyard_queue 1');
    expect(seriesOf(await metrics.text())).toContain('toolyard_queue 2');
  });

  it('leaves out what cannot be read, and counts that', async () => {
    const metrics = new Metrics();
    const answers = [() => 7, () => Promise.reject(new Error('away')), () => undefined];
    metrics.gauge('toolyard_queue', 'Waiting.', () => answers.shift()?.());
    expect(seriesOf(await metrics.text())).toContain('toolyard_queue 7');
    expect(await metrics.text()).not.toMatch(/^toolyard_queue /m);
    const last = await metrics.text();
    expect(last).not.toMatch(/^toolyard_queue /m);
    expect(seriesOf(last)).toContain('toolyard_unread_gauges_total 1');
  });

  it('lets several parts declare values of one counter, with one help', async () => {
    const metrics = new Metrics();
    metrics.counter('toolyard_made_total', 'Made.', { kind: ['a'] }).add({ kind: 'a' });
    metrics.counter('toolyard_made_total', 'Made.', { kind: ['b'] }).add({ kind: 'b' }, 2);
    const lines = seriesOf(await metrics.text()).filter((line) => line.startsWith('toolyard_made_total'));
    expect(lines.sort()).toEqual(['toolyard_made_total{kind="a"} 1', 'toolyard_made_total{kind="b"} 2']);
    expect(() => metrics.counter('toolyard_made_total', 'Made', { kind: ['c'] })).toThrow(/was declared before/);
    expect(() => metrics.counter('toolyard_made_total', 'Made.', { sort: ['c'] })).toThrow(/was declared before/);
  });

  it('asks the database once in ten seconds, however many scrape, and whether it answered or not', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(50_000);
    const metrics = new Metrics();
    let reads = 0;
    const answers = () => (++reads === 3 ? Promise.reject(new Error('away')) : Promise.resolve(reads));
    metrics.databaseGauges({ toolyard_depth: 'Waiting.', toolyard_age_seconds: 'The oldest.' }, async () => {
      const answer = await answers();
      return { toolyard_depth: answer, toolyard_age_seconds: answer === 2 ? undefined : answer / 2 };
    });
    const scrape = async (at: number) => {
      now.mockReturnValue(at);
      return seriesOf(await metrics.text()).filter((line) => /^toolyard_(depth|age)/.test(line));
    };
    try {
      expect(await scrape(50_000)).toEqual(['toolyard_depth 1', 'toolyard_age_seconds 0.5']);
      expect(await scrape(59_999)).toEqual(['toolyard_depth 1', 'toolyard_age_seconds 0.5']);
      expect(await scrape(60_000)).toEqual(['toolyard_depth 2']);
      expect(await scrape(70_000)).toEqual([]);
      expect(await scrape(79_000)).toEqual([]);
      expect(await scrape(80_000)).toEqual(['toolyard_depth 4', 'toolyard_age_seconds 2']);
      expect(reads).toBe(4);
    } finally {
      now.mockRestore();
    }
  });

  it('refuses to start with labels of so many values that the bound would not hold', () => {
    const values = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(values, (sizes) => {
        const metrics = new Metrics();
        const declareAll = () =>
          sizes.forEach((size, place) =>
            metrics.counter(`toolyard_of_${place}_total`, 'Some.', {
              kind: Array.from({ length: size }, (_, n) => String(n)),
            }),
          );
        // One series is that of the metrics themselves.
        if (sizes.reduce((sum, size) => sum + size, 1) > 520) expect(declareAll).toThrow(/more than 520/);
        else expect(declareAll).not.toThrow();
      }),
    );
  });

  it('observes durations with the labels of their combinations, and of all after the last place as _OTHER', async () => {
    const metrics = new Metrics();
    const values = { method: ['a', 'b'], outcome: ['ok', 'error'] } as const;
    const durations = metrics.durations('work_seconds', 'Work.', values, { buckets: [0.1, 1], most: 2 });
    durations.observe({ method: 'a', outcome: 'ok' }, 0.05);
    durations.observe({ outcome: 'ok', method: 'a' }, 0.5);
    durations.observe({ method: 'b', outcome: 'error' }, 2);
    durations.observe({ method: 'b', outcome: 'ok' }, 2);
    durations.observe({ method: 'a', outcome: 'error' }, 2);
    const lines = seriesOf(await metrics.text());
    expect(lines.filter((line) => line.startsWith('work_seconds_count'))).toEqual([
      'work_seconds_count{method="a",outcome="ok"} 2',
      'work_seconds_count{method="b",outcome="error"} 1',
      'work_seconds_count{method="_OTHER",outcome="_OTHER"} 2',
    ]);
    expect(lines).toContain('work_seconds_bucket{le="0.1",method="a",outcome="ok"} 1');
    expect(lines).toContain('work_seconds_bucket{le="1",method="a",outcome="ok"} 2');
  });

  it('counts every series that durations could have, whether they have it yet or not', () => {
    const values = { kind: Array.from({ length: 100 }, (_, n) => String(n)) };
    const declare = (most: number) => () =>
      new Metrics().durations('work_seconds', 'Work.', values, { buckets: [1, 2], most });
    // One series is that of the metrics themselves; each combination has five, and so have the others.
    expect(declare(102)).not.toThrow();
    expect(declare(99)).not.toThrow();
    const two = new Metrics();
    two.durations('work_seconds', 'Work.', values, { buckets: [1, 2], most: 50 });
    expect(() => two.durations('rest_seconds', 'Rest.', values, { buckets: [1, 2], most: 53 })).toThrow(
      /more than 520/,
    );
  });

  it('never has 2,000 series, whatever is requested and with all that nouns may declare', async () => {
    const request = fc.record({
      route: fc.option(
        fc.nat(500).map((n) => `/v1/things-${n}`),
        { nil: undefined },
      ),
      method: fc.oneof(fc.constantFrom('GET', 'POST', 'DELETE'), fc.string()),
      status: fc.integer({ min: 200, max: 599 }),
      seconds: fc.double({ min: 0, max: 60, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1_000, maxLength: 2_000 }), async (requests) => {
        const metrics = new Metrics();
        metrics.counter('toolyard_all_total', 'All.', { kind: Array.from({ length: 519 }, (_, n) => String(n)) });
        metrics.addProcess();
        for (const { route, method, status, seconds } of requests)
          metrics.requests.observe(route, method, status, seconds);
        const series = seriesOf(await metrics.text());
        expect(series.length).toBeLessThan(2_000);
        const counts = series.filter((line) => line.startsWith('http_server_request_duration_seconds_count'));
        const total = counts.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
        expect(total).toBe(requests.length);
      }),
      { numRuns: 20 },
    );
  });
});
