import fc from 'fast-check';
import { Clock } from '../config/clock';
import type { Environment } from '../config/environment';
import type { Caller } from './caller';
import { RecentSignIn } from './recent-sign-in';
import { DELETION_SCOPE_NAMES, type DeletionScope, TOKEN_SCOPE_NAMES } from './scopes';

const NOW = new Date('2026-11-27T12:00:00.000Z');
class StoppedClock extends Clock {
  override now(): Date {
    return NOW;
  }
}

const ENVIRONMENT = { publicUrl: 'https://toolyard.test', externalIssuer: undefined } as Environment;

describe('A recent sign-in', () => {
  const recent = new RecentSignIn(new StoppedClock(), ENVIRONMENT);
  const admits = (caller: Partial<Caller>, unless?: DeletionScope) => {
    try {
      recent.require(caller as Caller, { unless });
      return true;
    } catch (error) {
      expect(error).toMatchObject({ code: 'recent_sign_in_required', kind: 'forbidden' });
      return false;
    }
  };

  it('is at most five minutes old, to the millisecond', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 700_000 }), (age) => {
        expect(admits({ provedAt: new Date(NOW.getTime() - age) })).toBe(age <= 300_000);
      }),
    );
    expect(admits({ provedAt: null })).toBe(false);
    expect(admits({})).toBe(false);
  });

  it('is not needed with exactly the scope of the rule, nor with a token of an operator', () => {
    fc.assert(
      fc.property(
        fc.subarray([...TOKEN_SCOPE_NAMES]),
        fc.constantFrom(undefined, ...DELETION_SCOPE_NAMES),
        (scopes, unless) => {
          expect(admits({ scopes: new Set(scopes) }, unless)).toBe(unless !== undefined && scopes.includes(unless));
        },
      ),
    );
    expect(admits({ isFromOperator: true })).toBe(true);
  });

  it('is not what a credential without limits has', () => {
    expect(admits({ scopes: undefined }, 'account:delete')).toBe(false);
  });

  it('is possible where people can sign in, as the refusal says', () => {
    const refusal = (environment: object) => () =>
      new RecentSignIn(new StoppedClock(), environment as Environment).require({} as Caller, {
        unless: 'account:delete',
      });
    const issuer = { issuer: 'https://id.example.com' };
    const { publicUrl } = ENVIRONMENT;
    expect(refusal({ publicUrl })).toThrow(
      'Only the person can do this, or a program with the scope account:delete: in a browser, at most five minutes after signing in: https://toolyard.test/account',
    );
    expect(refusal({ publicUrl, externalIssuer: { ...issuer, clientId: 'toolyard' } })).toThrow('in a browser');
    expect(refusal({ publicUrl, externalIssuer: issuer })).toThrow(
      'with an access token whose "auth_time" is at most five minutes old, from https://id.example.com',
    );
  });
});
