import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../auth/caller';
import { ListingFinder } from '../catalog/listings/listing-finder';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { type Cap, requireRoom } from '../database/cap';
import { firstIdAt, newId, timeOf } from '../database/id';
import { execute, many, maybe } from '../database/statements';
import { inTransaction } from '../database/transaction';
import { ConflictError, ForbiddenError, RateLimitedError, requireFound, ValidationError } from '../errors/errors';
import { record } from '../events/outbox';
import { type Page, Pages } from '../http/requests/page';
import { countedPart } from '../me/waiting-part';
import { MAX_COUNTED, type WaitingPart, type WaitingRequestsOut } from '../me/waiting.dto';
import { type ActingMember, Memberships, type Standing } from '../organisations/members/memberships.service';
import { isAtLeast } from '../organisations/members/role';
import { requireOpenAccount } from '../users/open-account';
import { DecisionMails } from './decision-mails';
import type { Decision, ServerRequestStatus } from './server-request-status';
import {
  type ServerRequestCreate,
  type ServerRequestDecision,
  type ServerRequestOut,
  type ServerRequestQuery,
  type ServerRequestRow,
  toServerRequest,
} from './server-request.dto';
import { ErrorCode } from './server-request.errors';
import {
  FIND,
  HOLD_LISTING,
  INSERT,
  LAST_OF_DAY,
  LIST,
  OPEN_OF_MEMBER,
  OPEN_OF_ORGANISATION,
  SETTLE,
  WAITING,
} from './server-requests.sql';

const LIST_NAME = 'server requests';
const DAY_MS = 24 * 3_600_000;

const OF_MEMBER: Cap = {
  name: 'open server requests of a member',
  rows: OPEN_OF_MEMBER,
  code: ErrorCode.ServerRequestConflict,
  detail: (most) => `You have ${most} open requests in this organisation, which is the limit. Withdraw one first.`,
};

const OF_ORGANISATION: Cap = {
  name: 'open server requests of an organisation',
  rows: OPEN_OF_ORGANISATION,
  code: ErrorCode.ServerRequestConflict,
  detail: (most) =>
    `The organisation has ${most} open requests, which is the limit. Its administrators have to decide some first.`,
};

/** What is asked for. */
interface Subject {
  readonly listingId: string | null;
  readonly listingName: string | null;
  readonly name: string;
  readonly key: string;
}

const VERDICTS = { APPROVED: 'server_request.approved', DECLINED: 'server_request.declined' } as const;

/**
 * What members ask the administrators of their organisation for: a server that its bundles, and so its allow list, or the
 * catalogue lack. A decision says what will be done, and does nothing by itself.
 */
