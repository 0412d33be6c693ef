/** A value that a server needs, or takes, from a credential. */
export interface SecretNeed {
  /** As its server.json calls it: a variable, or a header. */
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether it is part of the header `Authorization` only, so that an access token can take its place. */
  readonly isToken: boolean;
  readonly description: string | undefined;
}
