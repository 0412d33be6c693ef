import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment';
import { type Connection, many } from '../../database/statements';
import { IDENTITIES_AS_WAYS } from '../../users/identities.sql';
import { WaysToSignIn } from '../session-pages/ways-to-sign-in';

export const WAY_KINDS = ['PASSWORD', 'PASSKEY', 'IDENTITY'] as const;
export type WayKind = (typeof WAY_KINDS)[number];

/** One way in which a person can sign in. */
export interface Way {
  user_id: string;
  kind: WayKind;
  /** For an identity at the company's provider: which provider. */
  issuer: string | null;
  subject: string | null;
}

/** What a module says about the ways that it stores: one row for each, of all these accounts in one statement. */
export type WaySource = (connection: Connection, userIds: readonly string[]) => Promise<Way[]>;

/** $1 accounts. */
const PASSWORDS = `
  SELECT user_id, 'PASSWORD' AS kind, NULL AS issuer, NULL AS subject FROM passwords WHERE user_id = ANY($1)`;

/**
 * How people can sign in to their accounts. Modules that store other ways, such as passkeys, register theirs at startup, so that
 * the rule that the last way stays knows all of them.
 */
@Injectable()
export class SignInWays {
  private readonly issuers: Set<string>;
  private readonly sources: WaySource[] = [];

  constructor(
    private readonly offered: WaysToSignIn,
    { externalIssuer }: Environment,
  ) {
    this.issuers = new Set(externalIssuer ? [externalIssuer.issuer] : []);
  }

  register(...sources: readonly WaySource[]): void {
    this.sources.push(...sources);
  }

  /** For those who configure identity providers: only an identity of such an issuer is a way to sign in. */
  acceptIssuer(issuer: string): void {
    this.issuers.add(issuer);
  }

  /** Whether people sign in here with a password. */
  get hasPasswords(): boolean {
    return this.offered.hasPasswords;
  }

  isAccepted(issuer: string): boolean {
    return this.issuers.has(issuer);
  }

  /** @returns the ways of these accounts, in as many statements as there are kinds */
  async of(connection: Connection, userIds: readonly string[]): Promise<Way[]> {
    if (userIds.length === 0) return [];
    const ways = this.offered.hasPasswords ? await many<Way>(connection, PASSWORDS, [userIds]) : [];
    for (const source of this.sources) ways.push(...(await source(connection, userIds)));
    ways.push(...(await many<Way>(connection, IDENTITIES_AS_WAYS, [userIds, [...this.issuers]])));
    return ways;
  }
}
