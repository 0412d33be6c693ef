import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import type { PreparedStatement } from '../../database/prepared';
import { maybe } from '../../database/statements';
import { ErrorCode } from '../webhook.errors';
import { InsufficientRoleError } from '../../organisations/organisation.errors';
import { requireFound } from '../../errors/errors';
import { isAtLeast, Role } from '../../organisations/members/role';
import type { WebhookEndpointDetailRow } from './webhook-endpoint.dto';

/** $1 endpoint, $2 user. A personal endpoint is visible to its owner only, an organisation's to its members. */
const FIND: PreparedStatement = {
  name: 'webhook endpoint by id',
  sql: `
  SELECT endpoints.id, endpoints.org_id, endpoints.owner_id, endpoints.target_url,
         endpoints.encrypted_query, endpoints.description,
         endpoints.is_active, endpoints.event_types, endpoints.disabled_reason, endpoints.disabled_at,
         endpoints.created_at, endpoints.updated_at, endpoints.rate_limit_per_second, endpoints.encrypted_headers,
         member.role
  FROM webhook_endpoints AS endpoints
  LEFT JOIN memberships AS member ON member.org_id = endpoints.org_id AND member.user_id = $2
  WHERE endpoints.id = $1
    AND (member.role IS NOT NULL OR (endpoints.org_id IS NULL AND endpoints.owner_id = $2))`,
};

const LOCK: PreparedStatement = {
  name: 'webhook endpoint by id, locked',
  sql: `${FIND.sql} FOR UPDATE OF endpoints`,
};

/** An endpoint that the caller may see. */
export interface FoundEndpoint extends WebhookEndpointDetailRow {
  /** The caller's role in the organisation of the endpoint; null for a personal endpoint, which is the caller's own. */
  role: Role | null;
}

/** Finds endpoints by id, always on behalf of a caller. Nothing else may read an endpoint by its id. */
@Injectable()
export class WebhookEndpointFinder {
  /** @throws NotFoundError, also if the caller may not see the endpoint */
  async readable(manager: EntityManager, caller: Caller, id: string): Promise<FoundEndpoint> {
    return this.find(manager, caller, id, FIND);
  }

  /**
   * Also locks the endpoint until the end of the transaction, which serialises changes to it.
   *
   * @throws NotFoundError; InsufficientRoleError for a MEMBER of its organisation
   */
  async manageable(manager: EntityManager, caller: Caller, id: string): Promise<WebhookEndpointDetailRow> {
    return requireManager(await this.find(manager, caller, id, LOCK));
  }

  /**
   * Like `manageable` without a lock, for operations that take long or change nothing.
   *
   * @throws NotFoundError; InsufficientRoleError for a MEMBER of its organisation
   */
  async manageableUnlocked(manager: EntityManager, caller: Caller, id: string): Promise<WebhookEndpointDetailRow> {
    return requireManager(await this.find(manager, caller, id, FIND));
  }

  private async find(
    manager: EntityManager,
    caller: Caller,
    id: string,
    statement: PreparedStatement,
  ): Promise<FoundEndpoint> {
    const row = await maybe<FoundEndpoint>(manager, statement, [id, caller.userId]);
    return requireFound(row, ErrorCode.WebhookEndpointNotFound, id);
  }
}

function requireManager(endpoint: FoundEndpoint): FoundEndpoint {
  const { role } = endpoint;
  if (role !== null && !isAtLeast(role, 'ADMIN')) throw new InsufficientRoleError('ADMIN', role);
  return endpoint;
}
