import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../auth/caller';
import { Clock } from '../config/clock';
import { Environment } from '../config/environment';
import { newId } from '../database/id';
import { ErrorCode, NotFoundError, RateLimitedError } from '../http/errors';
import { EndpointCredentials, SealedCredentials, sealedCredentials } from './endpoint-credentials';
import { eventBody } from './event-body';
import { WebhookSender } from './sending/webhook-sender';
import { WebhookEndpointFinder } from './webhook-endpoint-finder';
import { toWebhookPing, WebhookPingOut } from './webhook-ping.dto';

/** $1 endpoint, $2 now. */
const TARGET = `
  SELECT endpoints.target_url, endpoints.org_id, ${sealedCredentials('endpoints', '$2')}
  FROM webhook_endpoints AS endpoints WHERE endpoints.id = $1`;

interface TargetRow extends SealedCredentials {
  target_url: string;
  org_id: string | null;
}

/** Tries endpoints out, for those who set them up. */
@Injectable()
export class WebhookPingService {
  /** The endpoints that are being pinged, and since when: milliseconds since the epoch. */
  private readonly underWay = new Map<string, number>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: WebhookEndpointFinder,
    private readonly credentials: EndpointCredentials,
    private readonly sender: WebhookSender,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends `webhook.ping` now, also to an endpoint that is disabled. Nothing of it is queued, stored or counted. One at a
   * time to an endpoint in this process, so that nobody shoots with it.
   *
   * @throws NotFoundError; InsufficientRoleError; RateLimitedError while another one to this endpoint is under way
   */
  async ping(caller: Caller, id: string): Promise<WebhookPingOut> {
    await this.finder.manageableUnlocked(this.dataSource.manager, caller, id);
    const since = this.underWay.get(id);
    if (since !== undefined) throw this.tooMany(since);
    this.underWay.set(id, this.clock.now().getTime());
    try {
      return await this.send(id);
    } finally {
      this.underWay.delete(id);
    }
  }

  private async send(id: string): Promise<WebhookPingOut> {
    const now = this.clock.now();
    const [target] = await this.dataSource.query<TargetRow[]>(TARGET, [id, now]);
    if (!target) throw new NotFoundError(ErrorCode.WebhookEndpointNotFound, id);
    const webhookId = newId();
    const data = { endpoint_id: id, org_id: target.org_id, message: 'Hello from Toolyard.' };
    const result = await this.sender.send({
      id: webhookId,
      body: eventBody('webhook.ping', now, JSON.stringify(data)),
      targetUrl: target.target_url,
      ...this.credentials.open(target),
    });
    return toWebhookPing(webhookId, result);
  }

  /** At the latest when its deadline has passed the other one is over. */
  private tooMany(since: number): RateLimitedError {
    const left = since + this.environment.webhooksDeadline * 1_000 - this.clock.now().getTime();
    return new RateLimitedError(
      'A ping to this webhook endpoint is under way. Try again when it is over.',
      Math.max(1, Math.ceil(left / 1_000)),
    );
  }
}
