import { ErrorCode, ForbiddenError, InsufficientScopeError, NotFoundError } from '../../errors/errors';
import { failedRead, failedTool, refusedTool } from './call-failures';
import { RpcFailure } from '../protocol/json-rpc';
import { translateResult } from '../protocol/translate';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { verdictOfCode } from '../settings/call-outcome';
import { verdictOf, verdictOfError } from './call-verdict';

const SERVER = { name: 's', version: '1' };
const failure = (code: UpstreamFailure['code']) => new UpstreamFailure(code, 'It failed.', false);

describe('The verdict on a call', () => {
  it.each([
    ['upstream_unreachable', 'UPSTREAM_ERROR'],
    ['upstream_timeout', 'TIMEOUT'],
    ['upstream_error', 'UPSTREAM_ERROR'],
    ['too_large', 'UPSTREAM_ERROR'],
    ['credential_required', 'CREDENTIAL_REQUIRED'],
    ['rate_limited', 'RATE_LIMITED'],
  ] as const)('knows %s in what the client gets, in both eras', (code, outcome) => {
    const verdict = { outcome, errorCode: code };
    for (const era of ['modern', 'legacy'] as const) {
      const result = translateResult(failedTool(failure(code), 'github'), 'tools/call', era, SERVER);
      expect(verdictOf({ result }, true)).toEqual(verdict);
    }
    expect(verdictOf({ error: failedRead(failure(code), 'github') }, true)).toEqual(verdict);
  });

  it('knows what rules refuse', () => {
    expect(verdictOfCode('denied')).toEqual({ outcome: 'DENIED', errorCode: 'denied' });
    expect(verdictOfCode('definition_changed')).toEqual({
      outcome: 'DEFINITION_CHANGED',
      errorCode: 'definition_changed',
    });
    const refusal = { seconds: 1, detail: 'Too many.', policy: { name: 'p', quota: 1, seconds: 60 } };
    expect(verdictOf({ result: refusedTool(refusal, 'github') }, false)).toMatchObject({ outcome: 'RATE_LIMITED' });
  });

  it('does not believe a server that speaks in our name', () => {
    const result = JSON.parse(JSON.stringify(failedTool(failure('credential_required'), 'github'))) as object;
    expect(verdictOf({ result: { ...result } }, true)).toEqual({ outcome: 'TOOL_ERROR', errorCode: null });
    const error = JSON.parse(JSON.stringify(failedRead(failure('upstream_timeout'), 'github'))) as typeof failedRead;
    expect(verdictOf({ error: { ...error, code: -32_603, message: '' } }, true)).toEqual({
      outcome: 'UPSTREAM_ERROR',
      errorCode: '-32603',
    });
  });

  it('tells an error of a server from a refusal', () => {
    const error = { code: -32_602, message: 'No.' };
    expect(verdictOf({ error }, true)).toEqual({ outcome: 'UPSTREAM_ERROR', errorCode: '-32602' });
    expect(verdictOf({ error }, false)).toEqual({ outcome: 'DENIED', errorCode: '-32602' });
  });

  it.each<[unknown, string, string]>([
    [new RpcFailure(200, -32_602, 'Unknown tool'), 'DENIED', '-32602'],
    [new InsufficientScopeError(['mcp:call']), 'DENIED', 'insufficient_scope'],
    [new ForbiddenError('No.'), 'DENIED', 'forbidden'],
    [new NotFoundError(ErrorCode.NotFound, '1'), 'DENIED', 'not_found'],
    [new Error('a defect'), 'UPSTREAM_ERROR', 'internal_error'],
    [new RpcFailure(500, -32_603, 'Ours.'), 'UPSTREAM_ERROR', 'internal_error'],
  ])('of %s is %s', (error, outcome, errorCode) => {
    expect(verdictOfError(error)).toEqual({ outcome, errorCode });
  });
});
