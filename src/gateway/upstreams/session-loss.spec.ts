import { isDoubtful, pingVerdict, sessionDoubt } from './session-loss';
import { UpstreamFailure } from '../protocol/upstream-failure';

const answer = (status: number, code?: number, message = '') => ({
  status,
  sessionId: undefined,
  message: code === undefined ? undefined : { id: 1, error: { code, message } },
});
const result = (status: number) => ({ status, sessionId: undefined, message: { id: 1, result: {} } });

describe('An answer to a request in a session', () => {
  it.each([
    ['404', answer(404), 'id', 'gone', true],
    ['404, whatever else it says', answer(404, -32_602), 'id', 'gone', true],
    ['410', answer(410), 'id', 'gone', true],
    ['401', answer(401, -32_000), 'id', 'refused', true],
    ['500 and the code for it', answer(500, -32_001), 'id', 'gone', false],
    ['200 and the code for it', answer(200, -32_001), 'id', 'gone', false],
    ['500 and a word about it', answer(500, -32_603, 'Session expired'), 'id', 'gone', false],
    ['500 and that it timed out', answer(500, -32_603, 'Session timed out'), 'id', 'gone', false],
    ['400 and a word about it', answer(400, -32_600, 'Missing session ID'), 'id', 'gone', true],
    ['200 and a word about some session', answer(200, -32_603, 'Unknown session'), 'id', 'unsure', false],
    ['200 and that nothing was begun', answer(200, -32_602, 'Server not initialized'), 'id', 'unsure', false],
    ['200 without an answer', answer(200), 'id', 'unsure', false],
    ['302', answer(302), 'id', 'unsure', false],
    ['400 without a word', answer(400), 'id', 'unsure', true],
    ['400 without a session', answer(400, -32_000), undefined, 'unsure', true],
    ['403', answer(403), 'id', 'unsure', false],
    ['500', answer(500), 'id', 'unsure', false],
    ['503', answer(503), 'id', 'unsure', false],
  ] as const)('of status %s casts doubt on it', (_, given, sessionId, kind, isRepeatable) => {
    expect(sessionDoubt(given, sessionId)).toEqual({ kind, isRepeatable });
  });

  it.each([
    ['a result', result(200), 'id'],
    ['a result, whatever its status', result(500), 'id'],
    ['404 without a session', answer(404, -32_601), undefined],
    ['401 without a session', answer(401), undefined],
    ['408', answer(408), 'id'],
    ['429 that counts sessions', answer(429, -32_000, 'Too many sessions'), 'id'],
    ['504', answer(504), 'id'],
    ['a time-out with the same code', answer(200, -32_001, 'Request timed out'), 'id'],
    ['an error about the parameters', answer(400, -32_602), 'id'],
    ['an error of the modern era', answer(400, -32_020), 'id'],
    ['an error of the tool', answer(200, -31_000), 'id'],
  ] as const)('casts no doubt on it: %s', (_, given, sessionId) => {
    expect(sessionDoubt(given, sessionId)).toBeUndefined();
  });

  it('casts doubt on it where the connection was closed, and not where there was none', () => {
    expect(isDoubtful(new UpstreamFailure('upstream_unreachable', '', true))).toBe(true);
    expect(isDoubtful(new UpstreamFailure('upstream_unreachable', '', false))).toBe(false);
    expect(isDoubtful(new UpstreamFailure('upstream_timeout', '', true))).toBe(false);
  });
});

describe('An answer to ping', () => {
  it.each([
    ['alive', result(200)],
    ['alive', answer(200, -32_601)],
    ['alive', answer(404, -32_601)],
    ['lost', answer(404)],
    ['lost', answer(400, -32_000)],
    ['lost', answer(401)],
    ['lost', answer(500)],
    ['lost', answer(200, -32_000, 'Connection closed')],
    ['lost', answer(202)],
    ['unknown', answer(429)],
    ['unknown', answer(502)],
    ['unknown', answer(503, -32_000)],
    ...[520, 521, 522, 523, 524, 529, 530].map((status) => ['unknown', answer(status)] as const),
    ['unknown', answer(200, -32_001, 'Request timed out')],
  ] as const)('shows that the session is %s: %j', (verdict, given) => {
    expect(pingVerdict(given)).toBe(verdict);
  });
});