@Injectable()
export class ServerRequestsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memberships: Memberships,
    private readonly listings: ListingFinder,
    private readonly mails: DecisionMails,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly environment: Environment,
  ) {}

  /**
   * @throws NotFoundError for a listing that the caller may not see; ValidationError for one that others of the organisation
   *   may not; ConflictError if they have asked for it already, or a limit of open requests is reached; RateLimitedError
   */
  async create(caller: Caller, { orgId }: ActingMember, input: ServerRequestCreate): Promise<ServerRequestOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const member = await this.hold(manager, caller, orgId);
      const subject = await this.subjectOf(manager, caller, orgId, input);
      const { limits } = this.environment;
      const ofMember = { ownerId: member.userId, most: limits.serverRequestsPerMember, parameters: [orgId] };
      await requireRoom(manager, OF_MEMBER, ofMember);
      await this.requireRate(manager, member);
      const ofOrganisation = { ownerId: orgId, most: limits.serverRequestsPerOrganisation };
      await requireRoom(manager, OF_ORGANISATION, ofOrganisation);
      const id = newId();
      await execute(manager, INSERT, [
        ...[id, orgId, subject.listingId, subject.listingName, subject.name, subject.key],
        ...[input.why ?? '', member.userId, this.clock.now()],
      ]);
      const row = await this.find(manager, member, id);
      await record(manager, { type: 'server_request.created', orgId, data: dataOf(orgId, row) });
      return toServerRequest(row, viewerOf(member));
    });
  }

  /** Newest first; a MEMBER gets their own. */
  async list(member: ActingMember, { status, mine, ...query }: ServerRequestQuery): Promise<Page<ServerRequestOut>> {
    const filter = { org: member.orgId, status, mine: mine === undefined ? undefined : String(mine) };
    const page = this.pages.open(LIST_NAME, query, filter);
    const viewer = viewerOf(member);
    const isOwn = page.filter.mine === 'true' || !viewer.isAdmin;
    const rows = await many<ServerRequestRow>(this.dataSource, LIST, [
      ...[member.orgId, isOwn ? member.userId : null, page.filter.status ?? null],
      ...[page.after, page.take],
    ]);
    return page.close(rows, (row) => toServerRequest(row, viewer));
  }

  /** @throws NotFoundError, also for one of others if the caller is a MEMBER */
  async get(member: ActingMember, id: string): Promise<ServerRequestOut> {
    return toServerRequest(await this.find(this.dataSource.manager, member, id), viewerOf(member));
  }

  /** @throws NotFoundError; ForbiddenError if someone else asked; ConflictError if it is not open */
  async withdraw(caller: Caller, { orgId }: ActingMember, id: string): Promise<ServerRequestOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const member = await this.hold(manager, caller, orgId);
      const { requested_by } = await this.find(manager, member, id);
      if (requested_by !== member.userId)
        throw new ForbiddenError('Only the member who asked can withdraw a request. An administrator can decline it.');
      const row = await this.settle(manager, member, id, 'WITHDRAWN', null);
      await record(manager, { type: 'server_request.withdrawn', orgId, data: dataOf(orgId, row) });
      return toServerRequest(row, viewerOf(member));
    });
  }

  /**
   * Approves or declines it, and mails that to who asked.
   *
   * @throws NotFoundError; InsufficientRoleError; ConflictError if it is not open
   */
  async decide(
    caller: Caller,
    { orgId }: ActingMember,
    id: string,
    status: Decision,
    { answer = null }: ServerRequestDecision,
  ): Promise<ServerRequestOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const member = await this.hold(manager, caller, orgId, 'ADMIN');
      const row = await this.settle(manager, member, id, status, answer);
      const data = { ...dataOf(orgId, row), decided_by: member.userId };
      await record(manager, { type: VERDICTS[status], orgId, data });
      await this.mails.post(manager, orgId, row, { status, answer, by: member.userId });
      return toServerRequest(row, viewerOf(member));
    });
  }

  /** @returns the open requests that the caller can decide, by organisation */
  async waiting({ userId }: Caller): Promise<WaitingPart<WaitingRequestsOut>> {
    return countedPart(await many<WaitingRequestsOut>(this.dataSource, WAITING, [userId, MAX_COUNTED]));
  }

  /** Reads the role again, and keeps the account until the end of the transaction, before anything of it is locked. */
  private async hold(
    manager: EntityManager,
    caller: Caller,
    orgId: string,
    role: Standing['role'] = 'MEMBER',
  ): Promise<Standing> {
    await requireOpenAccount(manager, caller.userId);
    return this.memberships.require(caller, orgId, role, manager);
  }

  private async find(manager: EntityManager, member: Standing, id: string): Promise<ServerRequestRow> {
    const own = viewerOf(member).isAdmin ? null : member.userId;
    const row = await maybe<ServerRequestRow>(manager, FIND, [member.orgId, id, own]);
    return requireFound(row, ErrorCode.ServerRequestNotFound, id);
  }

  /** @returns the request as it is then */
  private async settle(
    manager: EntityManager,
    member: Standing,
    id: string,
    status: Exclude<ServerRequestStatus, 'OPEN'>,
    answer: string | null,
  ): Promise<ServerRequestRow> {
    const decidedBy = status === 'WITHDRAWN' ? null : member.userId;
    const settled = await execute(manager, SETTLE, [member.orgId, id, status, decidedBy, answer, this.clock.now()]);
    const row = await this.find(manager, member, id);
    if (settled > 0) return row;
    throw new ConflictError(ErrorCode.ServerRequestConflict, `This request was already ${row.status.toLowerCase()}.`);
  }

  private async subjectOf(
    manager: EntityManager,
    caller: Caller,
    orgId: string,
    { listing_id, name }: ServerRequestCreate,
  ): Promise<Subject> {
    if (name && !listing_id) return { listingId: null, listingName: null, name, key: `name ${folded(name)}` };
    if (!listing_id || name) {
      const type = listing_id ? 'value_error' : 'missing';
      throw new ValidationError([{ loc: ['body', 'listing_id'], msg: 'Provide either listing_id or name.', type }]);
    }
    // So that it is not deleted before the request refers to it.
    await execute(manager, HOLD_LISTING, [listing_id]);
    const listing = await this.listings.readable(manager, caller, listing_id);
    const isPublic = listing.status === 'PUBLISHED' && listing.visibility === 'PUBLIC';
    if (!isPublic && listing.org_id !== orgId) {
      const msg = 'Other members of the organisation cannot see this listing: it is neither public nor one of theirs.';
      throw new ValidationError([{ loc: ['body', 'listing_id'], msg, type: 'value_error' }]);
    }
    return { listingId: listing.id, listingName: listing.name, name: listing.title, key: `listing ${listing.id}` };
  }

  /** Called with the lock of `OF_MEMBER`, so that no two requests count the same ones. */
  private async requireRate(manager: EntityManager, { orgId, userId }: Standing): Promise<void> {
    const most = this.environment.limits.serverRequestsPerDay;
    const dayAgo = this.clock.now().getTime() - DAY_MS;
    const values = [userId, orgId, firstIdAt(new Date(dayAgo)), most];
    const blocking = await maybe<{ id: string }>(manager, LAST_OF_DAY, values);
    if (!blocking) return;
    throw new RateLimitedError(
      `A member can ask for at most ${most} servers in 24 hours.`,
      Math.max(1, Math.ceil((timeOf(blocking.id).getTime() - dayAgo) / 1_000)),
      { name: 'server-requests', quota: most, seconds: DAY_MS / 1_000 },
    );
  }
}

function viewerOf({ userId, role }: Standing): { userId: string; isAdmin: boolean } {
  return { userId, isAdmin: isAtLeast(role, 'ADMIN') };
}

function dataOf(orgId: string, { id, listing_id, name, requested_by }: ServerRequestRow) {
  return { org_id: orgId, request_id: id, listing_id, name, requested_by };
}

/** Two names that people take for the same. */
function folded(name: string): string {
  return name.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase();
}
