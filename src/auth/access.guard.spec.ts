import { Delete, type ExecutionContext, Get, Post } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { AuthenticationError, ErrorCode, ForbiddenError, InsufficientScopeError } from '../errors/errors';
import { ACCESS_RULES, accessBy, type AccessRule } from './access.decorator';
import { AccessGuard } from './access.guard';
import type { ConsoleCallers } from './sessions/console-callers';
import { BearerStrategy } from './bearer.strategy';
import type { Caller } from './caller';
import { NeedsRecentSignIn, type RecentSignIn, type RecentSignInRule } from './recent-sign-in';
import { DELETION_SCOPE_NAMES, type Scope } from './scopes';
import type { TokenVerifier } from './token-verifier';

const MACHINE_TOKEN = { name: 'machineToken', bearerFormat: 'tym_…', description: 'Of a machine.' };
const RULES = { ...ACCESS_RULES, 'machine-token': { text: 'Machines.', fails: [], onlyBy: MACHINE_TOKEN } };
const Access = accessBy(RULES, { read: 'catalog:read', write: 'platform:admin' });

const NO_ONE_SIGNED_IN = {
  require: (_caller: Caller, { unless }: RecentSignInRule) => {
    throw new ForbiddenError(`Not without ${unless}.`);
  },
} as unknown as RecentSignIn;
const NO_CONSOLE = { isMeant: () => false } as unknown as ConsoleCallers;

class Routes {
  @Access('open')
  open(): void {}

  @Access('machine-token')
  machine(): void {}

  undeclared(): void {}

  @Get('list')
  @Access('account')
  list(): void {}

  @Post('create')
  @Access('account')
  create(): void {}

  @Post('preview')
  @Access('account', 'catalog:read')
  preview(): void {}

  @Delete('delete')
  @Access('account')
  @NeedsRecentSignIn('account:delete')
  delete(): void {}

  @Get('administer')
  @Access('platform-admin')
  administer(): void {}
}

describe('The access guard', () => {
  const guard = new AccessGuard(new Reflector(), {} as TokenVerifier, NO_CONSOLE, NO_ONE_SIGNED_IN);
  const ask = (route: keyof Routes, admittedBy?: AccessRule, by = guard) => {
    const request = { admittedBy, url: '/', headers: { authorization: 'Bearer x' } } as Request;
    return by.canActivate({
      getHandler: () => Reflect.get(Routes.prototype, route),
      getClass: () => Routes,
      switchToHttp: () => ({ getRequest: () => request, getResponse: () => ({}) }),
    } as unknown as ExecutionContext);
  };

  it('lets everyone through where the route is declared open', () => {
    expect(ask('open')).toBe(true);
  });

  it('lets no one through where the route declares no rule', () => {
    expect(() => ask('undeclared')).toThrow(ForbiddenError);
  });

  it('accepts another credential than an access token only if the gate for that rule accepted it', () => {
    expect(ask('machine', 'machine-token')).toBe(true);
    expect(() => ask('machine')).toThrow(ForbiddenError);
    expect(() => ask('machine', 'open')).toThrow(ForbiddenError);
  });

  describe('for a credential that is limited to scopes', () => {
    let scopes: ReadonlySet<Scope> | undefined;
    const recall = () => ({ caller: { userId: 'ada', scopes } as Caller });
    const limited = new AccessGuard(
      new Reflector(),
      { recall } as unknown as TokenVerifier,
      NO_CONSOLE,
      NO_ONE_SIGNED_IN,
    );
    const admits = (route: keyof Routes, ...names: Scope[]) => {
      scopes = new Set(names);
      return () => ask(route, undefined, limited);
    };

    it.each<[keyof Routes, Scope, Scope]>([
      ['list', 'catalog:read', 'platform:admin'],
      ['create', 'platform:admin', 'catalog:read'],
      ['preview', 'catalog:read', 'platform:admin'],
      ['administer', 'platform:admin', 'catalog:read'],
    ])('admits it to %s with %s, and not with %s', (route, scope, other) => {
      expect(admits(route, scope)()).toBe(true);
      expect(admits(route, other)).toThrow(new InsufficientScopeError([scope]));
      expect(admits(route)).toThrow(new InsufficientScopeError([scope]));
    });

    it('asks nothing of it on an open route, nor of a credential that is not limited', () => {
      expect(admits('open')()).toBe(true);
      scopes = undefined;
      expect(ask('administer', undefined, limited)).toBe(true);
    });

    it('asks for a recent sign-in, with the scope of the route or the one that is enough instead, and not without', () => {
      expect(admits('delete', 'platform:admin')).toThrow(new ForbiddenError('Not without account:delete.'));
      expect(admits('delete', 'account:delete')).toThrow(new ForbiddenError('Not without account:delete.'));
      const others = DELETION_SCOPE_NAMES.filter((name) => name !== 'account:delete');
      expect(admits('delete', 'catalog:read', ...others)).toThrow(new InsufficientScopeError(['platform:admin']));
      scopes = undefined;
      expect(() => ask('delete', undefined, limited)).toThrow(new ForbiddenError('Not without account:delete.'));
    });

    it('names the scope to a client without a token', async () => {
      const refuse = () => Promise.reject(new AuthenticationError(ErrorCode.InvalidToken, 'Revoked.'));
      const unknown = { recall: () => undefined, verify: refuse } as unknown as TokenVerifier;
      new BearerStrategy();
      await expect(
        ask('create', undefined, new AccessGuard(new Reflector(), unknown, NO_CONSOLE, NO_ONE_SIGNED_IN)),
      ).rejects.toMatchObject({
        scope: 'platform:admin',
      });
    });
  });
});
