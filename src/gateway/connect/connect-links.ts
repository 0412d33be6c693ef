import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';

/** How long the address of a page is good: a person may find it in what a model has said a while ago. */
const LIFE_MS = 3_600_000;
const LONGEST = 4_096;
const CONTEXT = 'connect link';
/** What a link can say besides; what is longer is left out, and found out again. */
const MAX_HINT_LENGTH = 1_024;

/** Which account is to be connected. */
export interface ConnectLinkRequest {
  /** Who may do that. */
  readonly personId: string;
  readonly bundleId: string;
  readonly entryId: string;
  /** The version of the bundle that the entry belongs to; null: as it is now. */
  readonly version: number | null;
  /** Whose credential it becomes. */
  readonly owner: 'PERSON' | 'BUNDLE';
  /** What the server wants, if it has said so in a call. */
  readonly scope?: string;
  readonly resourceMetadata?: string;
}

/**
 * Addresses of pages where people connect an account: sealed (AES-256-GCM), so that nothing is stored for each call that needs
 * one. An address says who it is for and proves nothing: the page needs that person's own session (MCP 2026-07-28,
 * elicitation, "Safe URL Handling" and "Phishing").
 */
@Injectable()
export class ConnectLinks {
  private readonly keys: Keyring;
  private readonly publicUrl: string;

  constructor(
    secrets: Secrets,
    { publicUrl }: Environment,
    private readonly clock: Clock,
  ) {
    this.keys = secrets.derive('connect links');
    this.publicUrl = publicUrl;
  }

  /** @returns the address */
  seal({ personId, bundleId, entryId, version, owner, scope, resourceMetadata }: ConnectLinkRequest): string {
    const until = this.clock.now().getTime() + LIFE_MS;
    const hints = [scope, resourceMetadata].map((hint) => (hint && hint.length <= MAX_HINT_LENGTH ? hint : null));
    const text = JSON.stringify([until, personId, bundleId, entryId, version, owner, ...hints]);
    return this.publicUrl + pagePath(sealText(this.keys, CONTEXT, text).toString('base64url'));
  }

  /**
   * @param token the last part of the address
   * @returns undefined if it is too old, or none of ours
   */
  open(token: string): ConnectLinkRequest | undefined {
    if (token.length > LONGEST || !/^[\w-]+$/.test(token)) return undefined;
    const opened = tryUnsealText(this.keys, CONTEXT, Buffer.from(token, 'base64url'));
    if (!opened) return undefined;
    const [until, personId, bundleId, entryId, version, owner, scope, resourceMetadata] = JSON.parse(
      opened.text,
    ) as SealedWish;
    if (until < this.clock.now().getTime()) return undefined;
    return {
      ...{ personId, bundleId, entryId, version, owner },
      ...(scope === null ? {} : { scope }),
      ...(resourceMetadata === null ? {} : { resourceMetadata }),
    };
  }
}

/** @returns the path of the page for a sealed wish */
export function pagePath(token: string): string {
  return `/connect/accounts/${token}`;
}

type SealedWish = [
  until: number,
  personId: string,
  bundleId: string,
  entryId: string,
  version: number | null,
  owner: ConnectLinkRequest['owner'],
  scope: string | null,
  resourceMetadata: string | null,
];
