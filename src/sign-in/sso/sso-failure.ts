/** Why a sign-in at a provider ended without an account; each has a page (`sso-pages.ts`). */
export type SsoFailureKind =
  /** The provider does not answer, or is not configured as it describes itself. */
  | 'unreachable'
  /** The person, or the provider for them, said no. */
  | 'cancelled'
  /** The provider reported another error. */
  | 'refused'
  /** The code was used before, or came too late. */
  | 'expired'
  /** Not started in this browser within the last ten minutes. */
  | 'lost'
  /** The provider's clock, or ours, is wrong. */
  | 'clock'
  /** The answer is not one that the provider made for this sign-in. */
  | 'invalid'
  | 'closed'
  | 'taken'
  | 'domain'
  | 'not-provisioned'
  | 'not-invited'
  | 'linked-elsewhere'
  | 'too-many'
  | 'signed-out'
  | 'too-long-ago'
  /** The person had to prove again who they are, and the provider does not say when they did. */
  | 'unproved'
  /** The same, and it was before they were asked. */
  | 'not-again'
  | 'somebody-else';

/** A sign-in at a provider failed. `message` is for the log, and has no secret, code or token in it. */
export class SsoFailure extends Error {
  /** @param code the provider's own error code, if it sent one */
  constructor(
    readonly kind: SsoFailureKind,
    message: string = kind,
    readonly code?: string,
  ) {
    super(message);
    this.name = 'SsoFailure';
  }
}
