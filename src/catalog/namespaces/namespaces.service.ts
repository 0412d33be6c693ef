import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { newId } from '../../database/id';
import { execute, many, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import {
  ConflictError,
  ForbiddenError,
  NotFoundError,
  RateLimitedError,
  ValidationError,
  requireFound,
} from '../../errors/errors';
import { ErrorCode } from '../catalog.errors';
import { Page, Pages } from '../../http/requests/page';
import { audit, type AuditAction, type Cause } from '../../organisations/audit/audit-trail';
import { Memberships } from '../../organisations/members/memberships.service';
import { DnsError, DnsResolver } from '../../outbound/dns-resolver';
import { requireOpenAccount } from '../../users/open-account';
import {
  type NamespaceCreate,
  type NamespaceOut,
  type NamespaceQuery,
  type NamespaceRow,
  recordValue,
  toNamespace,
} from './namespace.dto';
import { Namespace } from './namespace.entity';
import { NamespaceFinder } from './namespace-finder';
import { domainOf, isGrantedOnly } from './namespace-name';

const LIST = 'namespaces';

const COLUMNS = 'id, namespace, method, org_id, user_id, challenge, verified_at, checked_at, created_at';

/** $1 namespace, $2 organisation or $3 person, $4 now. */
const GRANT_CLAIMED = `
  UPDATE namespaces SET method = 'grant', challenge = NULL, checked_at = NULL, verified_at = $4
  WHERE namespace = $1 AND org_id IS NOT DISTINCT FROM $2 AND user_id IS NOT DISTINCT FROM $3 AND verified_at IS NULL
  RETURNING ${COLUMNS}`;

/** 128 bits, so that a challenge cannot be guessed. */
const CHALLENGE_BYTES = 16;

/** Minimum time between two DNS queries for one claim. */
const SECONDS_BETWEEN_CHECKS = 5;

/** Strings only, because the filter is part of the cursor. */
type Filter = Partial<Record<'org_id' | 'scope' | 'namespace', string>>;

/** The holder of a namespace: exactly one of the two is set. */
interface Holder {
  orgId: string | null;
  userId: string | null;
}

/** Claims, verifies, grants and removes namespaces (contract, section 12.3). */
@Injectable()
export class NamespacesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: NamespaceFinder,
    private readonly memberships: Memberships,
    private readonly pages: Pages,
    private readonly dns: DnsResolver,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * Claims a namespace, to be verified later, or grants one, which takes effect immediately. An unproved claim of the
   * same holder turns into the grant.
   *
   * @throws NotFoundError if the claimant is not a member of the organisation, or the holder does not exist;
   *   InsufficientRoleError below ADMIN; ForbiddenError for a grant by anyone but a platform administrator;
   *   ConflictError if the holder already has the namespace or has reached the cap; ValidationError
   */
  async create(caller: Caller, cause: Cause, input: NamespaceCreate): Promise<NamespaceOut> {
    const namespace = input.namespace.toLowerCase();
    const isGrant = input.method === 'grant';
    requireHolder(input, namespace);
    if (isGrant && !caller.isPlatformAdmin) {
      throw new ForbiddenError('Only platform administrators can grant namespaces (PLATFORM_ADMINS).');
    }
    return inTransaction(this.dataSource, async (manager) => {
      const holder = isGrant
        ? await existingHolder(manager, input)
        : await this.claimant(manager, caller, input.org_id);
      const now = this.clock.now();
      const granted = isGrant ? await grantClaimed(manager, cause, namespace, holder, now) : undefined;
      if (granted) return toNamespace(granted);
      await this.requireRoom(manager, holder);
      const challenge = isGrant ? null : randomBytes(CHALLENGE_BYTES).toString('base64url');
      const row = await one<NamespaceRow>(
        manager,
        `INSERT INTO namespaces (id, namespace, org_id, user_id, method, challenge, verified_at, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${COLUMNS}`,
        [
          newId(),
          namespace,
          holder.orgId,
          holder.userId,
          isGrant ? 'grant' : 'dns',
          challenge,
          isGrant ? now : null,
          now,
        ],
      );
      await note(manager, cause, isGrant ? 'namespace.granted' : 'namespace.claimed', null, row);
      return toNamespace(row);
    });
  }

  /** Newest first. @throws NotFoundError; ForbiddenError for `scope=all`; ValidationError */
  async list(caller: Caller, { limit, cursor, ...filters }: NamespaceQuery): Promise<Page<NamespaceOut>> {
    const page = this.pages.open<Filter>(
      LIST,
      { limit, cursor },
      { ...filters, namespace: filters.namespace?.toLowerCase() },
    );
    const { org_id: orgId, scope, namespace } = page.filter;
    if (orgId && scope) {
      throw new ValidationError([
        { loc: ['query', 'scope'], msg: 'Cannot be combined with org_id.', type: 'value_error' },
      ]);
    }
    if (orgId) await this.memberships.require(caller, orgId, 'MEMBER');
    if (scope === 'all' && !caller.isPlatformAdmin) {
      throw new ForbiddenError('Only platform administrators can see all namespaces (PLATFORM_ADMINS).');
    }
    const [condition, holder] = orgId
      ? (['org_id = $4', [orgId]] as const)
      : scope === 'all'
        ? (['true', []] as const)
        : (['user_id = $4', [caller.userId]] as const);
    const rows = await many<NamespaceRow>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM namespaces
       WHERE ${condition} AND ($1::uuid IS NULL OR id < $1) AND ($3::text IS NULL OR namespace = $3)
       ORDER BY id DESC LIMIT $2`,
      [page.after, page.take, namespace ?? null, ...holder],
    );
    return page.close(rows, toNamespace);
  }

  /** @throws NotFoundError */
  async get(caller: Caller, id: string): Promise<NamespaceOut> {
    return toNamespace(await this.finder.readable(this.dataSource.manager, caller, id));
  }

  /**
   * Looks up the TXT record. A namespace that is verified or granted stays so.
   *
   * @throws NotFoundError, InsufficientRoleError; ConflictError if the domain does not have the record;
   *   RateLimitedError if it was looked up a moment ago
   */
  async verify(caller: Caller, cause: Cause, id: string): Promise<NamespaceOut> {
    const claim = await this.finder.manageable(this.dataSource.manager, caller, id);
    if (claim.challenge === null) return toNamespace(claim);
    await this.beginCheck(claim);
    // Outside any transaction: a lookup takes ten seconds if the name servers do not respond.
    await this.requireRecord(domainOf(claim.namespace), recordValue(claim.challenge));
    return inTransaction(this.dataSource, async (manager) => {
      const verified = await maybe<NamespaceRow>(
        manager,
        `UPDATE namespaces SET verified_at = coalesce(verified_at, $2) WHERE id = $1 RETURNING ${COLUMNS}`,
        [claim.id, this.clock.now()],
      );
      const row = requireFound(verified, ErrorCode.NamespaceNotFound, id);
      if (!claim.verified_at) await note(manager, cause, 'namespace.verified', claim, row);
      return toNamespace(row);
    });
  }

  /** Listings published under it stay published. @throws NotFoundError, InsufficientRoleError */
  async remove(caller: Caller, cause: Cause, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const row = await this.finder.manageable(manager, caller, id);
      const { affected } = await manager.getRepository(Namespace).delete({ id: row.id });
      if (affected) await note(manager, cause, 'namespace.removed', row, null);
    });
  }

  private async claimant(manager: EntityManager, caller: Caller, orgId: string | null | undefined): Promise<Holder> {
    await requireOpenAccount(manager, caller.userId);
    if (!orgId) return { orgId: null, userId: caller.userId };
    return { orgId: (await this.memberships.require(caller, orgId, 'ADMIN', manager)).orgId, userId: null };
  }

  private async requireRoom(manager: EntityManager, { orgId, userId }: Holder): Promise<void> {
    const most = this.environment.limits.namespacesPerHolder;
    // Serialises concurrent claims, so that all of them are counted.
    await execute(manager, `SELECT pg_advisory_xact_lock(hashtextextended('namespaces of ' || $1, 0))`, [
      orgId ?? userId,
    ]);
    const { count } = await one<{ count: number }>(
      manager,
      orgId
        ? `SELECT count(*)::int AS count FROM namespaces WHERE org_id = $1`
        : `SELECT count(*)::int AS count FROM namespaces WHERE user_id = $1`,
      [orgId ?? userId],
    );
    if (count >= most) {
      throw new ConflictError(
        ErrorCode.NamespaceConflict,
        `An organisation or person can have at most ${most} namespaces. Give one up, or claim a wider one.`,
      );
    }
  }

  /** Of several concurrent requests, one proceeds. @throws RateLimitedError */
  private async beginCheck({ id }: NamespaceRow): Promise<void> {
    const now = this.clock.now();
    const earliest = new Date(now.getTime() - SECONDS_BETWEEN_CHECKS * 1_000);
    const claimed = await execute(
      this.dataSource,
      `UPDATE namespaces SET checked_at = $2 WHERE id = $1 AND (checked_at IS NULL OR checked_at <= $3)`,
      [id, now, earliest],
    );
    if (claimed > 0) return;
    throw new RateLimitedError(
      `The DNS was queried a moment ago. Try again in ${SECONDS_BETWEEN_CHECKS} seconds.`,
      SECONDS_BETWEEN_CHECKS,
      { name: 'namespace-verification', quota: 1, seconds: SECONDS_BETWEEN_CHECKS },
    );
  }

  private async requireRecord(domain: string, value: string): Promise<void> {
    const records = await this.dns.txt(domain).catch((error: unknown) => {
      if (!(error instanceof DnsError)) throw error;
      if (error.isUnknown) return [];
      throw conflict(`The DNS did not answer for ${domain}. Try again later.`);
    });
    if (records.some((record) => record.trim() === value)) return;
    throw conflict(
      `${domain} has no TXT record "${value}" that we can see. A new record can take some time to become visible.`,
    );
  }
}

/** @throws ValidationError */
function requireHolder({ method, org_id, user_id }: NamespaceCreate, namespace: string): void {
  const fault = (field: string, msg: string) => {
    throw new ValidationError([{ loc: ['body', field], msg, type: 'value_error' }]);
  };
  if (method === 'grant') {
    if (Boolean(org_id) === Boolean(user_id)) fault('org_id', 'A grant needs either org_id or user_id.');
    return;
  }
  if (user_id) fault('user_id', 'user_id is allowed only with method "grant".');
  if (isGrantedOnly(namespace)) {
    fault('namespace', 'Belongs to an account at a host, not to a domain: ask a platform administrator to grant it.');
  }
}

/** @returns the holder of a grant. @throws NotFoundError */
async function existingHolder(manager: EntityManager, { org_id, user_id }: NamespaceCreate): Promise<Holder> {
  // Shared lock: the holder must not be deleted meanwhile.
  const row = await maybe<{ id: string }>(
    manager,
    org_id
      ? `SELECT id FROM organisations WHERE id = $1 AND deleted_at IS NULL FOR KEY SHARE`
      : `SELECT id FROM users WHERE id = $1 AND closed_at IS NULL FOR KEY SHARE`,
    [org_id ?? user_id],
  );
  if (!row) {
    throw org_id
      ? new NotFoundError(ErrorCode.OrganisationNotFound, org_id)
      : new NotFoundError(ErrorCode.UserNotFound, user_id ?? '');
  }
  return org_id ? { orgId: row.id, userId: null } : { orgId: null, userId: row.id };
}

/** @returns undefined if the holder has no unproved claim */
async function grantClaimed(
  manager: EntityManager,
  cause: Cause,
  namespace: string,
  { orgId, userId }: Holder,
  now: Date,
): Promise<NamespaceRow | undefined> {
  const row = await maybe<NamespaceRow>(manager, GRANT_CLAIMED, [namespace, orgId, userId, now]);
  if (row) await note(manager, cause, 'namespace.granted', { ...row, method: 'dns', verified_at: null }, row);
  return row;
}

function conflict(detail: string): ConflictError {
  return new ConflictError(ErrorCode.NamespaceConflict, detail);
}

/** Writes to the organisation's audit log; users have no audit log. */
async function note(
  manager: EntityManager,
  cause: Cause,
  action: AuditAction,
  before: NamespaceRow | null,
  after: NamespaceRow | null,
): Promise<void> {
  const row = after ?? before;
  if (!row?.org_id) return;
  const image = (of: NamespaceRow | null) => of && { namespace: of.namespace, method: of.method, status: statusOf(of) };
  await audit(manager, {
    orgId: row.org_id,
    cause,
    action,
    subjectType: 'namespace',
    subjectId: row.id,
    before: image(before),
    after: image(after),
    reason: null,
  });
}

function statusOf({ verified_at }: NamespaceRow): 'PENDING' | 'VERIFIED' {
  return verified_at ? 'VERIFIED' : 'PENDING';
}
