import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';

/** How long a person has to answer what a server asks. */
const LIFE_MS = 10 * 60_000;
/** As a server gives it: sealed, and with the answers of the client, it has to fit into a request of 1 MiB. */
export const MAX_STATE_BYTES = 524_288;

/** The request that a state belongs to, and whose it is. */
export interface RequestStateScope {
  readonly principal: string;
  /** The endpoint has this path. */
  readonly path: string;
  readonly entryId: string;
  /** The server of the entry, which an edit may replace by another one. */
  readonly upstreamId: string;
  readonly method: string;
  /** As the client says it: the name of a tool or a prompt, or the address of a resource. */
  readonly name: string;
}

/**
 * `requestState` of servers as clients have it: sealed (AES-256-GCM). All people of a bundle are the same client to a server,
 * so it cannot tell whose state comes back; and towards clients we are the server that has to protect it and to bind it to the
 * principal, a time and the request (MCP 2026-07-28, multi round-trip requests, "Server Requirements", 4 and 5).
 */
@Injectable()
export class RequestStates {
  private readonly keys: Keyring;

  constructor(
    secrets: Secrets,
    private readonly clock: Clock,
  ) {
    this.keys = secrets.derive('MCP request states');
  }

  /** @returns what the client gets; undefined if it is too long to come back */
  seal(state: string, place: RequestStateScope): string | undefined {
    if (Buffer.byteLength(state) > MAX_STATE_BYTES) return undefined;
    const until = this.clock.now().getTime() + LIFE_MS;
    return sealText(this.keys, contextOf(place), JSON.stringify([state, until])).toString('base64url');
  }

  /**
   * @param sealed as a client sends it
   * @returns exactly what the server gave; undefined if that was for another principal or another request, or too long ago, or
   *   if it is none of ours
   */
  open(sealed: unknown, place: RequestStateScope): string | undefined {
    if (typeof sealed !== 'string') return undefined;
    const bytes = Buffer.from(sealed, 'base64url');
    // Characters that mean nothing are skipped when it is decoded.
    if (bytes.toString('base64url') !== sealed) return undefined;
    const opened = tryUnsealText(this.keys, contextOf(place), bytes);
    if (!opened) return undefined;
    const [state, until] = JSON.parse(opened.text) as [string, number];
    return until > this.clock.now().getTime() ? state : undefined;
  }
}

/** Authenticated with the state. As JSON, so that no part can be moved into another one. */
function contextOf({ principal, path, entryId, upstreamId, method, name }: RequestStateScope): string {
  return `MCP request state ${JSON.stringify([principal, path, entryId, upstreamId, method, name])}`;
}
