import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { outsideRequests } from '../../database/deadline';
import { isObject, type JsonObject } from '../protocol/json-rpc';
import { type Holder, Shares, sharesOf } from './shares';
import type { ResourceSubscription } from './upstream';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { UpstreamLimits } from './upstream-limits';
import { type NotificationStreamRequest, NotificationStreams } from './notification-streams';
import { Upstreams } from './upstreams.service';

const NOTE_MS = 60_000;
/** Longer addresses are no resources of ours (`LIST_LIMITS.nameBytes`), unless they are made from a template. */
const MAX_URI_LENGTH = 8_192;

/** Streams on which upstreams say which resources have changed, each for one client. */
@Injectable()
export class UpstreamSubscriptions {
  private readonly running = new Set<NotificationStreamRequest>();
  private readonly shares = new Shares();

  constructor(
    private readonly streams: NotificationStreams,
    private readonly upstreams: Upstreams,
    private readonly limits: UpstreamLimits,
  ) {}

  /** How many streams this process has. */
  get count(): number {
    return this.running.size;
  }

  /** How many a principal can have. */
  get mostOfPrincipal(): number {
    return sharesOf(this.limits.subscriptions).principal;
  }

  /** @returns whether the holder can have one more in this process */
  hasRoom(holder: Holder): boolean {
    return this.shares.refusal(holder, sharesOf(this.limits.subscriptions)) === undefined;
  }

  /** An upstream is in use as long as a client waits for its changes. */
  @Interval('use of subscriptions', NOTE_MS)
  noteUse(): void {
    this.upstreams.noteUse([...new Set([...this.running].map(({ upstream }) => upstream.id))]);
  }

  /** An upstream reports a change on the stream of a call: those who follow the resource in this process hear of it. */
  reported(upstreamId: string, message: JsonObject): void {
    const uri = updatedIn(message);
    if (uri === undefined) return;
    for (const { upstream, uris, onMessage } of this.running)
      if (upstream.id === upstreamId && uris.includes(uri)) onMessage(message);
  }

  /**
   * @returns when the upstream has agreed
   * @throws UpstreamFailure; the reason of the signal
   */
  async begin(subscription: ResourceSubscription): Promise<void> {
    const { upstream, client, uris, signal, onUpdated } = subscription;
    if (!this.hasRoom(subscription))
      throw new UpstreamFailure('rate_limited', 'This replica listens to too many resources; try again later.', false);
    const request: NotificationStreamRequest = {
      ...{ upstream, uris, signal },
      preferred: client.era,
      // A subscription asks for nothing.
      capabilities: {},
      lists: false,
      onMessage: (message) => {
        const uri = updatedIn(message);
        if (uri !== undefined) onUpdated(uri);
      },
    };
    this.running.add(request);
    const giveBack = this.shares.take(subscription);
    const end = (): void => {
      this.running.delete(request);
      giveBack();
    };
    try {
      const channel = await this.streams.open(request);
      const again = () => uris.forEach((uri) => onUpdated(uri));
      void outsideRequests(() => this.streams.keep(channel, request, again)).finally(end);
    } catch (error) {
      end();
      throw error;
    }
  }
}

function updatedIn({ method, params }: JsonObject): string | undefined {
  const uri = method === 'notifications/resources/updated' && isObject(params) ? params.uri : undefined;
  return typeof uri === 'string' && uri.length <= MAX_URI_LENGTH ? uri : undefined;
}
