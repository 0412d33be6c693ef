import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AuthenticationError, ErrorCode, UnavailableError } from '../errors/errors';
import { Access } from './access.decorator';
import { AccessGuard } from './access.guard';
import { BearerStrategy } from './bearer.strategy';
import type { RecentSignIn } from './recent-sign-in';
import type { ConsoleCallers } from './sessions/console-callers';
import type { TokenVerifier } from './token-verifier';

const NO_CONSOLE = { isMeant: () => false } as unknown as ConsoleCallers;

class Routes {
  @Access('account')
  account(): void {}
}

/** As in a process with several applications: each creates a strategy, and passport keeps only the last one. */
function application(verify: TokenVerifier['verify']) {
  new BearerStrategy();
  const guard = new AccessGuard(
    new Reflector(),
    { verify, recall: () => undefined } as unknown as TokenVerifier,
    NO_CONSOLE,
    {} as RecentSignIn,
  );
  return async (url = '/v1/me') => {
    const query = Object.fromEntries(new URLSearchParams(url.split('?')[1]));
    const request = { url, query, headers: { authorization: 'Bearer x' } } as unknown as Request;
    await guard.canActivate({
      getHandler: () => Reflect.get(Routes.prototype, 'account'),
      getClass: () => Routes,
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({}) }),
    } as unknown as ExecutionContext);
    return request.caller?.userId;
  };
}

const verified = (userId: string) => ({ caller: { userId } }) as Awaited<ReturnType<TokenVerifier['verify']>>;

describe('The bearer strategy', () => {
  it('uses the verifier of the application that received the request, even with another one in progress', async () => {
    let answerSlowly = (_userId: string): void => undefined;
    const slow = application(() => new Promise((resolve) => (answerSlowly = (userId) => resolve(verified(userId)))));
    const fast = application(() => Promise.resolve(verified('of the fast application')));
    const pending = slow();
    await expect(fast()).resolves.toBe('of the fast application');
    answerSlowly('of the slow application');
    await expect(pending).resolves.toBe('of the slow application');
  });

  it('keeps two requests to one application apart', async () => {
    const answers: ((userId: string) => void)[] = [];
    const ask = application(() => new Promise((resolve) => answers.push((userId) => resolve(verified(userId)))));
    const both = [ask(), ask()];
    await new Promise(setImmediate);
    answers[1]?.('second');
    answers[0]?.('first');
    await expect(Promise.all(both)).resolves.toEqual(['first', 'second']);
  });

  it.each([
    ['a bad token', new AuthenticationError(ErrorCode.InvalidToken, 'The access token has expired.')],
    ['an issuer out of reach', new UnavailableError(ErrorCode.AuthorizationServerUnavailable, 'No answer.', 30)],
  ])('passes on the error for %s unchanged', async (_case, error) => {
    await expect(application(() => Promise.reject(error))()).rejects.toBe(error);
  });

  it('introspects if the request has verify_locally=false', async () => {
    const verify = jest.fn((_token: string, _introspect?: boolean) => Promise.resolve(verified('x')));
    const ask = application(verify);
    await ask();
    await ask('/v1/me?verify_locally=false');
    expect(verify.mock.calls).toEqual([
      ['x', false],
      ['x', true],
    ]);
  });
});
