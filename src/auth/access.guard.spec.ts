import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ForbiddenError } from '../errors/errors';
import { Access, type AccessRule } from './access.decorator';
import { AccessGuard } from './access.guard';
import type { TokenVerifier } from './token-verifier';

class Routes {
  @Access('open')
  open(): void {}

  @Access('scim-token')
  scim(): void {}

  undeclared(): void {}
}

describe('The access guard', () => {
  const guard = new AccessGuard(new Reflector(), {} as TokenVerifier);
  const ask = (route: keyof Routes, admittedBy?: AccessRule) => {
    const request = { admittedBy, headers: { authorization: 'Bearer x' } } as Request;
    return guard.canActivate({
      getHandler: () => Reflect.get(Routes.prototype, route),
      getClass: () => Routes,
      switchToHttp: () => ({ getRequest: () => request }),
    } as unknown as ExecutionContext);
  };

  it('lets everybody in where the route says so', () => {
    expect(ask('open')).toBe(true);
  });

  it('lets nobody in where the route says nothing', () => {
    expect(() => ask('undeclared')).toThrow(ForbiddenError);
  });

  it('lets in by another credential than an access token only whom the gate of that rule has let in', () => {
    expect(ask('scim', 'scim-token')).toBe(true);
    expect(() => ask('scim')).toThrow(ForbiddenError);
    expect(() => ask('scim', 'open')).toThrow(ForbiddenError);
  });
});
