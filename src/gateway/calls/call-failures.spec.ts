import { UpstreamFailure } from '../protocol/upstream-failure';
import { ERROR_KEY, failedRead, failedTool, refuse, refusedTool } from './call-failures';

const late = new UpstreamFailure('upstream_timeout', 'It did not answer within 60 s.', true);
const gone = new UpstreamFailure('upstream_unreachable', 'It could not be reached (ECONNREFUSED).', false);
const policy = { name: 'mcp-calls', quota: 600, seconds: 60 };

describe('A server that has failed', () => {
  it('is a result that a model can act on', () => {
    expect(failedTool(late, 'github')).toEqual({
      content: [
        {
          type: 'text',
          text: 'The server "github" has failed. It did not answer within 60 s. It may have begun with what was asked, so find out before you try again. Nothing else is wrong with this bundle.',
        },
      ],
      isError: true,
      _meta: { [ERROR_KEY]: { code: 'upstream_timeout', entry: 'github', retryable: false } },
    });
    expect(failedTool(gone, 'a')).toMatchObject({
      _meta: { [ERROR_KEY]: { code: 'upstream_unreachable', retryable: true } },
    });
  });

  it('is an error where there is no tool', () => {
    expect(failedRead(gone, 'a')).toMatchObject({
      code: -32603,
      data: { [ERROR_KEY]: { code: 'upstream_unreachable', entry: 'a' } },
    });
  });
});

describe('A call too many', () => {
  it('is a result that says when to try again, or an error with the limit', () => {
    const refusal = { seconds: 3, detail: 'Try again in 3 s.', policy };
    expect(refusedTool(refusal, 'a')).toMatchObject({
      isError: true,
      content: [{ text: 'Try again in 3 s.' }],
      _meta: { [ERROR_KEY]: { code: 'rate_limited', entry: 'a', retryable: true } },
    });
    expect(() => refuse(refusal)).toThrow(expect.objectContaining({ retryAfter: 3, policy }) as Error);
  });
});
