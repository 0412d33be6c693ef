import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager, LessThan } from 'typeorm';
import { tokenExpiry } from '../../auth/secret-tokens/token-expiry';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { newId } from '../../database/id';
import { maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ErrorCode } from '../scim.errors';
import { NotFoundError } from '../../errors/errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { audit } from '../../organisations/audit/audit-trail';
import { causeOfMember } from '../../organisations/audit/cause';
import { type ActingMember, Memberships } from '../../organisations/members/memberships.service';
import { inOrganisation } from '../../organisations/organisation-lock';
import { requireRank } from '../../organisations/members/rank';
import { storedSettings } from '../roles/stored-settings';
import { SCIM_TOKEN } from './scim-token';
import { ScimTokenCreate, ScimTokenCreatedOut, ScimTokenOut, type ShownScimToken, toScimToken } from './scim-token.dto';
import { ScimToken } from './scim-token.entity';
import { INSERT, REVOKE } from './scim-tokens.sql';

/** A cursor of one organisation is worth nothing in another one. */
const listOf = (orgId: string) => `scim tokens of ${orgId}`;

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
    const expiresAt = tokenExpiry(expires_at, this.clock.now());
    const { token, prefix, digest } = SCIM_TOKEN.create();
    const created = await inOrganisation(this.dataSource, member.orgId, async (manager) => {
      await this.requireRankOfToken(manager, member);
      const [now, most] = [this.clock.now(), this.environment.limits.scimTokensPerOrganisation];
      await SCIM_TOKEN.makeRoom(manager, { ownerId: member.orgId, most, now, isOwnerLocked: true });
      const made = await one<ShownScimToken>(manager, INSERT, [
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
        subjectId: made.id,
        before: null,
        after: told(made),
        reason: null,
      });
      return made;
    });
    return { ...toScimToken(created), token };
  }

  /** Newest first, expired ones too. */
  async list(member: ActingMember, query: PageQuery): Promise<Page<ScimTokenOut>> {
    const request = this.pages.open(listOf(member.orgId), query, {});
    const tokens = await this.dataSource.manager.find(ScimToken, {
      where: { orgId: member.orgId, ...(request.after !== undefined && { id: LessThan(request.after) }) },
      order: { id: 'DESC' },
      take: request.take,
    });
    return this.pages.close(listOf(member.orgId), request, tokens, toScimToken);
  }

  /** @throws NotFoundError */
  async get(member: ActingMember, tokenId: string): Promise<ScimTokenOut> {
    const token = await this.dataSource.manager.findOneBy(ScimToken, { orgId: member.orgId, id: tokenId });
    if (!token) throw new NotFoundError(ErrorCode.ScimTokenNotFound, tokenId);
    return toScimToken(token);
  }

  /**
   * Ends a token. Nobody remembers tokens, so the next request with it is refused by every replica.
   *
   * @throws NotFoundError
   */
  async revoke(member: ActingMember, tokenId: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const revoked = await maybe<ShownScimToken>(manager, REVOKE, [member.orgId, tokenId]);
      if (!revoked) throw new NotFoundError(ErrorCode.ScimTokenNotFound, tokenId);
      await audit(manager, {
        orgId: member.orgId,
        cause: causeOfMember(member),
        action: 'scim_token.revoked',
        subjectType: 'scim_token',
        subjectId: revoked.id,
        before: told(revoked),
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
}

/** What the audit log keeps of a token. */
function told({ name, prefix, expiresAt }: ShownScimToken): object {
  return { name, prefix, expires_at: expiresAt?.toISOString() ?? null };
}
