import { CanActivate, ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ACCESS_RULE, AccessRule } from '../auth/access.decorator';
import { Memberships } from './members/memberships.service';
import type { Role } from './members/role';

const RULE_ROLES: Partial<Record<AccessRule, Role>> = {
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
  private readonly requiredRoles = new Map<unknown, Role | null>();

  constructor(
    private readonly reflector: Reflector,
    private readonly memberships: Memberships,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const handler = context.getHandler();
    let required = this.requiredRoles.get(handler);
    if (required === undefined) {
      required =
        RULE_ROLES[this.reflector.getAllAndOverride<AccessRule>(ACCESS_RULE, [handler, context.getClass()])] ?? null;
      this.requiredRoles.set(handler, required);
    }
    return required === null || this.check(context.switchToHttp().getRequest(), required);
  }

  private async check(request: Request<{ org_id: string }>, required: Role): Promise<boolean> {
    if (!request.caller) throw new Error('The access guard must run before the organisation guard.');
    const standing = await this.memberships.require(request.caller, request.params.org_id, required);
    request.member = { ...standing, requestId: request.id };
    return true;
  }
}
