import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { newId } from '../../database/id';
import { ConflictError, ForbiddenError, NotFoundError, RateLimitedError, ValidationError } from '../../errors/errors';
import { ErrorCode } from '../organisation.errors';
import { Page, PageQuery, Pages } from '../../http/requests/page';
import { DnsError, DnsResolver } from '../../outbound/dns-resolver';
import { audit, type AuditAction, type Cause } from '../audit/audit-trail';
import { causeOfMember } from '../audit/cause';
import { type ActingMember, Memberships } from '../members/memberships.service';
import { inOrganisation } from '../organisation-lock';
import { Directory } from '../directory';
import { DomainCreate, DomainOut, DomainRow, recordOf, toDomain } from './domain.dto';
import { domainName } from './domain-name';

const LIST = 'domains';

const TOKEN_BYTES = 24;
/** A question to the DNS may take 10 seconds, so that each domain has one under way at most. */
const CHECK_EVERY_S = 10;

const COLUMNS = `id, domain, token, proved_at, vouched_at, checked_at, created_at`;

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
      const named = await manager.query<{ domain: string }[]>(
        `SELECT domain FROM organisation_domains WHERE org_id = $1`,
        [orgId],
      );
      if (named.some((row) => row.domain === domain)) {
        throw new ConflictError(ErrorCode.DomainConflict, `The organisation has the domain ${domain} already.`);
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
    const rows = await this.dataSource.query<DomainRow[]>(
      `SELECT ${COLUMNS} FROM organisation_domains WHERE org_id = $1 AND ($2::uuid IS NULL OR id > $2)
       ORDER BY id LIMIT $3`,
      [orgId, request.after ?? null, request.take],
    );
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
      await manager.query(`UPDATE organisation_domains SET proved_at = $2 WHERE id = $1`, [before.id, provedAt]);
      const after = { ...before, proved_at: provedAt };
      if (isProved !== (before.proved_at !== null)) {
        const action = isProved ? 'domain.proved' : 'domain.proof_lost';
        await record(manager, orgId, causeOfMember(caller), action, after);
      }
      if (isProved) await this.directory.admitPending(manager, orgId, causeOfMember(caller));
      return after;
    });
    if (isProved) return toDomain(row);
    throw new ConflictError(
      ErrorCode.DomainConflict,
      `The DNS has no TXT record ${name} with the value ${value}. A new record can take a while to be seen.`,
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
      await manager.query(`DELETE FROM organisation_domains WHERE id = $1`, [row.id]);
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
      const row = (await findByName(manager, orgId, domain)) ?? (await insert(manager, orgId, domain));
      if (row.vouched_at !== null) return;
      await manager.query(`UPDATE organisation_domains SET vouched_at = $2 WHERE id = $1`, [row.id, this.clock.now()]);
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
      const row = await findByName(manager, orgId, domain);
      if (!row?.vouched_at) return;
      await manager.query(`UPDATE organisation_domains SET vouched_at = NULL WHERE id = $1`, [row.id]);
      await record(manager, orgId, cause, 'domain.vouch_withdrawn', row);
    });
  }

  /** Notes the time in the row, so that all processes together ask the DNS no oftener. */
  private async takeTurn(orgId: string, domainId: string): Promise<DomainRow> {
    const now = this.clock.now();
    const [[row]] = await this.dataSource.query<[DomainRow[], number]>(
      `UPDATE organisation_domains SET checked_at = $3
       WHERE org_id = $1 AND id = $2 AND (checked_at IS NULL OR checked_at <= $4) RETURNING ${COLUMNS}`,
      [orgId, domainId, now, new Date(now.getTime() - CHECK_EVERY_S * 1_000)],
    );
    if (row) return row;
    await find(this.dataSource.manager, orgId, domainId);
    throw new RateLimitedError(`A domain is looked up once in ${CHECK_EVERY_S} seconds.`, CHECK_EVERY_S);
  }

  private async hasRecord(name: string, value: string): Promise<boolean> {
    try {
      return (await this.dns.txt(name)).includes(value);
    } catch (error) {
      if (!(error instanceof DnsError)) throw error;
      if (error.isUnknown) return false;
      throw new ConflictError(ErrorCode.DomainConflict, `The DNS gave no answer for ${name}. Try again later.`);
    }
  }
}

async function insert(manager: EntityManager, orgId: string, domain: string): Promise<DomainRow> {
  const [row] = await manager.query<DomainRow[]>(
    `INSERT INTO organisation_domains (id, org_id, domain, token) VALUES ($1, $2, $3, $4) RETURNING ${COLUMNS}`,
    [newId(), orgId, domain, randomBytes(TOKEN_BYTES).toString('base64url')],
  );
  if (!row) throw new Error('INSERT … RETURNING gives a row.');
  return row;
}

async function find(manager: EntityManager, orgId: string, domainId: string): Promise<DomainRow> {
  const [row] = await manager.query<DomainRow[]>(
    `SELECT ${COLUMNS} FROM organisation_domains WHERE org_id = $1 AND id = $2`,
    [orgId, domainId],
  );
  if (!row) throw new NotFoundError(ErrorCode.DomainNotFound, domainId);
  return row;
}

async function findByName(manager: EntityManager, orgId: string, domain: string): Promise<DomainRow | undefined> {
  const [row] = await manager.query<DomainRow[]>(
    `SELECT ${COLUMNS} FROM organisation_domains WHERE org_id = $1 AND domain = $2`,
    [orgId, domain],
  );
  return row;
}

function record(
  manager: EntityManager,
  orgId: string,
  cause: Cause,
  action: AuditAction,
  { id, domain, proved_at }: DomainRow,
): Promise<void> {
  const [before, after] = action === 'domain.removed' ? [{ domain }, null] : [null, { domain }];
  const details = { is_proved: proved_at !== null };
  const subject = { subjectType: 'domain', subjectId: id } as const;
  return audit(manager, { orgId, cause, action, ...subject, before, after, reason: null, details });
}

function requireName(text: string, loc: string[]): string {
  const domain = domainName(text);
  if (domain !== undefined) return domain;
  throw new ValidationError([{ loc, msg: 'Must be the name of a domain, such as acme.example.', type: 'value_error' }]);
}

function requireAdmin({ isPlatformAdmin }: Caller): void {
  if (!isPlatformAdmin) throw new ForbiddenError('Only platform administrators vouch for a domain (PLATFORM_ADMINS).');
}
