import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import type { UpstreamSessionRef } from '../upstreams/upstream';
import { isRequestId, type RequestId } from '../protocol/json-rpc';

/** Marks our ids among those of a client, which answers nothing but what it was asked. */
const MARK = 'ty-';
/** As long as a call may take. */
const LIFE_MS = 15 * 60_000;

/** The client that is asked, and the path of its endpoint. */
interface RequestRecipient {
  readonly principal: string;
  readonly path: string;
}

/** Where the answer to a request of a server belongs. */
export interface RequestOrigin {
  readonly session: UpstreamSessionRef;
  /** As the server sent it. */
  readonly id: RequestId;
}

/**
 * The ids under which clients receive the requests of servers: they say, sealed (AES-256-GCM), where the answer belongs. So
 * it finds its server from whatever process it reaches, and nothing is stored.
 */
@Injectable()
export class UpstreamRequestIds {
  private readonly keys: Keyring;

  constructor(
    secrets: Secrets,
    private readonly clock: Clock,
  ) {
    this.keys = secrets.derive('MCP requests of servers');
  }

  seal({ session, id }: RequestOrigin, asked: RequestRecipient): string {
    const { upstreamId, entryId, capabilities } = session;
    const until = this.clock.now().getTime() + LIFE_MS;
    const text = JSON.stringify([upstreamId, entryId, capabilities, id, until]);
    return MARK + sealText(this.keys, contextOf(asked), text).toString('base64url');
  }

  /** @returns undefined for an id that is none of ours, is too old, or was given to someone else */
  open(id: RequestId, asked: RequestRecipient): RequestOrigin | undefined {
    if (typeof id !== 'string' || !id.startsWith(MARK) || !/^[\w-]{40,8192}$/.test(id)) return undefined;
    const opened = tryUnsealText(this.keys, contextOf(asked), Buffer.from(id.slice(MARK.length), 'base64url'));
    if (!opened) return undefined;
    const [upstreamId, entryId, capabilities, original, until] = JSON.parse(opened.text) as [
      string,
      string,
      string,
      unknown,
      number,
    ];
    if (!isRequestId(original) || until <= this.clock.now().getTime()) return undefined;
    return { session: { upstreamId, entryId, capabilities }, id: original };
  }
}

/** Authenticated with the id, so that only who was asked can answer. */
function contextOf({ principal, path }: RequestRecipient): string {
  return `MCP request for ${principal} at ${path}`;
}
