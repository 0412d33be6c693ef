import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller';
import { Clock } from '../config/clock';
import { newId } from '../database/id';
import { inTransaction } from '../database/transaction';
import { inCatalogueOrder } from '../events/event-catalogue';
import { instantFilterSql, parseInstantFilter } from '../http/instant-filter';
import { Memberships } from '../organisations/memberships.service';
import {
  toWebhookEndpoint,
  toWebhookEndpointDetail,
  WebhookEndpointCreate,
  WebhookEndpointCreatedOut,
  WebhookEndpointDetailOut,
  WebhookEndpointOut,
  WebhookEndpointQuery,
  WebhookEndpointRow,
  WebhookEndpointUpdate,
} from './webhook-endpoint.dto';
import { WebhookEndpointFinder } from './webhook-endpoint-finder';
import { ENDPOINT_COLUMNS, LIST_CAP, listOfCaller, listOfOrganisation } from './webhook-endpoint-list.sql';
import { WebhookSecrets } from './webhook-secrets';

/** The endpoints of a list, newest first. */
export interface EndpointList {
  endpoints: WebhookEndpointOut[];
  /** Whether the cap of 100 cut something off. */
  truncated: boolean;
}

@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: WebhookEndpointFinder,
    private readonly memberships: Memberships,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
  ) {}

  /**
   * Everybody may create personal endpoints; those of an organisation need ADMIN or OWNER.
   *
   * @throws NotFoundError or InsufficientRoleError for the organisation
   */
  async create(caller: Caller, input: WebhookEndpointCreate): Promise<WebhookEndpointCreatedOut> {
    if (input.org_id) await this.memberships.require(caller, input.org_id, 'ADMIN');
    const id = newId();
    const secret = this.secrets.generate();
    const [row] = await this.dataSource.query<WebhookEndpointRow[]>(
      `INSERT INTO webhook_endpoints
         (id, org_id, owner_id, target_url, description, is_active, event_types, encrypted_secret)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${ENDPOINT_COLUMNS}`,
      [
        id,
        input.org_id ?? null,
        caller.userId,
        input.target_url,
        input.description ?? '',
        input.is_active ?? true,
        inCatalogueOrder(input.event_types),
        this.secrets.encrypt(id, secret),
      ],
    );
    return { ...toWebhookEndpointDetail(row as WebhookEndpointRow), secret };
  }

  /**
   * Two statements with `org_id`, one without (specification, operation 6).
   *
   * @throws NotFoundError when the caller is no member of the organisation
   */
  async list(caller: Caller, query: WebhookEndpointQuery): Promise<EndpointList> {
    const now = this.clock.now();
    const filters = (query.created_at ?? []).map((parameter) => parseInstantFilter(parameter, now));
    if (query.org_id) await this.memberships.require(caller, query.org_id, 'MEMBER');
    const parameters: unknown[] = [query.org_id ?? caller.userId];
    let filter = instantFilterSql('created_at', filters, parameters);
    if (query.is_active !== undefined) filter += ` AND is_active = $${parameters.push(query.is_active)}`;
    const sql = query.org_id ? listOfOrganisation(filter) : listOfCaller(filter);
    const rows = await this.dataSource.query<WebhookEndpointRow[]>(sql, parameters);
    const truncated = !query.org_id && rows.length > LIST_CAP;
    return { endpoints: (truncated ? rows.slice(0, LIST_CAP) : rows).map(toWebhookEndpoint), truncated };
  }

  /** @throws NotFoundError */
  async get(caller: Caller, id: string): Promise<WebhookEndpointDetailOut> {
    return toWebhookEndpointDetail(await this.finder.readable(this.dataSource.manager, caller, id));
  }

  /**
   * A field that is absent or null keeps its value; `updated_at` moves only if something changed. Enabling takes back
   * what the service itself had disabled.
   *
   * @throws NotFoundError; InsufficientRoleError
   */
  async update(caller: Caller, id: string, input: WebhookEndpointUpdate): Promise<WebhookEndpointOut> {
    return inTransaction(this.dataSource, async (manager) => {
      const before = await this.finder.manageable(manager, caller, id);
      const eventTypes = input.event_types == null ? before.event_types : inCatalogueOrder(input.event_types);
      const isActive = input.is_active ?? before.is_active;
      const [changed] = await manager.query<[WebhookEndpointRow[], number]>(
        `UPDATE webhook_endpoints
         SET target_url = $2, description = $3, is_active = $4, event_types = $5,
             disabled_reason = CASE WHEN $4 THEN NULL ELSE disabled_reason END,
             disabled_at = CASE WHEN $4 THEN NULL ELSE disabled_at END,
             -- Later than before by a millisecond at least, which is what a reader can see.
             updated_at = GREATEST(now(), updated_at + interval '1 millisecond')
         WHERE id = $1 AND (target_url, description, is_active, event_types) IS DISTINCT FROM ($2, $3, $4, $5)
         RETURNING ${ENDPOINT_COLUMNS}`,
        [id, input.target_url ?? before.target_url, input.description ?? before.description, isActive, eventTypes],
      );
      return toWebhookEndpoint(changed[0] ?? before);
    });
  }

  /** @throws NotFoundError; InsufficientRoleError */
  async remove(caller: Caller, id: string): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const endpoint = await this.finder.manageable(manager, caller, id);
      await manager.query(`DELETE FROM webhook_endpoints WHERE id = $1`, [endpoint.id]);
    });
  }
}
