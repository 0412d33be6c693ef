import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ACCESS_RULE, AccessRule } from '../auth/access.decorator';
import { Memberships } from './memberships.service';
import type { Role } from './role';

const NEEDED: Partial<Record<AccessRule, Role>> = {
  'organisation-member': 'MEMBER',
  'organisation-admin': 'ADMIN',
};

/**
 * Enforces the `organisation-…` rules on routes with an `org_id` in the path. Runs after authentication and
 * validation, in the order of section 1 of the contract.
 */
@Injectable()
export class OrganisationGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly memberships: Memberships,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.reflector.getAllAndOverride<AccessRule>(ACCESS_RULE, [context.getHandler(), context.getClass()]);
    const needed = NEEDED[rule];
    return needed === undefined || this.check(context.switchToHttp().getRequest(), needed);
  }

  private async check(request: Request<{ org_id: string }>, needed: Role): Promise<boolean> {
    if (!request.caller) throw new Error('The access guard comes first.');
    request.member = await this.memberships.require(request.caller, request.params.org_id, needed);
    return true;
  }
}
