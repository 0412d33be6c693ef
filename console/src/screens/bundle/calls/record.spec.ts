import type { Call } from '../../../api/schema';
import { heldCount, NOTHING_YET, PAGE_SIZE, shownCalls, withPage } from './record';

const call = (number: number, more: Partial<Call> = {}): Call => ({
  id: String(number).padStart(6, '0'),
  created_at: '2026-11-20T08:30:00.000Z',
  deployment_id: null,
  bundle_version: 1,
  entry_id: null,
  entry_key: null,
  method: 'tools/call',
  name: 'a',
  tool: 'a',
  definition_digest: null,
  principal: { type: 'person', id: 'p', name: null },
  client: { name: null, version: null },
  era: 'modern',
  outcome: 'OK',
  error_code: null,
  duration_ms: 1,
  upstream_ms: 1,
  bytes_in: 1,
  bytes_out: 1,
  request_id: 'r',
  trace_id: null,
  argument_keys: null,
  argument_digest: null,
  ...more,
});

const opened = [call(3), call(2, { outcome: 'STARTED', duration_ms: null }), call(1)];
const known = new Set(opened.map(({ id }) => id));
const ids = (calls: Call[]) => calls.map(({ id }) => Number(id));

describe('The record of calls while it is open', () => {
  it('has new calls in their places, each once', () => {
    const once = withPage(NOTHING_YET, known, [call(5), ...opened]);
    const twice = withPage(once, known, [call(6), call(5), call(4), ...opened]);
    expect(ids(shownCalls(opened, twice, undefined))).toEqual([6, 5, 4, 3, 2, 1]);
    expect(twice.hasGap).toBe(false);
  });

  it('shows that a call has ended, and keeps the objects of those that have not changed', () => {
    const ended = withPage(NOTHING_YET, known, [call(3), call(2), call(1)]);
    const [third, second, first] = shownCalls(opened, ended, undefined);
    expect(second?.outcome).toBe('OK');
    expect(third).toBe(opened[0]);
    expect(first).toBe(opened[2]);
  });

  it('holds back what came after a reading, but not the end of a call that is shown', () => {
    const once = withPage(NOTHING_YET, known, [call(4, { outcome: 'STARTED' }), ...opened]);
    const twice = withPage(once, known, [call(6), call(5), call(4), ...opened]);
    const shown = shownCalls(opened, twice, once.round);
    expect(ids(shown)).toEqual([4, 3, 2, 1]);
    expect(shown[0]?.outcome).toBe('OK');
    expect(heldCount(twice, once.round)).toBe(2);
    expect(heldCount(twice, undefined)).toBe(0);
  });

  it('has a gap when more came at once than a page has', () => {
    const page = Array.from({ length: PAGE_SIZE }, (_, index) => call(1_000 - index));
    const cut = withPage(NOTHING_YET, known, page);
    expect(cut.hasGap).toBe(true);
    expect(withPage(cut, known, page).hasGap).toBe(true);
    const whole = withPage(NOTHING_YET, known, [...page.slice(1), call(3)]);
    expect(whole.hasGap).toBe(false);
  });

  it('has a gap when very many came', () => {
    let arrivals = withPage(NOTHING_YET, known, opened);
    for (let from = 10; from < 2_100; from += 50)
      arrivals = withPage(
        arrivals,
        known,
        Array.from({ length: 60 }, (_, index) => call(from + index)),
      );
    expect(arrivals.hasGap).toBe(true);
  });
});
