import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { newId } from '../database/id';
import { oldestFirst } from '../database/keyset';
import { maybe } from '../database/statements';
import { ConflictError, ForbiddenError, RateLimitedError, ValidationError, requireFound } from '../errors/errors';
import { ErrorCode } from './domain.errors';
import { Page, PageQuery, Pages } from '../http/requests/page';
import { DnsError, DnsResolver } from '../outbound/dns-resolver';
import { audit, type AuditAction, type Cause } from '../organisations/audit/audit-trail';
import { causeOfMember } from '../organisations/audit/cause';
import { type ActingMember, Memberships } from '../organisations/members/memberships.service';
import { inOrganisation } from '../organisations/organisation-lock';
import { Directory } from '../organisations/directory';
import { DomainCreate, DomainOut, recordOf, toDomain } from './domain.dto';
import { domainName } from './domain-name';
import { OrganisationDomain } from './organisation-domain.entity';

const LIST = 'domains';

const TOKEN_BYTES = 24;
/** A DNS lookup can take 10 seconds, so each domain has at most one in progress. */
const CHECK_EVERY_S = 10;

/** What a DNS lookup needs. */
type NamedDomain = Pick<OrganisationDomain, 'domain' | 'token'>;

/** The domains of an organisation: proving them and vouching for them (contract, section 12.1). */
@Injectable()
export class DomainsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly directory: Directory,
    private readonly dns: DnsResolver,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * Adds a domain, unproved. Any organisation can add any domain, and several can prove the same one.
   *
   * @throws ValidationError if it is not a valid domain; ConflictError if it already exists or the cap is reached
   */
  async add(caller: ActingMember, input: DomainCreate): Promise<DomainOut> {
    const { orgId } = caller;
    const domain = requireName(input.domain, ['body', 'domain']);
    return inOrganisation(this.dataSource, orgId, async (manager) => {
      await this.memberships.require(caller, orgId, 'ADMIN', manager);
      const existing = await manager
        .getRepository(OrganisationDomain)
        .find({ select: { domain: true }, where: { orgId } });
      if (existing.some((row) => row.domain === domain)) {
        throw new ConflictError(ErrorCode.DomainConflict, `The organisation already has the domain ${domain}.`);
      }
      const most = this.environment.limits.domainsPerOrganisation;
      if (existing.length >= most) {
        throw new ConflictError(ErrorCode.DomainConflict, `The organisation has ${most} domains, which is the limit.`);
      }
      const row = await insert(manager, orgId, domain);
      await record(manager, orgId, causeOfMember(caller), 'domain.added', row);
      return toDomain(row);
    });
  }

  /** Oldest first. */
  async list({ orgId }: ActingMember, query: PageQuery): Promise<Page<DomainOut>> {
    const page = this.pages.open(LIST, query, { org: orgId });
    const rows = await this.dataSource.getRepository(OrganisationDomain).find(oldestFirst({ orgId }, page));
    return page.close(rows, toDomain);
  }

  /** @throws NotFoundError */
  async get({ orgId }: ActingMember, domainId: string): Promise<DomainOut> {
    return toDomain(await find(this.dataSource.manager, orgId, domainId));
  }

  /**
   * Looks up the record. If it is found, directory users of the domain become members immediately; if not, the domain
   * is no longer proved. If the DNS does not answer, nothing changes.
   *
   * @throws NotFoundError; RateLimitedError within 10 seconds of the last lookup; ConflictError if there is
   *   no such record
   */
  async verify(caller: ActingMember, domainId: string): Promise<DomainOut> {
    const { orgId } = caller;
    const { name, value } = recordOf(await this.takeTurn(orgId, domainId));
    const isProved = await this.hasRecord(name, value);
    const row = await inOrganisation(this.dataSource, orgId, async (manager) => {
      await this.memberships.require(caller, orgId, 'ADMIN', manager);
      const before = await find(manager, orgId, domainId);
      const provedAt = isProved ? this.clock.now() : null;
      await manager.getRepository(OrganisationDomain).update({ id: before.id }, { provedAt });
      const after = { ...before, provedAt };
      if (isProved !== (before.provedAt !== null)) {
        const action = isProved ? 'domain.proved' : 'domain.proof_lost';
        await record(manager, orgId, causeOfMember(caller), action, after);
      }
      if (isProved) await this.directory.admitPending(manager, orgId, causeOfMember(caller));
      return after;
    });
    if (isProved) return toDomain(row);
    throw new ConflictError(
      ErrorCode.DomainConflict,
      `The DNS has no TXT record ${name} with the value ${value}. A new record can take some time to become visible.`,
    );
  }

  /**
   * Members stay; users that the directory provisions from now on must accept.
   *
   * @throws NotFoundError
   */
  async remove(caller: ActingMember, domainId: string): Promise<void> {
    const { orgId } = caller;
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      await this.memberships.require(caller, orgId, 'ADMIN', manager);
      const row = await find(manager, orgId, domainId);
      await manager.getRepository(OrganisationDomain).delete({ id: row.id });
      await record(manager, orgId, causeOfMember(caller), 'domain.removed', row);
    });
  }

  /**
   * Vouches for an organisation without proof. The cap on its domains does not apply.
   *
   * @throws ForbiddenError; ValidationError; NotFoundError if the organisation does not exist
   */
  async vouch(caller: Caller, cause: Cause, orgId: string, text: string): Promise<void> {
    requireAdmin(caller);
    const domain = requireName(text, ['path', 'domain']);
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      const storedDomain = await manager.getRepository(OrganisationDomain).findOneBy({ orgId, domain });
      const row = storedDomain ?? (await insert(manager, orgId, domain));
      if (row.vouchedAt !== null) return;
      await manager.getRepository(OrganisationDomain).update({ id: row.id }, { vouchedAt: this.clock.now() });
      await record(manager, orgId, cause, 'domain.vouched', row);
      await this.directory.admitPending(manager, orgId, cause);
    });
  }

  /**
   * Idempotent. Members stay.
   *
   * @throws ForbiddenError; ValidationError; NotFoundError if the organisation does not exist
   */
  async withdrawVouch(caller: Caller, cause: Cause, orgId: string, text: string): Promise<void> {
    requireAdmin(caller);
    const domain = requireName(text, ['path', 'domain']);
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      const row = await manager.getRepository(OrganisationDomain).findOneBy({ orgId, domain });
      if (!row?.vouchedAt) return;
      await manager.getRepository(OrganisationDomain).update({ id: row.id }, { vouchedAt: null });
      await record(manager, orgId, cause, 'domain.vouch_withdrawn', row);
    });
  }

  /** Stores the time of the lookup in the row, so that the rate limit holds across all processes. */
  private async takeTurn(orgId: string, domainId: string): Promise<NamedDomain> {
    const now = this.clock.now();
    const row = await maybe<NamedDomain>(
      this.dataSource,
      `UPDATE organisation_domains SET checked_at = $3
       WHERE org_id = $1 AND id = $2 AND (checked_at IS NULL OR checked_at <= $4) RETURNING domain, token`,
      [orgId, domainId, now, new Date(now.getTime() - CHECK_EVERY_S * 1_000)],
    );
    if (row) return row;
    await find(this.dataSource.manager, orgId, domainId);
    throw new RateLimitedError(`A domain can be verified at most every ${CHECK_EVERY_S} seconds.`, CHECK_EVERY_S, {
      name: 'domain-verification',
      quota: 1,
      seconds: CHECK_EVERY_S,
    });
  }

  private async hasRecord(name: string, value: string): Promise<boolean> {
    try {
      return (await this.dns.txt(name)).includes(value);
    } catch (error) {
      if (!(error instanceof DnsError)) throw error;
      if (error.isUnknown) return false;
      throw new ConflictError(ErrorCode.DomainConflict, `The DNS did not answer for ${name}. Try again later.`);
    }
  }
}

