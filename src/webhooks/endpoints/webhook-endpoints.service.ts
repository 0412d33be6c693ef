import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { type Cap, requireRoom } from '../../database/cap';
import { newId } from '../../database/id';
import { many, maybe, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { EventCatalogue } from '../../events/event-catalogue';
import { ValidationError } from '../../errors/errors';
import { ErrorCode } from '../webhook.errors';
import { instantFilterSql, parseInstantFilter } from './instant-filter';
import { Memberships } from '../../organisations/members/memberships.service';
import { requireOpenAccount } from '../../users/open-account';
import { areSameHeaders, CustomHeaders, HeaderUpdates, replaceHeaders } from '../sending/custom-headers';
import { EndpointCredentials } from './endpoint-credentials';
import { EndpointQueue } from './endpoint-queue';
import { maskedTarget, type StoredTarget, toStoredTarget } from './stored-target';
import { TargetUrls } from '../sending/target-url';
import {
  toWebhookEndpoint,
  toWebhookEndpointDetail,
  WebhookEndpointCreate,
  WebhookEndpointCreatedOut,
  WebhookEndpointDetailOut,
  WebhookEndpointDetailRow,
  WebhookEndpointOut,
  WebhookEndpointQuery,
  WebhookEndpointRow,
  WebhookEndpointUpdate,
} from './webhook-endpoint.dto';
import { WebhookEndpoint } from './webhook-endpoint.entity';
import { INSERT, UPDATE } from './webhook-endpoint.sql';
import { WebhookEndpointFinder } from './webhook-endpoint-finder';
import { LIST_CAP, listOfCaller, listOfOrganisation } from './webhook-endpoint-list.sql';
import { WebhookSecrets } from './webhook-secrets';

/** The endpoints of a list, newest first. */
export interface EndpointList {
  endpoints: WebhookEndpointOut[];
  /** Whether the cap of 100 truncated the list. */
  truncated: boolean;
}

const PERSONAL: Cap = {
  name: 'personal webhook endpoints',
  rows: 'webhook_endpoints WHERE owner_id = $1 AND org_id IS NULL',
  code: ErrorCode.WebhookConflict,
  detail: (most) => `You have ${most} personal webhook endpoints, which is the limit. Delete one first.`,
};

const OF_ORGANISATION: Cap = {
  name: 'webhook endpoints of an organisation',
  rows: 'webhook_endpoints WHERE org_id = $1',
  code: ErrorCode.WebhookConflict,
  detail: (most) => `The organisation has ${most} webhook endpoints, which is the limit. Delete one first.`,
};

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: WebhookEndpointFinder,
    private readonly memberships: Memberships,
    private readonly secrets: WebhookSecrets,
    private readonly credentials: EndpointCredentials,
    private readonly targets: TargetUrls,
    private readonly queue: EndpointQueue,
    private readonly clock: Clock,
    private readonly environment: Environment,
    private readonly catalogue: EventCatalogue,
  ) {}

  /**
   * Every user may create personal endpoints; an organisation's endpoints require ADMIN or OWNER.
   *
   * @throws NotFoundError or InsufficientRoleError for the organisation; ValidationError if the target resolves only to
   *   refused addresses; ConflictError if the organisation or user has reached the cap
   */
  async create(caller: Caller, input: WebhookEndpointCreate): Promise<WebhookEndpointCreatedOut> {
    if (input.org_id) await this.memberships.require(caller, input.org_id, 'ADMIN');
    await this.requireDeliverable(input.target_url);
    const id = newId();
    const secret = this.secrets.generate();
    const headers = input.headers ?? {};
    const target = this.sealTarget(id, input.target_url);
    const row = await inTransaction(this.dataSource, async (manager) => {
      await requireOpenAccount(manager, caller.userId);
      await this.requireRoom(manager, caller, input.org_id);
      return one<WebhookEndpointDetailRow>(manager, INSERT, [
        id,
        input.org_id ?? null,
        caller.userId,
        target.target_url,
        target.encrypted_query,
        input.description ?? '',
        input.is_active ?? true,
        this.catalogue.inOrder(input.event_types),
        this.secrets.encrypt(id, secret),
        this.seal(id, headers),
        input.rate_limit_per_second || null,
      ]);
    });
    return { ...toWebhookEndpointDetail(row, input.target_url, headers, this.catalogue), secret };
  }

  /**
   * Two statements with `org_id`, one without (specification, operation 6).
   *
   * @throws NotFoundError if the caller is not a member of the organisation
   */
  async list(caller: Caller, query: WebhookEndpointQuery): Promise<EndpointList> {
    const now = this.clock.now();
    const filters = (query.created_at ?? []).map((parameter) => parseInstantFilter(parameter, now));
    const standing = query.org_id ? await this.memberships.require(caller, query.org_id, 'MEMBER') : undefined;
    const parameters: unknown[] = [query.org_id ?? caller.userId];
    let filter = instantFilterSql('created_at', filters, parameters);
    if (query.is_active !== undefined) filter += ` AND is_active = $${parameters.push(query.is_active)}`;
    const sql = query.org_id ? listOfOrganisation(filter) : listOfCaller(filter);
    const rows = await many<WebhookEndpointRow & { is_manager?: boolean }>(this.dataSource, sql, parameters);
    const truncated = !query.org_id && rows.length > LIST_CAP;
    const endpoints = (truncated ? rows.slice(0, LIST_CAP) : rows).map((row) =>
      toWebhookEndpoint(row, this.shownTarget(row, row.is_manager ?? standing?.role !== 'MEMBER'), this.catalogue),
    );
    return { endpoints, truncated };
  }

  /** @throws NotFoundError */
  async get(caller: Caller, id: string): Promise<WebhookEndpointDetailOut> {
    const row = await this.finder.readable(this.dataSource.manager, caller, id);
    const headers = this.credentials.openHeaders(id, row.encrypted_headers);
    return toWebhookEndpointDetail(row, this.shownTarget(row, row.role !== 'MEMBER'), headers, this.catalogue);
  }

  /**
   * A field that is absent or null keeps its value; `updated_at` changes only if something changed. Enabling reverts
   * disabling by the service and continues with new events; disabling voids what is queued.
   *
   * @throws NotFoundError; InsufficientRoleError; ValidationError if a new target resolves only to refused addresses,
   *   or if there is no stored header value to keep
   */
  async update(caller: Caller, id: string, input: WebhookEndpointUpdate): Promise<WebhookEndpointOut> {
    // Before the transaction, which must not wait for a DNS lookup.
    if (input.target_url != null) await this.requireDeliverableChange(caller, id, input.target_url);
    return inTransaction(this.dataSource, async (manager) => {
      const before = await this.finder.manageable(manager, caller, id);
      const isActive = input.is_active ?? before.is_active;
      const limit = input.rate_limit_per_second ?? before.rate_limit_per_second;
      const stored = this.replaceTarget(before, input.target_url);
      const updated = await maybe<WebhookEndpointRow>(manager, UPDATE, [
        id,
        stored.target_url,
        input.description ?? before.description,
        isActive,
        input.event_types == null ? before.event_types : this.catalogue.inOrder(input.event_types),
        input.headers == null ? before.encrypted_headers : this.replaceHeaders(before, input.headers),
        limit === 0 ? null : limit,
        stored.encrypted_query,
      ]);
      if (stored !== before) await this.queue.markUnproven(manager, id);
      if (!isActive && before.is_active) await this.queue.drainSoon(manager, id);
      const after = updated ?? before;
      return toWebhookEndpoint(after, this.shownTarget(after, true), this.catalogue);
    });
  }

  /** @throws NotFoundError; InsufficientRoleError */
  async remove(caller: Caller, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const endpoint = await this.finder.manageable(manager, caller, id);
      await manager.delete(WebhookEndpoint, { id: endpoint.id });
    });
  }

  /** @throws ValidationError at the target */
  private async requireDeliverable(targetUrl: string): Promise<void> {
    const refusal = await this.targets.refusal(targetUrl);
    if (refusal) throw new ValidationError([{ loc: ['body', 'target_url'], ...refusal }]);
  }

  /** Checks the permission first, so that a caller without it gets that error and not one about the target. */
  private async requireDeliverableChange(caller: Caller, id: string, targetUrl: string): Promise<void> {
    const before = await this.finder.manageableUnlocked(this.dataSource.manager, caller, id);
    if (targetUrl !== this.credentials.openTarget(id, before)) await this.requireDeliverable(targetUrl);
  }

  /** @throws ConflictError */
  private requireRoom(manager: EntityManager, { userId }: Caller, orgId?: string | null): Promise<void> {
    const { endpointsPerOrganisation, endpointsPerPerson } = this.environment.limits;
    return orgId
      ? requireRoom(manager, OF_ORGANISATION, { ownerId: orgId, most: endpointsPerOrganisation })
      : requireRoom(manager, PERSONAL, { ownerId: userId, most: endpointsPerPerson });
  }

  private sealTarget(id: string, targetUrl: string): StoredTarget {
    return toStoredTarget(targetUrl, (query) => this.secrets.encryptQuery(id, query));
  }

  /** @returns `before` itself if nothing changes */
  private replaceTarget(before: WebhookEndpointDetailRow, targetUrl: string | null | undefined): StoredTarget {
    if (targetUrl == null || targetUrl === this.credentials.openTarget(before.id, before)) return before;
    return this.sealTarget(before.id, targetUrl);
  }

  /** ADMINs, OWNERs and personal owners see the complete address, MEMBERs see it without the query. */
  private shownTarget(row: WebhookEndpointRow, isManager: boolean): string {
    if (!isManager) return maskedTarget(row);
    try {
      return this.credentials.openTarget(row.id, row);
    } catch {
      // SECRETS_KEY has changed. One unreadable endpoint must not prevent the others from being listed.
      return maskedTarget(row);
    }
  }

  /** @returns the stored bytes if nothing changes, because each encryption produces different ones */
  private replaceHeaders({ id, encrypted_headers }: WebhookEndpointDetailRow, requested: HeaderUpdates): Buffer | null {
    const stored = this.credentials.openHeaders(id, encrypted_headers);
    const headers = replaceHeaders(stored, requested);
    return areSameHeaders(stored, headers) ? encrypted_headers : this.seal(id, headers);
  }

  private seal(id: string, headers: CustomHeaders): Buffer | null {
    return Object.keys(headers).length === 0 ? null : this.secrets.encryptHeaders(id, headers);
  }
}
