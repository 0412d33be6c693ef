/** The kinds of protocol failures: a `scimType` of RFC 7644, section 3.12 and RFC 9865, section 4, or another one. */
export const SCIM_FAILURES = {
  invalidFilter: 400,
  tooMany: 400,
  invalidSyntax: 400,
  invalidPath: 400,
  noTarget: 400,
  invalidValue: 400,
  invalidVers: 400,
  mutability: 400,
  invalidCursor: 400,
  expiredCursor: 400,
  invalidCount: 400,
  sensitive: 403,
  uniqueness: 409,
  forbidden: 403,
  notFound: 404,
  preconditionFailed: 412,
  payloadTooLarge: 413,
  notImplemented: 501,
} as const;

export type ScimFailure = keyof typeof SCIM_FAILURES;

/**
 * A failure reported to an identity provider. The protocol is tied to HTTP, so the table above gives each kind its
 * status; `detail` is for the person who reads the provider's log.
 */
export class ScimError extends Error {
  constructor(
    readonly failure: ScimFailure,
    readonly detail: string,
  ) {
    super(detail);
    this.name = 'ScimError';
  }
}
