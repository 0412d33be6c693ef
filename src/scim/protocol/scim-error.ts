/** Failures with a `scimType` of RFC 7644, section 3.12, or RFC 9865, section 4, and their HTTP statuses. */
const SCIM_TYPES = {
  invalidFilter: 400,
  tooMany: 400,
  invalidSyntax: 400,
  invalidPath: 400,
  noTarget: 400,
  invalidValue: 400,
  mutability: 400,
  invalidCursor: 400,
  invalidCount: 400,
  uniqueness: 409,
} as const;

/** Failures that the RFCs tell apart by the HTTP status alone. */
const WITHOUT_SCIM_TYPE = {
  forbidden: 403,
  notFound: 404,
  preconditionFailed: 412,
  payloadTooLarge: 413,
  notImplemented: 501,
} as const;

type ScimType = keyof typeof SCIM_TYPES;

const STATUSES = { ...SCIM_TYPES, ...WITHOUT_SCIM_TYPE };

export type ScimFailure = keyof typeof STATUSES;

/**
 * A failure reported to an identity provider. The protocol is tied to HTTP, so the tables above give each kind its
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

  get status(): number {
    return STATUSES[this.failure];
  }

  get scimType(): ScimType | undefined {
    return this.failure in SCIM_TYPES ? (this.failure as ScimType) : undefined;
  }
}
