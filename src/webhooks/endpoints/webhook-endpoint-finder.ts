import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { maybe } from '../../database/statements';
import { ErrorCode } from '../webhook.errors';
import { InsufficientRoleError } from '../../organisations/organisation.errors';
import { NotFoundError } from '../../errors/errors';
import { isAtLeast, Role } from '../../organisations/members/role';
import type { WebhookEndpointDetailRow } from './webhook-endpoint.dto';

/** $1 endpoint, $2 person. A personal endpoint is its owner's alone, one of an organisation its members'. */
const FIND = `
  SELECT endpoints.id, endpoints.org_id, endpoints.owner_id, endpoints.target_url,
         endpoints.encrypted_query, endpoints.description,
         endpoints.is_active, endpoints.event_types, endpoints.disabled_reason, endpoints.disabled_at,
         endpoints.created_at, endpoints.updated_at, endpoints.rate_limit_per_second, endpoints.encrypted_headers,
         member.role
  FROM webhook_endpoints AS endpoints
  LEFT JOIN memberships AS member ON member.org_id = endpoints.org_id AND member.user_id = $2
  WHERE endpoints.id = $1
    AND (member.role IS NOT NULL OR (endpoints.org_id IS NULL AND endpoints.owner_id = $2))`;

/** An endpoint that the caller may see. */
export interface FoundEndpoint extends WebhookEndpointDetailRow {
  /** Of the caller in the organisation of the endpoint; null for a personal one, which is the caller's own. */
  role: Role | null;
}

/** The only way to an endpoint by its id: with the caller. */
@Injectable()
export class WebhookEndpointFinder {
  /** @throws NotFoundError, also for one that the caller may not see */
  async readable(manager: EntityManager, caller: Caller, id: string): Promise<FoundEndpoint> {
    return this.find(manager, caller, id, '');
  }

  /**
   * Also locks the endpoint until the end of the transaction, so that changes to it follow one another.
   *
   * @throws NotFoundError; InsufficientRoleError for a MEMBER of its organisation
   */
  async manageable(manager: EntityManager, caller: Caller, id: string): Promise<WebhookEndpointDetailRow> {
    return requireManager(await this.find(manager, caller, id, 'FOR UPDATE OF endpoints'));
  }

  /**
   * The same without a lock, for what takes long or changes nothing.
   *
   * @throws NotFoundError; InsufficientRoleError for a MEMBER of its organisation
   */
  async manageableUnlocked(manager: EntityManager, caller: Caller, id: string): Promise<WebhookEndpointDetailRow> {
    return requireManager(await this.find(manager, caller, id, ''));
  }

  private async find(manager: EntityManager, caller: Caller, id: string, lock: string): Promise<FoundEndpoint> {
    const row = await maybe<FoundEndpoint>(manager, `${FIND} ${lock}`, [id, caller.userId]);
    if (!row) throw new NotFoundError(ErrorCode.WebhookEndpointNotFound, id);
    return row;
  }
}

function requireManager(found: FoundEndpoint): FoundEndpoint {
  if (found.role !== null && !isAtLeast(found.role, 'ADMIN')) throw new InsufficientRoleError('ADMIN', found.role);
  return found;
}
