import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { tokenExpiry } from '../../auth/secret-tokens/token-expiry';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { type Counter, Metrics } from '../../metrics/metrics';
import { issuedTokens } from '../../auth/secret-tokens/issued-tokens';
import { newId } from '../../database/id';
import { newestFirst } from '../../database/keyset';
import { maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ErrorCode } from '../scim.errors';
import { requireFound } from '../../errors/errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { audit } from '../../organisations/audit/audit-trail';
import { causeOfMember } from '../../organisations/audit/cause';
import { type ActingMember, Memberships } from '../../organisations/members/memberships.service';
import { inOrganisation } from '../../organisations/organisation-lock';
import { requireRank } from '../../organisations/members/rank';
import { storedSettings } from '../roles/settings/stored-settings';
import { SCIM_TOKEN } from './scim-token';
import { ScimTokenCreate, ScimTokenCreatedOut, ScimTokenOut, type ShownScimToken, toScimToken } from './scim-token.dto';
import { ScimToken } from './scim-token.entity';
import { INSERT_TOKEN, REVOKE_TOKEN } from './scim-tokens.sql';

/** A cursor of one organisation is not valid in another. */
const listOf = (orgId: string) => `scim tokens of ${orgId}`;

/** The tokens with which identity providers write an organisation's directory. */
@Injectable()
export class ScimTokens {
  private readonly issued: Counter<{ kind: readonly 'scim'[] }>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly memberships: Memberships,
    private readonly environment: Environment,
    metrics: Metrics,
  ) {
    this.issued = issuedTokens(metrics, 'scim');
  }

  /**
   * Creates a token. Several may be valid at the same time, so that one can replace another. Of the expired ones, as
   * many are kept as the cap on unexpired ones; older ones are removed.
   *
   * @returns the token with its secret, which is not stored and cannot be retrieved again
   * @throws ConflictError if the cap is reached; ValidationError if it would already have expired;
   *   InsufficientRoleError for an ADMIN if mappings to OWNER are allowed, and for a caller who is no longer ADMIN
   */
  async create(member: ActingMember, { name, expires_at }: ScimTokenCreate): Promise<ScimTokenCreatedOut> {
    const expiresAt = tokenExpiry(expires_at, this.clock.now());
    const { token, prefix, digest } = SCIM_TOKEN.create();
    const created = await inOrganisation(this.dataSource, member.orgId, async (manager) => {
      await this.requireRankOfToken(manager, member);
      const [now, most] = [this.clock.now(), this.environment.limits.scimTokensPerOrganisation];
      await SCIM_TOKEN.makeRoom(manager, { ownerId: member.orgId, most, now, isOwnerLocked: true });
      const row = await one<ShownScimToken>(manager, INSERT_TOKEN, [
        newId(),
        member.orgId,
        name,
        prefix,
        digest,
        member.userId,
        expiresAt,
      ]);
      await audit(manager, {
        orgId: member.orgId,
        cause: causeOfMember(member),
        action: 'scim_token.created',
        subjectType: 'scim_token',
        subjectId: row.id,
        before: null,
        after: auditedFields(row),
        reason: null,
      });
      return row;
    });
    this.issued.add({ kind: 'scim' });
    return { ...toScimToken(created), token };
  }

  /** Newest first, expired ones too. */
  async list(member: ActingMember, query: PageQuery): Promise<Page<ScimTokenOut>> {
    const page = this.pages.open(listOf(member.orgId), query, {});
    const tokens = await this.dataSource.manager.find(ScimToken, newestFirst({ orgId: member.orgId }, page));
    return page.close(tokens, toScimToken);
  }

  /** @throws NotFoundError */
  async get(member: ActingMember, tokenId: string): Promise<ScimTokenOut> {
    const token = await this.dataSource.manager.findOneBy(ScimToken, { orgId: member.orgId, id: tokenId });
    return toScimToken(requireFound(token, ErrorCode.ScimTokenNotFound, tokenId));
  }

  /**
   * Revokes a token. Each request asks whether its token exists, so every replica rejects the next one.
   *
   * @throws NotFoundError
   */
  async revoke(member: ActingMember, tokenId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const token = await maybe<ShownScimToken>(manager, REVOKE_TOKEN, [member.orgId, tokenId]);
      const revoked = requireFound(token, ErrorCode.ScimTokenNotFound, tokenId);
      await audit(manager, {
        orgId: member.orgId,
        cause: causeOfMember(member),
        action: 'scim_token.revoked',
        subjectType: 'scim_token',
        subjectId: revoked.id,
        before: auditedFields(revoked),
        after: null,
        reason: null,
      });
    });
  }

  /**
   * If mappings to OWNER are allowed, a token can give OWNER too, since its holder decides who is in the groups. An
   * ADMIN, who can only manage roles up to ADMIN, can then not create one; nor can a caller who lost the role while the
   * request waited for the lock.
   *
   * @throws NotFoundError, InsufficientRoleError
   */
  private async requireRankOfToken(manager: EntityManager, member: ActingMember): Promise<void> {
    const currentMember = await this.memberships.require(member, member.orgId, 'ADMIN', manager);
    const { allowOwnerMapping } = await storedSettings(manager, member.orgId);
    if (allowOwnerMapping) requireRank(currentMember, 'OWNER');
  }
}

/** The part of a token that the audit log keeps. */
function auditedFields({ name, prefix, expiresAt }: ShownScimToken): object {
  return { name, prefix, expires_at: expiresAt?.toISOString() ?? null };
}
