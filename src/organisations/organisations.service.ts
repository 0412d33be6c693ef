import { Directory } from './directory';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { Environment } from '../config/environment';
import { type Cap, requireRoom } from '../database/cap';
import { newId } from '../database/id';
import { many, maybe, one } from '../database/statements';
import { inTransaction } from '../database/transaction';
import { record } from '../events/outbox';
import { ForbiddenError, ValidationError, requireFound } from '../errors/errors';
import { ErrorCode } from './organisation.errors';
import { Page, PageQuery, Pages } from '../http/requests/page';
import { slugOf } from '../http/requests/slug';
import { requireOpenAccount } from '../users/open-account';
import type { Cause } from './audit/audit-trail';
import { recordMemberChange } from './members/member-change';
import { Membership } from './members/membership.entity';
import type { ActingMember } from './members/memberships.service';
import {
  OrganisationCreate,
  OrganisationOut,
  OrganisationRow,
  OrganisationUpdate,
  toOrganisation,
} from './organisation.dto';

const LIST = 'organisations';

/** Counts the existing organisations created by a user, even if they are no longer a member. */
const CREATED: Cap = {
  name: 'organisations',
  rows: 'organisations WHERE created_by = $1 AND deleted_at IS NULL',
  code: ErrorCode.OrganisationConflict,
  detail: (most) => `You have created ${most} organisations, which is the limit per user. Delete one first.`,
};

const FIND = `
  SELECT organisations.*, memberships.role
  FROM organisations JOIN memberships ON memberships.org_id = organisations.id
  WHERE memberships.user_id = $1 AND memberships.role IS NOT NULL`;

@Injectable()
export class OrganisationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly directory: Directory,
    private readonly pages: Pages,
    private readonly environment: Environment,
  ) {}

  /**
   * Creates an organisation; the caller becomes its OWNER.
   *
   * @throws ForbiddenError if only platform administrators may create organisations; ConflictError if the slug is taken
   *   or the caller has reached the cap; ValidationError if no slug can be derived from the name
   */
  create(caller: Caller, cause: Cause, body: OrganisationCreate): Promise<OrganisationOut> {
    return inTransaction(this.dataSource, (manager) => this.createIn(manager, caller, cause, body));
  }

  /**
   * The same as a part of a larger change.
   *
   * @param manager of its transaction
   */
  async createIn(
    manager: EntityManager,
    caller: Pick<Caller, 'userId' | 'isPlatformAdmin'>,
    cause: Cause,
    { name, slug }: OrganisationCreate,
  ): Promise<OrganisationOut> {
    if (this.environment.organisationCreation === 'platform_admins' && !caller.isPlatformAdmin) {
      throw new ForbiddenError('Only platform administrators can create organisations here (ORGANISATION_CREATION).');
    }
    const id = newId();
    const newSlug = slug ?? slugOf(name);
    if (newSlug === undefined) {
      throw new ValidationError([
        { loc: ['body', 'slug'], msg: 'No slug can be derived from this name; provide one.', type: 'missing' },
      ]);
    }
    // Otherwise a deleted account could leave an organisation without an owner.
    await requireOpenAccount(manager, caller.userId);
    const { organisationsPerPerson } = this.environment.limits;
    await requireRoom(manager, CREATED, { ownerId: caller.userId, most: organisationsPerPerson });
    const row = await one<OrganisationRow>(
      manager,
      `INSERT INTO organisations (id, name, slug, created_by) VALUES ($1, $2, $3, $4) RETURNING *, 'OWNER' AS role`,
      [id, name, newSlug, caller.userId],
    );
    await manager
      .getRepository(Membership)
      .insert({ orgId: id, userId: caller.userId, manualRole: 'OWNER', role: 'OWNER' });
    await this.directory.open(manager, id);
    await recordMemberChange(manager, cause, {
      orgId: id,
      userId: caller.userId,
      before: null,
      after: {
        role: 'OWNER',
        manual_role: 'OWNER',
        scim_role: null,
        suspended: false,
        retained_last_owner: false,
      },
      reason: 'created_organisation',
    });
    return toOrganisation(row);
  }

  /** The organisations of the caller, oldest first. */
  async list(caller: Caller, query: PageQuery): Promise<Page<OrganisationOut>> {
    const page = this.pages.open(LIST, query, {});
    const rows = await many<OrganisationRow>(
      this.dataSource,
      `${FIND} AND ($2::uuid IS NULL OR memberships.org_id > $2) ORDER BY memberships.org_id LIMIT $3`,
      [caller.userId, page.after, page.take],
    );
    return page.close(rows, toOrganisation);
  }

  async get(member: ActingMember): Promise<OrganisationOut> {
    const row = await maybe<OrganisationRow>(this.dataSource, `${FIND} AND organisations.id = $2`, [
      member.userId,
      member.orgId,
    ]);
    return toOrganisation(requireFound(row, ErrorCode.OrganisationNotFound, member.orgId));
  }

  /** @throws ConflictError if the slug is taken */
  async update(member: ActingMember, { name, slug }: OrganisationUpdate): Promise<OrganisationOut> {
    await inTransaction(this.dataSource, async (manager) => {
      const row = await maybe<Pick<OrganisationRow, 'name' | 'slug'>>(
        manager,
        `UPDATE organisations SET name = coalesce($2, name), slug = coalesce($3, slug), updated_at = now()
         WHERE id = $1 AND (name, slug) IS DISTINCT FROM (coalesce($2, name), coalesce($3, slug))
         RETURNING name, slug`,
        [member.orgId, name ?? null, slug ?? null],
      );
      if (!row) return;
      await record(manager, {
        type: 'organisation.updated',
        orgId: member.orgId,
        data: { org_id: member.orgId, name: row.name, slug: row.slug },
      });
    });
    return this.get(member);
  }
}
