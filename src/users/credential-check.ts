/**
 * A question about the credential of a profile that is answered by the statement which reads the account, since no one
 * should ask twice.
 */
export interface CredentialCheck {
  /** By `findWith`. */
  readonly sql: string;
  /** From $3 on. */
  readonly values: readonly unknown[];
}
