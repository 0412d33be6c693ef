import type { TokenIdentity } from '../issuer';
import type { EmailState } from '../verified-address';

/** Who a person is for an identity provider, and what it said about their address. */
export interface ProviderIdentity extends TokenIdentity {
  /** The address in the provider's claims, verified or not. */
  email: string | null;
  emailState: EmailState;
}

/** A person who is signed in, in one browser. */
export interface Session {
  id: string;
  userId: string;
  email: string | null;
  name: string | null;
  /** Whether the account set this instance up. */
  isPlatformAdmin: boolean;
  /** How the person signed in (RFC 8176, and `sso`). */
  methods: string[];
  /** When the session began, or the person signed in again within it. */
  signedInAt: Date;
  /** When the person last proved who they are; null if an identity provider let them in without saying when they did. */
  provedAt: Date | null;
  expiresAt: Date;
  /** Who the person is for the company's identity provider; undefined if they signed in here. */
  identity?: ProviderIdentity;
}

const RECENT_MS = 5 * 60_000;

/** @returns whether the person proved who they are in the last five minutes, as changes of ways to sign in require */
export function isRecentlyProved({ provedAt }: Pick<Session, 'provedAt'>, now: Date): boolean {
  return provedAt !== null && now.getTime() - provedAt.getTime() <= RECENT_MS;
}
