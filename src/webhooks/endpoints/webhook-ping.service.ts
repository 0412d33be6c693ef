import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Caller } from '../../auth/caller';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Columns } from '../../database/columns';
import { newId } from '../../database/id';
import { execute, maybe } from '../../database/statements';
import { ErrorCode } from '../webhook.errors';
import { RateLimitedError, requireFound } from '../../errors/errors';
import { EndpointCredentials, SealedCredentials, sealedCredentials } from './endpoint-credentials';
import { Slots } from '../sending/slots';
import { eventBody } from '../event-types/event-body';
import { WebhookSender } from '../sending/webhook-sender';
import type { WebhookEndpoint } from './webhook-endpoint.entity';
import { WebhookEndpointFinder } from './webhook-endpoint-finder';
import { toWebhookPing, WebhookPingOut } from './webhook-ping.dto';

/** Pings use the half for doubtful lanes, so at most 64 are in flight in this process. */
const PING_SLOTS = 128;

/** $1 endpoint, $2 now. */
const TARGET = `
  SELECT endpoints.org_id, ${sealedCredentials('endpoints', '$2')}
  FROM webhook_endpoints AS endpoints WHERE endpoints.id = $1`;

/**
 * $1 endpoint, $2 pings in any 60 seconds. Writes if this ping is allowed. One statement, which locks the row and reads it
 * again after a wait, by the database's clock: so the rate holds for all processes together.
 */
const COUNT = `
  UPDATE webhook_endpoints
  SET pings = ARRAY(SELECT ping FROM unnest(pings) AS ping
                    WHERE ping > clock_timestamp() - interval '60 seconds' ORDER BY ping) || clock_timestamp()
  WHERE id = $1 AND (SELECT count(*) FROM unnest(pings) AS ping
                     WHERE ping > clock_timestamp() - interval '60 seconds') < $2`;

/** The same parameters. How long until enough of the stored pings are 60 seconds old, in whole seconds. */
const WAIT = `
  SELECT greatest(1, ceil(extract(epoch FROM
           pings[greatest(1, cardinality(pings) - $2 + 1)] + interval '60 seconds' - clock_timestamp())))::int AS seconds
  FROM webhook_endpoints WHERE id = $1`;

type TargetRow = SealedCredentials & Pick<Columns<WebhookEndpoint>, 'org_id'>;

/** Lets users test their endpoints. */
@Injectable()
export class WebhookPingService {
  /** The start of the ping in flight by endpoint id; milliseconds since the epoch. */
  private readonly startTimes = new Map<string, number>();
  private readonly slots = new Slots(PING_SLOTS);

  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: WebhookEndpointFinder,
    private readonly credentials: EndpointCredentials,
    private readonly sender: WebhookSender,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends `webhook.ping` immediately, even to a disabled endpoint. Nothing is queued or stored of it, but when it was. This process
   * sends one ping per endpoint at a time, and a tenant gets at most its share of the slots for deliveries to doubtful
   * endpoints, so that a tenant with many hanging endpoints leaves some to the others (ADR 14).
   *
   * @throws NotFoundError; InsufficientRoleError; RateLimitedError while another ping to this endpoint, or too many to
   *   others of its owner, are in flight, and beyond LIMIT_PINGS_PER_MINUTE
   */
  async ping(caller: Caller, id: string): Promise<WebhookPingOut> {
    const { org_id, owner_id } = await this.finder.manageableUnlocked(this.dataSource.manager, caller, id);
    const tenantId = org_id ?? owner_id;
    const since = this.startTimes.get(id);
    if (since !== undefined) throw this.tooMany('A ping to this webhook endpoint is in flight.', since);
    this.requireSlot(tenantId);
    this.startTimes.set(id, this.clock.now().getTime());
    this.slots.take(tenantId, true);
    try {
      await this.requireRate(id);
      return await this.send(id);
    } finally {
      this.startTimes.delete(id);
      this.slots.give(tenantId, true);
    }
  }

  /** @throws RateLimitedError */
  private requireSlot(tenantId: string): void {
    const inFlight = this.slots.heldBy(tenantId, true);
    if (!this.slots.mayTake(tenantId, true)) {
      const detail = inFlight === 0 ? 'Too many pings are' : `${inFlight} pings to webhook endpoints of this owner are`;
      throw this.tooMany(`${detail} in flight.`, Math.min(...this.startTimes.values()));
    }
  }

  private async send(id: string): Promise<WebhookPingOut> {
    const now = this.clock.now();
    const found = await maybe<TargetRow>(this.dataSource, TARGET, [id, now]);
    const target = requireFound(found, ErrorCode.WebhookEndpointNotFound, id);
    const webhookId = newId();
    const data = { endpoint_id: id, org_id: target.org_id, message: 'Hello from Toolyard.' };
    const result = await this.sender.send({
      id: webhookId,
      body: eventBody('webhook.ping', now, JSON.stringify(data)),
      ...this.credentials.open(target),
    });
    return toWebhookPing(webhookId, result);
  }

  /** Counts a ping; one that is rejected does not count. @throws RateLimitedError */
  private async requireRate(id: string): Promise<void> {
    const most = this.environment.limits.pingsPerMinute;
    if ((await execute(this.dataSource, COUNT, [id, most])) > 0) return;
    const wait = await maybe<{ seconds: number }>(this.dataSource, WAIT, [id, most]);
    // Without a row it was deleted meanwhile, which the next statement finds.
    if (!wait) return;
    throw new RateLimitedError(
      `A webhook endpoint can be pinged at most ${most} times in a minute. Try again in ${wait.seconds} s.`,
      wait.seconds,
      { name: 'pings', quota: most, seconds: 60 },
    );
  }

  /** @param since when the ping started whose deadline bounds the wait */
  private tooMany(detail: string, since: number): RateLimitedError {
    const timeLeft = since + this.environment.webhooksDeadline * 1_000 - this.clock.now().getTime();
    return new RateLimitedError(`${detail} Try again shortly.`, Math.max(1, Math.ceil(timeLeft / 1_000)), {
      name: 'pings-in-flight',
      quota: 1,
    });
  }
}
