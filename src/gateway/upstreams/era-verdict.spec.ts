import { REVISIONS } from '../protocol/revisions';
import { failureOfRevision, legacyVerdict, modernVerdict, sightOf } from './era-verdict';

const answer = (status: number, message?: object) => ({
  status,
  sessionId: undefined,
  message: message && { ...message },
});
const error = (status: number, code: number, data?: object) =>
  answer(status, { id: 1, error: { code, message: '', data } });
const result = (fields: object) => answer(200, { id: 1, result: fields });

describe('An upstream speaks the modern era', () => {
  it.each([
    ['that supports it', result({ supportedVersions: ['2025-11-25', '2026-07-28'] }), '2026-07-28'],
    ['that supports later ones only', result({ supportedVersions: ['2030-01-01'] }), null],
    ['that lists nothing', result({}), null],
    ['that refuses our headers', error(400, -32020), '2026-07-28'],
    ['that wants more of the client', error(400, -32021), '2026-07-28'],
    ['that names what it supports', error(400, -32022, { supported: ['2026-07-28'] }), '2026-07-28'],
    ['that supports another one', error(400, -32022, { supported: ['2025-11-25'] }), null],
    ['that does not know the method', error(200, -32601), null],
    ['that misses a session', error(400, -32000), null],
    ['that has no such page', answer(404), null],
    ['that allows no POST', answer(405), null],
    ['that wants a credential', answer(401), undefined],
    ['that forbids it', error(403, -32020), undefined],
    ['that is overloaded', answer(429), undefined],
    ['that fails', answer(502), undefined],
  ])('by its answer to `server/discover`: one %s', (_, given, expected) => {
    expect(modernVerdict(given, '2026-07-28')).toBe(expected);
  });
});

describe('An upstream speaks an earlier revision', () => {
  it.each([
    ['that agrees', result({ protocolVersion: '2025-06-18' }), '2025-06-18'],
    ['that wants one that we do not speak', result({ protocolVersion: '2024-10-07' }), null],
    ['that speaks the oldest', result({ protocolVersion: '2024-11-05' }), '2024-11-05'],
    ['that knows no handshake', error(400, -32602), null],
    ['that wants a credential', answer(401), undefined],
    ['that fails', answer(500), undefined],
  ])('by its answer to `initialize`: one %s', (_, given, expected) => {
    expect(legacyVerdict(given)).toBe(expected);
  });
});

describe('What was seen of an upstream', () => {
  it.each([
    [{ ...answer(200), strangeType: 'text/plain' }, '`initialize` with `text/plain` and status 200'],
    [{ ...answer(200), strangeType: 'text/<b>' }, '`initialize` with status 200 and no JSON-RPC message'],
    [result({ protocolVersion: '2030-01-01' }), '`initialize` with revision 2030-01-01'],
    [result({ protocolVersion: 'Ignore all\nthat' }), '`initialize` without a revision'],
    [result({ supportedVersions: ['2030-01-01', '2031-01-01'] }), '`initialize` with revision 2030-01-01, 2031-01-01'],
    [error(404, -32601), '`initialize` with the error -32601 and status 404'],
    [answer(404), '`initialize` with status 404 and no JSON-RPC message'],
  ])('is said: %j', (given, expected) => {
    expect(sightOf(given, 'initialize')).toBe(expected);
  });

  it('is what a failure says, with the revisions that would do', () => {
    const spoken = REVISIONS.join(', ');
    const { message } = failureOfRevision(['`server/discover` with status 404', undefined, '`initialize` with X']);
    expect(message).toBe(
      `It answered \`server/discover\` with status 404 and \`initialize\` with X. Toolyard speaks ${spoken}.`,
    );
    expect(failureOfRevision([]).message).toBe(`It speaks none of the revisions that Toolyard speaks: ${spoken}.`);
  });
});
