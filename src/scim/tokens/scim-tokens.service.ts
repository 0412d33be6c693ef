import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { type Cap, requireRoom } from '../../database/cap';
import { newId } from '../../database/id';
import { inTransaction } from '../../database/transaction';
import { NotFoundError, ValidationError } from '../../errors/errors';
import { ErrorCode } from '../scim.errors';
import { parseInstant } from '../../http/requests/instant';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { audit } from '../../organisations/audit/audit-trail';
import { causeOfMember } from '../../organisations/audit/cause';
import { type ActingMember, Memberships } from '../../organisations/members/memberships.service';
import { inOrganisation } from '../../organisations/organisation-lock';
import { requireRank } from '../../organisations/members/rank';
import { storedSettings } from '../roles/stored-settings';
import { ScimTokenCreate, ScimTokenCreatedOut, ScimTokenOut, ScimTokenRow, toScimToken } from './scim-token.dto';
import { digestOf, newToken, prefixOf } from './scim-token-secret';

/** A cursor of one organisation is worth nothing in another one. */
const listOf = (orgId: string) => `scim tokens of ${orgId}`;

const COLUMNS = 'id, name, prefix, created_at, expires_at, last_used_at, created_by';

const UNEXPIRED: Cap = {
  name: 'SCIM tokens of an organisation',
  rows: 'scim_tokens WHERE org_id = $1 AND (expires_at IS NULL OR expires_at > $3)',
  code: ErrorCode.ScimTokenConflict,
  detail: (most) => `The organisation has ${most} SCIM tokens, which is the limit. Revoke one first.`,
};

/** $8 now, $9 how many expired tokens stay: the latest ones, so that tokens of a second's life do not pile up. */
const INSERT = `
  WITH removed AS (
    DELETE FROM scim_tokens WHERE org_id = $2 AND id IN (
      SELECT id FROM scim_tokens WHERE org_id = $2 AND expires_at <= $8 ORDER BY id DESC OFFSET $9))
  INSERT INTO scim_tokens (id, org_id, name, prefix, digest, created_by, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${COLUMNS}`;
/** Of each organisation, so that the provisioning log can tell who still calls with one. */
const REVOKED_KEPT = 100;

/** $1 organisation, $2 token. */
const REVOKE = `
  WITH revoked AS (
    DELETE FROM scim_tokens WHERE org_id = $1 AND id = $2 RETURNING ${COLUMNS}, org_id, digest
  ),
  kept AS (
    INSERT INTO revoked_scim_tokens (id, org_id, digest) SELECT id, org_id, digest FROM revoked
  ),
  forgotten AS (
    DELETE FROM revoked_scim_tokens WHERE id IN (
      SELECT id FROM revoked_scim_tokens WHERE org_id = $1 ORDER BY revoked_at DESC OFFSET ${REVOKED_KEPT - 1})
  )
  SELECT ${COLUMNS} FROM revoked`;

/** The tokens by which identity providers write an organisation's directory. */
@Injectable()
export class ScimTokens {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly memberships: Memberships,
    private readonly environment: Environment,
  ) {}

  /**
   * Makes a token. Several may live at once, so that one can replace another. Of the expired ones, as many as there may
   * be unexpired ones are kept; older ones are removed.
   *
   * @returns the token itself too, which is not stored and cannot be had again
   * @throws ConflictError when there are as many as allowed; ValidationError when it would have expired already; InsufficientRoleError for an ADMIN where a mapping may
   *   give OWNER, and for somebody who is no ADMIN any more
   */
  async create(member: ActingMember, { name, expires_at }: ScimTokenCreate): Promise<ScimTokenCreatedOut> {
    const expiresAt = this.expiry(expires_at);
    const token = newToken();
    const row = await inOrganisation(this.dataSource, member.orgId, async (manager) => {
      await this.requireRankOfToken(manager, member);
      const [now, most] = [this.clock.now(), this.environment.limits.scimTokensPerOrganisation];
      await requireRoom(manager, UNEXPIRED, { ownerId: member.orgId, most, parameters: [now], isOwnerLocked: true });
      const [made] = await manager.query<ScimTokenRow[]>(INSERT, [
        newId(),
        member.orgId,
        name,
        prefixOf(token),
        digestOf(token),
        member.userId,
        expiresAt,
        now,
        most,
      ]);
      if (!made) throw new Error('An insert gives its row.');
      await audit(manager, {
        orgId: member.orgId,
        cause: causeOfMember(member),
        action: 'scim_token.created',
        subjectType: 'scim_token',
        subjectId: made.id,
        before: null,
        after: told(made),
        reason: null,
      });
      return made;
    });
    return { ...toScimToken(row), token };
  }

  /** Newest first, expired ones too. */
  async list(member: ActingMember, query: PageQuery): Promise<Page<ScimTokenOut>> {
    const request = this.pages.open(listOf(member.orgId), query, {});
    const rows = await this.dataSource.query<ScimTokenRow[]>(
      `SELECT ${COLUMNS} FROM scim_tokens WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
      [member.orgId, request.after ?? null, request.take],
    );
    return this.pages.close(listOf(member.orgId), request, rows, toScimToken);
  }

  /** @throws NotFoundError */
  async get(member: ActingMember, tokenId: string): Promise<ScimTokenOut> {
    const [row] = await this.dataSource.query<ScimTokenRow[]>(
      `SELECT ${COLUMNS} FROM scim_tokens WHERE org_id = $1 AND id = $2`,
      [member.orgId, tokenId],
    );
    if (!row) throw new NotFoundError(ErrorCode.ScimTokenNotFound, tokenId);
    return toScimToken(row);
  }

  /**
   * Ends a token. Nobody remembers tokens, so the next request with it is refused by every replica.
   *
   * @throws NotFoundError
   */
  async revoke(member: ActingMember, tokenId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const [row] = await manager.query<ScimTokenRow[]>(REVOKE, [member.orgId, tokenId]);
      if (!row) throw new NotFoundError(ErrorCode.ScimTokenNotFound, tokenId);
      await audit(manager, {
        orgId: member.orgId,
        cause: causeOfMember(member),
        action: 'scim_token.revoked',
        subjectType: 'scim_token',
        subjectId: row.id,
        before: told(row),
        after: null,
        reason: null,
      });
    });
  }

  /**
   * Where mappings may give OWNER, a token may too: whoever holds it decides who is in the groups. So an ADMIN, who acts
   * up to ADMIN, makes none then; nor does somebody who lost the role while the request waited for the lock.
   *
   * @throws NotFoundError, InsufficientRoleError
   */
  private async requireRankOfToken(manager: EntityManager, member: ActingMember): Promise<void> {
    const standing = await this.memberships.require(member, member.orgId, 'ADMIN', manager);
    const { allowOwnerMapping } = await storedSettings(manager, member.orgId);
    if (allowOwnerMapping) requireRank(standing, 'OWNER');
  }

  private expiry(given: string | null | undefined): Date | null {
    if (given == null) return null;
    const expiresAt = parseInstant(given);
    if (expiresAt && expiresAt > this.clock.now()) return expiresAt;
    throw new ValidationError([{ loc: ['body', 'expires_at'], msg: 'Must be in the future.', type: 'value_error' }]);
  }
}

/** What the audit log keeps of a token. */
function told({ name, prefix, expires_at }: ScimTokenRow): object {
  return { name, prefix, expires_at: expires_at?.toISOString() ?? null };
}
