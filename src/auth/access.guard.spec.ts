import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ForbiddenError } from '../errors/errors';
import { ACCESS_RULES, accessBy, type AccessRule } from './access.decorator';
import { AccessGuard } from './access.guard';
import type { ConsoleCallers } from './sessions/console-callers';
import type { TokenVerifier } from './token-verifier';

const MACHINE_TOKEN = { name: 'machineToken', bearerFormat: 'tym_…', description: 'Of a machine.' };
const Access = accessBy({ ...ACCESS_RULES, 'machine-token': { text: 'Machines.', fails: [], onlyBy: MACHINE_TOKEN } });

const NO_CONSOLE = { isMeant: () => false } as unknown as ConsoleCallers;

class Routes {
  @Access('open')
  open(): void {}

  @Access('machine-token')
  machine(): void {}

  undeclared(): void {}
}

describe('The access guard', () => {
  const guard = new AccessGuard(new Reflector(), {} as TokenVerifier, NO_CONSOLE);
  const ask = (route: keyof Routes, admittedBy?: AccessRule) => {
    const request = { admittedBy, headers: { authorization: 'Bearer x' } } as Request;
    return guard.canActivate({
      getHandler: () => Reflect.get(Routes.prototype, route),
      getClass: () => Routes,
      switchToHttp: () => ({ getRequest: () => request }),
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
});
