import { addressKey } from '../users/address';

/** The part of a token that decides who administers the platform. */
export interface AdminProof {
  subject: string;
  /** Only a verified address. */
  email: string | undefined;
  /** Whether our own issuer says so in the token (`npm run token -- --admin`), or the account set the instance up. */
  isAttested: boolean;
}

/**
 * Who administers the platform (contract, section 12.2). An entry of `PLATFORM_ADMINS` with an "@" is a verified e-mail
 * address and nothing else, one without is a `sub` of the configured issuer and nothing else: otherwise a `sub` that
 * looks like an address, which some issuers let users choose, would be as good as the address.
 */
export class PlatformAdmins {
  private readonly addresses: ReadonlySet<string>;
  private readonly subjects: ReadonlySet<string>;

  /** @param entries of `PLATFORM_ADMINS` */
  constructor(entries: readonly string[]) {
    this.addresses = new Set(entries.filter(isAddress).map(addressKey));
    this.subjects = new Set(entries.filter((entry) => !isAddress(entry)));
  }

  has({ subject, email, isAttested }: AdminProof): boolean {
    return isAttested || this.subjects.has(subject) || (email !== undefined && this.addresses.has(addressKey(email)));
  }
}

function isAddress(entry: string): boolean {
  return entry.includes('@');
}
