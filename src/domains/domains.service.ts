import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager, MoreThan } from 'typeorm';
import type { Caller } from '../auth/caller';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { newId } from '../database/id';
import { maybe } from '../database/statements';
import { ConflictError, ForbiddenError, NotFoundError, RateLimitedError, ValidationError } from '../errors/errors';
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
/** A question to the DNS may take 10 seconds, so that each domain has one under way at most. */
const CHECK_EVERY_S = 10;

/** What the DNS is asked for. */
type NamedDomain = Pick<OrganisationDomain, 'domain' | 'token'>;

/** The domains for whose people an organisation is vouched for, and how it proves them (contract, section 12.1). */
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
   * Names a domain. Any organisation may name any one; proving it is another matter, and several may do so.
   *
   * @throws ValidationError unless it is the name of a domain; ConflictError where it is named already, or too many are
   */
  async add(caller: ActingMember, input: DomainCreate): Promise<DomainOut> {
    const { orgId } = caller;
    const domain = requireName(input.domain, ['body', 'domain']);
    return inOrganisation(this.dataSource, orgId, async (manager) => {
      await this.memberships.require(caller, orgId, 'ADMIN', manager);
      const named = await manager
        .getRepository(OrganisationDomain)
        .find({ select: { domain: true }, where: { orgId } });
      if (named.some((row) => row.domain === domain)) {
        throw new ConflictError(ErrorCode.DomainConflict, `The organisation already has the domain ${domain}.`);
      }
      const most = this.environment.limits.domainsPerOrganisation;
      if (named.length >= most) {
        throw new ConflictError(ErrorCode.DomainConflict, `The organisation has ${most} domains, which is the limit.`);
      }
      const row = await insert(manager, orgId, domain);
      await record(manager, orgId, causeOfMember(caller), 'domain.added', row);
      return toDomain(row);
    });
  }

  /** The oldest first. */
  async list({ orgId }: ActingMember, query: PageQuery): Promise<Page<DomainOut>> {
    const request = this.pages.open(LIST, query, { org: orgId });
    const rows = await this.dataSource.getRepository(OrganisationDomain).find({
      where: { orgId, ...(request.after !== undefined && { id: MoreThan(request.after) }) },
      order: { id: 'ASC' },
      take: request.take,
    });
    return this.pages.close(LIST, request, rows, toDomain);
  }

  /** @throws NotFoundError */
  async get({ orgId }: ActingMember, domainId: string): Promise<DomainOut> {
    return toDomain(await find(this.dataSource.manager, orgId, domainId));
  }

  /**
   * Looks the record up. Found, the people of the domain that the directory names are members at once; gone, the proof
   * is gone as well. Without an answer of the DNS nothing changes.
   *
   * @throws NotFoundError; RateLimitedError within 10 seconds of the last time; ConflictError where the record is not found
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
      `The DNS has no TXT record ${name} with the value ${value}. A new record can take a while to become visible.`,
    );
  }

  /**
   * Members stay members; people that the directory names from now on have to accept.
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
   * Vouches for an organisation without a proof. The limit of its own domains does not count here.
   *
   * @throws ForbiddenError; ValidationError; NotFoundError for an organisation that does not exist
   */
  async vouch(caller: Caller, cause: Cause, orgId: string, text: string): Promise<void> {
    requireAdmin(caller);
    const domain = requireName(text, ['path', 'domain']);
    await inOrganisation(this.dataSource, orgId, async (manager) => {
      const known = await manager.getRepository(OrganisationDomain).findOneBy({ orgId, domain });
      const row = known ?? (await insert(manager, orgId, domain));
      if (row.vouchedAt !== null) return;
      await manager.getRepository(OrganisationDomain).update({ id: row.id }, { vouchedAt: this.clock.now() });
      await record(manager, orgId, cause, 'domain.vouched', row);
      await this.directory.admitPending(manager, orgId, cause);
    });
  }

  /**
   * Takes it back; again changes nothing. Members stay members.
   *
   * @throws ForbiddenError; ValidationError; NotFoundError for an organisation that does not exist
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

  /** Notes the time in the row, so that all processes together ask the DNS no oftener. */
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
    throw new RateLimitedError(`A domain is looked up at most once in ${CHECK_EVERY_S} seconds.`, CHECK_EVERY_S);
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
  await repository.insert(row); // which fills in when it was created
  return row;
}

async function find(manager: EntityManager, orgId: string, domainId: string): Promise<OrganisationDomain> {
  const row = await manager.getRepository(OrganisationDomain).findOneBy({ orgId, id: domainId });
  if (!row) throw new NotFoundError(ErrorCode.DomainNotFound, domainId);
  return row;
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
  throw new ValidationError([{ loc, msg: 'Must be the name of a domain, such as acme.example.', type: 'value_error' }]);
}

function requireAdmin({ isPlatformAdmin }: Caller): void {
  if (!isPlatformAdmin)
    throw new ForbiddenError('Only platform administrators can vouch for a domain (PLATFORM_ADMINS).');
}