async function insert(manager: EntityManager, orgId: string, domain: string): Promise<OrganisationDomain> {
  const repository = manager.getRepository(OrganisationDomain);
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const unproved = { checkedAt: null, provedAt: null, vouchedAt: null };
  const row = repository.create({ id: newId(), orgId, domain, token, ...unproved });
  await repository.insert(row); // fills in createdAt
  return row;
}

async function find(manager: EntityManager, orgId: string, domainId: string): Promise<OrganisationDomain> {
  const row = await manager.getRepository(OrganisationDomain).findOneBy({ orgId, id: domainId });
  return requireFound(row, ErrorCode.DomainNotFound, domainId);
}

function record(
  manager: EntityManager,
  orgId: string,
  cause: Cause,
  action: AuditAction,
  { id, domain, provedAt }: OrganisationDomain,
): Promise<void> {
  const [before, after] = action === 'domain.removed' ? [{ domain }, null] : [null, { domain }];
  const details = { is_proved: provedAt !== null };
  const subject = { subjectType: 'domain', subjectId: id } as const;
  return audit(manager, { orgId, cause, action, ...subject, before, after, reason: null, details });
}

function requireName(text: string, loc: string[]): string {
  const domain = domainName(text);
  if (domain !== undefined) return domain;
  throw new ValidationError([{ loc, msg: 'Must be a domain name such as acme.example.', type: 'value_error' }]);
}

function requireAdmin({ isPlatformAdmin }: Caller): void {
  if (!isPlatformAdmin)
    throw new ForbiddenError('Only platform administrators can vouch for a domain (PLATFORM_ADMINS).');
}
