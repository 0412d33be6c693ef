import { createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { Columns } from '../../database/columns';
import { execute, maybe } from '../../database/statements';
import { ErrorCode, InsufficientRoleError } from '../organisation.errors';
import { NotFoundError } from '../../errors/errors';
import { isColleagueOf } from './acquaintance.sql';
import { Membership } from './membership.entity';
import { isAtLeast, Role } from './role';

/** Proof that somebody belongs to the organisation, with the role in force. */
export interface Standing {
  orgId: string;
  userId: string;
  role: Role;
}

/** The same of the caller of a request. */
export interface ActingMember extends Standing {
  requestId: string;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the organisation guard. */
    member?: ActingMember;
  }
}

/** The caller as a member, for a controller's method whose route is declared `organisation-…`. */
export const CurrentMember = createParamDecorator((_: unknown, context: ExecutionContext): ActingMember => {
  const { member } = context.switchToHttp().getRequest<Request>();
  if (!member) throw new Error('Only organisation routes have an acting member.');
  return member;
});

/** $1 a person, $2 another person with an open account. */
const OPEN_COLLEAGUE = `
  SELECT FROM users WHERE users.id = $2 AND users.closed_at IS NULL AND ${isColleagueOf('$1', '$2')}`;

/** The narrow answer to "may this person act in that organisation?", for every module that has things of organisations. */
@Injectable()
export class Memberships {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param caller or a member whose role must be read anew
   * @param manager of a transaction, when the answer must hold in it
   * @throws NotFoundError when the caller does not belong to the organisation or there is none, InsufficientRoleError
   */
  async require(
    { userId }: Pick<Caller, 'userId'>,
    orgId: string,
    needed: Role,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Standing> {
    // The id comes back as the database writes it: a path may have it in capitals.
    const row = await maybe<Pick<Columns<Membership>, 'org_id'> & { role: Role }>(
      manager,
      `SELECT org_id, role FROM memberships WHERE org_id = $1 AND user_id = $2 AND role IS NOT NULL`,
      [orgId, userId],
    );
    if (!row) throw new NotFoundError(ErrorCode.OrganisationNotFound, orgId);
    if (!isAtLeast(row.role, needed)) throw new InsufficientRoleError(needed, row.role);
    return { orgId: row.org_id, userId, role: row.role };
  }

  /**
   * For people who leave, which a member without a role can do as well: one whom the directory has deactivated.
   *
   * @returns the id of the organisation as the database writes it
   * @throws NotFoundError when the caller does not belong to the organisation or there is none
   */
  async requireAny({ userId }: Pick<Caller, 'userId'>, orgId: string): Promise<string> {
    const row = await this.dataSource
      .getRepository(Membership)
      .findOne({ select: { orgId: true }, where: { orgId, userId } });
    if (!row) throw new NotFoundError(ErrorCode.OrganisationNotFound, orgId);
    return row.orgId;
  }

  /**
   * @param userId of a member of some organisation
   * @returns whether another person with an open account is in one of their organisations, so that they can know each
   *   other by the list of its members
   */
  async isColleague(manager: EntityManager, userId: string, other: string): Promise<boolean> {
    const colleagues = await execute(manager, OPEN_COLLEAGUE, [userId, other]);
    return colleagues > 0;
  }
}
