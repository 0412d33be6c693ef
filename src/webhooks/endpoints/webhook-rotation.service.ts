import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { newId } from '../../database/id';
import { execute, one } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { EventCatalogue } from '../../events/event-catalogue';
import { ConflictError } from '../../errors/errors';
import { ErrorCode } from '../webhook.errors';
import { EndpointCredentials } from './endpoint-credentials';
import { toWebhookEndpointDetail, WebhookEndpointDetailRow } from './webhook-endpoint.dto';
import { WebhookFormerSecret } from './webhook-former-secret.entity';
import { WebhookEndpointFinder } from './webhook-endpoint-finder';
import { ENDPOINT_DETAIL_COLUMNS } from './webhook-endpoint-list.sql';
import { DEFAULT_GRACE_SECONDS, WebhookSecretRotatedOut, WebhookSecretRotation } from './webhook-rotation.dto';
import { WebhookSecrets } from './webhook-secrets';

/** Each of them adds a signature to a header of every webhook. */
const MAX_FORMER_SECRETS = 4;

/** $1 endpoint, $2 now, $3 end of the grace period. Removes expired secrets; with a grace period of 0, all of them. */
const REMOVE_EXPIRED = `
  DELETE FROM webhook_former_secrets WHERE endpoint_id = $1 AND LEAST(expires_at, $3) <= $2`;

/** $1 endpoint, $2 end of the grace period, $3 a new id. */
const KEEP_CURRENT = `
  INSERT INTO webhook_former_secrets (id, endpoint_id, encrypted_secret, expires_at)
  SELECT $3, id, encrypted_secret, $2 FROM webhook_endpoints WHERE id = $1`;

/** $1 endpoint, $2 the new secret, encrypted. */
const REPLACE = `
  UPDATE webhook_endpoints
  SET encrypted_secret = $2, updated_at = GREATEST(now(), updated_at + interval '1 millisecond')
  WHERE id = $1 RETURNING ${ENDPOINT_DETAIL_COLUMNS}`;

/** Rotates the secrets of endpoints without losing deliveries to receivers that still verify with the former one. */
@Injectable()
export class WebhookRotationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: WebhookEndpointFinder,
    private readonly secrets: WebhookSecrets,
    private readonly credentials: EndpointCredentials,
    private readonly clock: Clock,
    private readonly catalogue: EventCatalogue,
  ) {}

  /**
   * The former secret signs along with the new one until the grace period ends; no earlier one signs for longer.
   *
   * @throws NotFoundError; InsufficientRoleError; ConflictError if too many former secrets still sign
   */
  async rotate(caller: Caller, id: string, input: WebhookSecretRotation): Promise<WebhookSecretRotatedOut> {
    const graceSeconds = input.grace_seconds ?? DEFAULT_GRACE_SECONDS;
    const secret = this.secrets.generate();
    return inTransaction(this.dataSource, async (manager) => {
      await this.finder.manageable(manager, caller, id);
      const now = this.clock.now();
      const end = new Date(now.getTime() + graceSeconds * 1_000);
      await execute(manager, REMOVE_EXPIRED, [id, now, end]);
      if (graceSeconds > 0) await this.keepCurrent(manager, id, end);
      const row = await one<WebhookEndpointDetailRow>(manager, REPLACE, [id, this.secrets.encrypt(id, secret)]);
      const headers = this.credentials.openHeaders(id, row.encrypted_headers);
      return {
        ...toWebhookEndpointDetail(row, this.credentials.openTarget(id, row), headers, this.catalogue),
        secret,
        former_secrets_expire_at: graceSeconds > 0 ? end.toISOString() : null,
      };
    });
  }

  private async keepCurrent(manager: EntityManager, id: string, end: Date): Promise<void> {
    const formerSecrets = await manager.find(WebhookFormerSecret, {
      where: { endpointId: id },
      order: { expiresAt: 'ASC' },
    });
    const [next] = formerSecrets;
    if (next && formerSecrets.length >= MAX_FORMER_SECRETS) {
      throw new ConflictError(
        ErrorCode.WebhookEndpointConflict,
        `${formerSecrets.length} former secrets are still valid; the next one expires at ${next.expiresAt.toISOString()}. ` +
          'Rotate again after that, or use grace_seconds 0, which ends all of them.',
      );
    }
    await manager.update(WebhookFormerSecret, { endpointId: id, expiresAt: MoreThan(end) }, { expiresAt: end });
    await execute(manager, KEEP_CURRENT, [id, end, newId()]);
  }
}
