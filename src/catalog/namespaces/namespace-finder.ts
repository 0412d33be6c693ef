import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { Columns } from '../../database/columns';
import { maybe } from '../../database/statements';
import { ErrorCode } from '../catalog.errors';
import { InsufficientRoleError } from '../../organisations/organisation.errors';
import { NotFoundError } from '../../errors/errors';
import type { Membership } from '../../organisations/members/membership.entity';
import { isAtLeast } from '../../organisations/members/role';
import type { NamespaceRow } from './namespace.dto';

/**
 * The namespace $1 and how the user $2 relates to it: as its holder, or with a role in the organisation that holds it.
 */
const FIND = `
  SELECT namespaces.id, namespace, method, namespaces.org_id, namespaces.user_id, challenge, verified_at, checked_at,
         namespaces.created_at, coalesce(namespaces.user_id = $2, false) AS is_holder, member.role
  FROM namespaces
  LEFT JOIN memberships AS member ON member.org_id = namespaces.org_id AND member.user_id = $2
  WHERE namespaces.id = $1`;

type FoundRow = NamespaceRow & Pick<Columns<Membership>, 'role'> & { is_holder: boolean };

/** Finds namespaces by id, always on behalf of a caller. Nothing else may read a namespace by its id. */
@Injectable()
export class NamespaceFinder {
  /** @throws NotFoundError, also if the caller may not see the namespace */
  readable(manager: EntityManager, caller: Caller, id: string): Promise<NamespaceRow> {
    return this.find(manager, caller, id);
  }

  /** @throws NotFoundError; InsufficientRoleError for a MEMBER of the organisation that holds it */
  async manageable(manager: EntityManager, caller: Caller, id: string): Promise<NamespaceRow> {
    const row = await this.find(manager, caller, id);
    if (row.is_holder || caller.isPlatformAdmin || (row.role && isAtLeast(row.role, 'ADMIN'))) return row;
    throw new InsufficientRoleError('ADMIN', row.role ?? 'none');
  }

  private async find(manager: EntityManager, caller: Caller, id: string): Promise<FoundRow> {
    const row = await maybe<FoundRow>(manager, FIND, [id, caller.userId]);
    if (row && (row.is_holder || row.role !== null || caller.isPlatformAdmin)) return row;
    throw new NotFoundError(ErrorCode.NamespaceNotFound, id);
  }
}
