import { wantsOtherHeaders } from './call-answer';

const answer = (status: number, code?: number) => ({
  status,
  sessionId: undefined,
  message: code === undefined ? undefined : { id: 1, error: { code, message: '' } },
});

describe('An answer to a request of the modern era', () => {
  it.each([
    [400, -32_020, true],
    [200, -32_020, false],
    [400, -32_602, false],
  ])('of status %d with the error %d wants other headers: %s', (status, code, expected) => {
    expect(wantsOtherHeaders(answer(status, code))).toBe(expected);
  });
});
