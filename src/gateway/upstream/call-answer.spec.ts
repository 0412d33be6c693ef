import { sessionLoss, wantsOtherHeaders } from './call-answer';

const answer = (status: number, code?: number) => ({
  status,
  sessionId: undefined,
  message: code === undefined ? undefined : { id: 1, error: { code, message: '' } },
});

describe('An answer to a request in a session', () => {
  it.each([
    ['says', answer(404), 'id', 'said'],
    ['says, whatever else it says,', answer(404, -32_602), 'id', 'said'],
    ['does not say where there is no id', answer(404), undefined, undefined],
    ['suggests, as those of the official SDK do,', answer(400, -32_000), 'id', 'guessed'],
    ['suggests without a word', answer(400), undefined, 'guessed'],
    ['does not suggest by an error of the modern era', answer(400, -32_020), 'id', undefined],
    ['does not suggest by an error about the parameters', answer(400, -32_602), 'id', undefined],
    ['does not suggest by an error of the call', answer(200, -32_000), 'id', undefined],
    ['does not suggest by a failure', answer(500), 'id', undefined],
  ] as const)('%s that the session is lost', (_, given, sessionId, expected) => {
    expect(sessionLoss(given, sessionId)).toBe(expected);
  });
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
