import { Injectable } from '@nestjs/common';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';

/** How long the address of a page is good: a person may find it in what a model has said a while ago. */
const LIFE_MS = 3_600_000;
const MAX_TOKEN_LENGTH = 4_096;
const CONTEXT = 'connect link';
/** What a link can say besides; what is longer is left out, and found out again. */
const MAX_HINT_LENGTH = 1_024;

/** What a link asks its person to do: to connect an account for the server of an entry. */
export interface ConnectLinkRequest {
  /** Who may do that. */
  readonly personId: string;
  readonly bundleId: string;
  readonly entryId: string;
  /** The version of the bundle that the entry belongs to; null: as it is now. */
  readonly version: number | null;
  /** The new credential belongs to this owner. */
  readonly owner: 'PERSON' | 'BUNDLE';
  /** What the server wants, if it has said so in a call. */
  readonly scope?: string;
  readonly resourceMetadata?: string;
}

/** What is sealed. Old links have to be readable, so the order stays. */
type LinkContent = [until: number, ...RequestContent];
type RequestContent = [
  personId: string,
  bundleId: string,
  entryId: string,
  version: number | null,
  owner: ConnectLinkRequest['owner'],
  scope: string | null,
  resourceMetadata: string | null,
];

/**
 * Addresses of pages where people connect an account: sealed (AES-256-GCM), so that nothing is stored for each call that needs
 * one. An address says who it is for and proves nothing: the page needs that person's own session (MCP 2026-07-28,
 * elicitation, "Safe URL Handling" and "Phishing").
 */
@Injectable()
export class ConnectLinks {
  private readonly keys: Keyring;

  constructor(
    secrets: Secrets,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {
    this.keys = secrets.derive('connect links');
  }

  /** @returns the address */
  seal(request: ConnectLinkRequest): string {
    const content = JSON.stringify(contentOf(request, this.clock.now().getTime() + LIFE_MS));
    return this.environment.publicUrl + pagePath(sealText(this.keys, CONTEXT, content).toString('base64url'));
  }

  /** @returns where the console shows the accounts that the bundle needs; undefined: there is no console */
  accountsPath({ bundleId }: ConnectLinkRequest): string | undefined {
    return this.environment.console ? `/console/bundles/${bundleId}?tab=accounts` : undefined;
  }

  /**
   * @param token the last part of the address
   * @returns undefined if it is too old, or none of ours
   */
  open(token: string): ConnectLinkRequest | undefined {
    if (token.length > MAX_TOKEN_LENGTH || !/^[\w-]+$/.test(token)) return undefined;
    const opened = tryUnsealText(this.keys, CONTEXT, Buffer.from(token, 'base64url'));
    if (!opened) return undefined;
    const [until, ...content] = JSON.parse(opened.text) as LinkContent;
    return until < this.clock.now().getTime() ? undefined : requestIn(content);
  }
}

/** @returns the path of the page for a sealed request */
export function pagePath(token: string): string {
  return `/connect/accounts/${token}`;
}

function contentOf(request: ConnectLinkRequest, until: number): LinkContent {
  const { personId, bundleId, entryId, version, owner, scope, resourceMetadata } = request;
  return [until, personId, bundleId, entryId, version, owner, hint(scope), hint(resourceMetadata)];
}

function hint(text: string | undefined): string | null {
  return text && text.length <= MAX_HINT_LENGTH ? text : null;
}

function requestIn([
  personId,
  bundleId,
  entryId,
  version,
  owner,
  scope,
  resourceMetadata,
]: RequestContent): ConnectLinkRequest {
  return {
    ...{ personId, bundleId, entryId, version, owner },
    ...(scope === null ? {} : { scope }),
    ...(resourceMetadata === null ? {} : { resourceMetadata }),
  };
}
