import { createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { Columns } from '../../database/columns';
import type { PreparedStatement } from '../../database/prepared';
import { execute, many, maybe } from '../../database/statements';
import { ErrorCode, InsufficientRoleError } from '../organisation.errors';
import { requireFound } from '../../errors/errors';
import type { PageRequest } from '../../http/requests/page';
import { isColleagueOf } from './acquaintance.sql';
import { Membership } from './membership.entity';
import { isAtLeast, Role } from './role';

/** Proof that a user belongs to the organisation, with their effective role. */
export interface Standing {
  orgId: string;
  userId: string;
  role: Role;
}

/** The caller of a request as a member. */
export interface ActingMember extends Standing {
  requestId: string;
}

declare module 'express-serve-static-core' {
  interface Request {
    /** Set by the organisation guard. */
    member?: ActingMember;
  }
}

/** Controller parameter: the caller as a member. Only for routes with an `organisation-…` rule. */
export const CurrentMember = createParamDecorator((_: unknown, context: ExecutionContext): ActingMember => {
  const { member } = context.switchToHttp().getRequest<Request>();
  if (!member) throw new Error('CurrentMember requires a route with an organisation rule.');
  return member;
});

/** $1 organisation, $2 user. */
const STANDING: PreparedStatement = {
  name: 'standing of a member',
  sql: `SELECT org_id, role FROM memberships WHERE org_id = $1 AND user_id = $2 AND role IS NOT NULL`,
};

/** $1 a user, $2 another user with an open account. */
const OPEN_COLLEAGUE = `
  SELECT FROM users WHERE users.id = $2 AND users.closed_at IS NULL AND ${isColleagueOf('$1', '$2')}`;

/** $1 user, $2 the last organisation of the page before, $3 rows; by an index in this order. */
const ORGANISATIONS = `
  SELECT organisations.id, organisations.name
  FROM memberships JOIN organisations ON organisations.id = memberships.org_id
  WHERE memberships.user_id = $1 AND memberships.role IS NOT NULL AND ($2::uuid IS NULL OR memberships.org_id > $2)
  ORDER BY memberships.org_id LIMIT $3`;

/** Checks whether a user may act in an organisation, for every module whose objects belong to organisations. */
@Injectable()
export class Memberships {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @param caller or a member whose role must be read again
   * @param manager of a transaction in which the result must hold
   * @throws NotFoundError if the caller does not belong to the organisation or it does not exist; InsufficientRoleError
   */
  async require(
    { userId }: Pick<Caller, 'userId'>,
    orgId: string,
    required: Role,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<Standing> {
    // Returns the id in the database's spelling: the path may contain capitals.
    const row = await maybe<Pick<Columns<Membership>, 'org_id'> & { role: Role }>(manager, STANDING, [orgId, userId]);
    const { org_id, role } = requireFound(row, ErrorCode.OrganisationNotFound, orgId);
    if (!isAtLeast(role, required)) throw new InsufficientRoleError(required, role);
    return { orgId: org_id, userId, role };
  }

  /**
   * For leaving, which is also possible without a role, that is, for members deactivated by the directory.
   *
   * @returns the id of the organisation in the database's spelling
   * @throws NotFoundError if the caller does not belong to the organisation or it does not exist
   */
  async requireAny({ userId }: Pick<Caller, 'userId'>, orgId: string): Promise<string> {
    const row = await this.dataSource
      .getRepository(Membership)
      .findOne({ select: { orgId: true }, where: { orgId, userId } });
    return requireFound(row, ErrorCode.OrganisationNotFound, orgId).orgId;
  }

  /** @returns the organisations in which the user may act, by their ids */
  organisationsOf(
    { userId }: Pick<Caller, 'userId'>,
    { after, take }: Pick<PageRequest, 'after' | 'take'>,
  ): Promise<{ id: string; name: string }[]> {
    return many(this.dataSource, ORGANISATIONS, [userId, after, take]);
  }

  /**
   * @param userId of a member of some organisation
   * @returns whether the other user has an open account and shares an organisation with them, so that they can see each
   *   other in its list of members
   */
  async isColleague(manager: EntityManager, userId: string, other: string): Promise<boolean> {
    const colleagues = await execute(manager, OPEN_COLLEAGUE, [userId, other]);
    return colleagues > 0;
  }
}
