import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ACCESS_RULE, AccessRule } from '../auth/access.decorator';
import { Memberships } from './members/memberships.service';
import type { Role } from './members/role';

const NEEDED: Partial<Record<AccessRule, Role>> = {
  'organisation-member': 'MEMBER',
  'organisation-admin': 'ADMIN',
  'organisation-owner': 'OWNER',
};

/**
 * Enforces the `organisation-…` rules on routes with an `org_id` in the path. Runs after authentication and
 * validation, in the order of section 1 of the contract.
 */
@Injectable()
export class OrganisationGuard implements CanActivate {
  private readonly needed = new Map<unknown, Role | null>();

  constructor(
    private readonly reflector: Reflector,
    private readonly memberships: Memberships,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const handler = context.getHandler();
    let needed = this.needed.get(handler);
    if (needed === undefined) {
      needed = NEEDED[this.reflector.getAllAndOverride<AccessRule>(ACCESS_RULE, [handler, context.getClass()])] ?? null;
      this.needed.set(handler, needed);
    }
    return needed === null || this.check(context.switchToHttp().getRequest(), needed);
  }

  private async check(request: Request<{ org_id: string }>, needed: Role): Promise<boolean> {
    if (!request.caller) throw new Error('The access guard comes first.');
    const standing = await this.memberships.require(request.caller, request.params.org_id, needed);
    request.member = { ...standing, requestId: request.id };
    return true;
  }
}
