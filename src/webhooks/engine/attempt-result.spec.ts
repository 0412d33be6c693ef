import { bucketOf } from '../deliveries/latency-histogram';
import { AttemptResult, countByHour, outcomeByEndpoint } from './attempt-result';

const result = (fields: Partial<AttemptResult>): AttemptResult => ({
  endpoint_id: 'a',
  delivery_id: 'd',
  claim_id: 'c',
  number: 1,
  event_type: 'bundle.created',
  target_url: 'https://hooks.example.com',
  encrypted_query: null,
  generation: 1,
  started_at: '2026-11-21T12:00:00.000Z',
  duration_ms: 10,
  response_status: 200,
  response_body: '',
  error: null,
  error_message: null,
  next_at: null,
  ...fields,
});

const success = (started_at: string, fields: Partial<AttemptResult> = {}) => result({ started_at, ...fields });
const failure = (started_at: string, fields: Partial<AttemptResult> = {}) =>
  result({ started_at, error: 'http_status', response_status: 500, ...fields });

describe('Webhook attempts counted by hour', () => {
  it('are assigned to the hour in which they began, per endpoint', () => {
    const counts = countByHour([
      success('2026-11-21T12:59:59.999Z', { duration_ms: 2_000 }),
      failure('2026-11-21T12:00:00.000Z', { duration_ms: 3 }),
      success('2026-11-21T13:00:00.000Z'),
      failure('2026-11-21T12:30:00.000Z', { endpoint_id: 'b' }),
    ]);
    expect(counts.map(({ endpoint_id, hour, succeeded, failed }) => [endpoint_id, hour, succeeded, failed])).toEqual([
      ['a', '2026-11-21T12:00:00.000Z', 1, 1],
      ['a', '2026-11-21T13:00:00.000Z', 1, 0],
      ['b', '2026-11-21T12:00:00.000Z', 0, 1],
    ]);
    const [first] = counts;
    expect(first?.latencies[bucketOf(2_000)]).toBe(1);
    expect(first?.latencies[bucketOf(3)]).toBe(1);
    expect(first?.latencies.reduce((sum, count) => sum + count)).toBe(2);
  });
});

describe('The state of an endpoint after attempts', () => {
  const at = (second: number) => `2026-11-21T12:00:0${second}.000Z`;
  const ended = (second: number) => `2026-11-21T12:00:0${second}.010Z`;

  it.each([
    ['one success', [success(at(1))], true, null],
    ['one failure', [failure(at(1))], false, ended(1)],
    ['the first of several failures', [failure(at(2)), failure(at(1))], false, ended(1)],
    ['a success after failures', [failure(at(1)), success(at(2))], true, null],
    [
      'the first failure after the last success',
      [failure(at(1)), success(at(2)), failure(at(4)), failure(at(3))],
      true,
      ended(3),
    ],
    [
      'the order in which attempts end, not begin',
      [failure(at(1), { duration_ms: 5_010 }), success(at(2))],
      true,
      ended(6),
    ],
    ['nothing, if the service interrupted the attempt', [failure(at(1), { error: 'interrupted' })], false, null],
  ] as const)('follows %s', (_, results, succeeded, failing_from) => {
    expect(outcomeByEndpoint(results)).toEqual([{ endpoint_id: 'a', succeeded, failing_from }]);
  });

  it('is separate for each endpoint', () => {
    const outcomes = outcomeByEndpoint([failure(at(1)), success(at(2), { endpoint_id: 'b' })]);
    expect(outcomes).toEqual([
      { endpoint_id: 'a', succeeded: false, failing_from: ended(1) },
      { endpoint_id: 'b', succeeded: true, failing_from: null },
    ]);
  });
});
