/**
 * Every `code` of an error body (contract, section 2). Stable: clients switch on them.
 * `http/answers/error.filter.ts` gives each its status; a unit test walks this enum.
 */
export enum ErrorCode {
  BadRequest = 'bad_request',
  AuthenticationRequired = 'authentication_required',
  InvalidToken = 'invalid_token',
  InsufficientRole = 'insufficient_role',
  Forbidden = 'forbidden',
  NamespaceRequired = 'namespace_required',
  NotFound = 'not_found',
  OrganisationNotFound = 'organisation_not_found',
  MemberNotFound = 'member_not_found',
  InvitationNotFound = 'invitation_not_found',
  DomainNotFound = 'domain_not_found',
  UserNotFound = 'user_not_found',
  SyncRunNotFound = 'sync_run_not_found',
  RoleMappingNotFound = 'role_mapping_not_found',
  ScimUserNotFound = 'scim_user_not_found',
  ScimGroupNotFound = 'scim_group_not_found',
  ScimTokenNotFound = 'scim_token_not_found',
  ScimLogEntryNotFound = 'scim_log_entry_not_found',
  ListingNotFound = 'listing_not_found',
  ListingVersionNotFound = 'listing_version_not_found',
  NamespaceNotFound = 'namespace_not_found',
  CategoryNotFound = 'category_not_found',
  ServerNotFound = 'server_not_found',
  BundleNotFound = 'bundle_not_found',
  BundleEntryNotFound = 'bundle_entry_not_found',
  BundleVersionNotFound = 'bundle_version_not_found',
  BundleAccessTokenNotFound = 'bundle_access_token_not_found',
  DeploymentNotFound = 'deployment_not_found',
  EventTypeNotFound = 'event_type_not_found',
  WebhookEndpointNotFound = 'webhook_endpoint_not_found',
  WebhookDeliveryNotFound = 'webhook_delivery_not_found',
  WebhookRecoveryNotFound = 'webhook_recovery_not_found',
  MethodNotAllowed = 'method_not_allowed',
  OrganisationConflict = 'organisation_conflict',
  MemberConflict = 'member_conflict',
  InvitationConflict = 'invitation_conflict',
  DomainConflict = 'domain_conflict',
  ListingConflict = 'listing_conflict',
  ListingVersionConflict = 'listing_version_conflict',
  NamespaceConflict = 'namespace_conflict',
  CategoryConflict = 'category_conflict',
  BundleConflict = 'bundle_conflict',
  BundleEntryConflict = 'bundle_entry_conflict',
  BundleAccessTokenConflict = 'bundle_access_token_conflict',
  BundleEditorConflict = 'bundle_editor_conflict',
  DeploymentConflict = 'deployment_conflict',
  WebhookConflict = 'webhook_conflict',
  WebhookEndpointConflict = 'webhook_endpoint_conflict',
  WebhookRecoveryConflict = 'webhook_recovery_conflict',
  RoleMappingConflict = 'role_mapping_conflict',
  ScimTokenConflict = 'scim_token_conflict',
  ConfirmationRequired = 'confirmation_required',
  LastOwner = 'last_owner',
  RequestTimeout = 'request_timeout',
  PayloadTooLarge = 'payload_too_large',
  UnsupportedMediaType = 'unsupported_media_type',
  RateLimited = 'rate_limited',
  HeadersTooLarge = 'headers_too_large',
  NotImplemented = 'not_implemented',
  InternalError = 'internal_error',
  ServiceUnavailable = 'service_unavailable',
  AuthorizationServerUnavailable = 'authorization_server_unavailable',
}

/**
 * A failure that a caller is told about. It knows no HTTP: the filter in `http/` maps `code` to a status.
 * `message` is for a person and becomes `detail`; it never holds a secret or somebody else's data.
 */
export class DomainError extends Error {
  constructor(
    readonly code: ErrorCode,
    detail: string,
  ) {
    super(detail);
    this.name = new.target.name;
  }
}

const NOUNS = {
  [ErrorCode.OrganisationNotFound]: 'Organisation',
  [ErrorCode.MemberNotFound]: 'Member',
  [ErrorCode.InvitationNotFound]: 'Invitation',
  [ErrorCode.DomainNotFound]: 'Domain',
  [ErrorCode.UserNotFound]: 'User',
  [ErrorCode.SyncRunNotFound]: 'Sync run',
  [ErrorCode.RoleMappingNotFound]: 'Role mapping',
  [ErrorCode.ScimUserNotFound]: 'Directory user',
  [ErrorCode.ScimGroupNotFound]: 'Directory group',
  [ErrorCode.ScimTokenNotFound]: 'SCIM token',
  [ErrorCode.ScimLogEntryNotFound]: 'SCIM log entry',
  [ErrorCode.ListingNotFound]: 'Listing',
  [ErrorCode.ListingVersionNotFound]: 'Listing version',
  [ErrorCode.NamespaceNotFound]: 'Namespace',
  [ErrorCode.CategoryNotFound]: 'Category',
  [ErrorCode.ServerNotFound]: 'Server',
  [ErrorCode.BundleNotFound]: 'Bundle',
  [ErrorCode.BundleEntryNotFound]: 'Bundle entry',
  [ErrorCode.BundleVersionNotFound]: 'Bundle version',
  [ErrorCode.BundleAccessTokenNotFound]: 'Bundle access token',
  [ErrorCode.DeploymentNotFound]: 'Deployment',
  [ErrorCode.EventTypeNotFound]: 'Event type',
  [ErrorCode.WebhookEndpointNotFound]: 'Webhook endpoint',
  [ErrorCode.WebhookDeliveryNotFound]: 'Webhook delivery',
  [ErrorCode.WebhookRecoveryNotFound]: 'Webhook recovery',
} satisfies Partial<Record<ErrorCode, string>>;

/** The thing does not exist, or the caller may not see it: one and the same answer (contract, section 1). */
export class NotFoundError extends DomainError {
  constructor(code: keyof typeof NOUNS, id: string | number) {
    super(code, `${NOUNS[code]} ${id} was not found.`);
  }
}

/** A uniqueness or state conflict. */
export class ConflictError extends DomainError {}

/** The caller is a member, but with a role that does not allow this. */
export class InsufficientRoleError extends DomainError {
  constructor(needed: string, role: string) {
    super(ErrorCode.InsufficientRole, `This needs the role ${needed} in the organisation; yours is ${role}.`);
  }
}

/** The caller sees the thing but may not do this to it, whatever the role. */
export class ForbiddenError extends DomainError {
  constructor(detail: string) {
    super(ErrorCode.Forbidden, detail);
  }
}

/** The organisation would be left without an active OWNER (contract, section 4). */
export class LastOwnerError extends DomainError {
  /** @param organisations the names of those that would be left without one, where it is not plain which that is */
  constructor(organisations: readonly string[] = []) {
    const rule = 'An organisation keeps at least one active OWNER.';
    const names = organisations.map((name) => `"${name}"`).join(', ');
    super(
      ErrorCode.LastOwner,
      names === ''
        ? `${rule} Make another member OWNER first.`
        : `${rule} Make another member OWNER of ${names} first, or delete it.`,
    );
  }
}

/**
 * No usable access token. `reason` becomes the `error_description` of RFC 6750, section 3.1; without a token there is
 * no `error` attribute at all, as that section asks.
 */
export class AuthenticationError extends DomainError {
  constructor(code: ErrorCode.AuthenticationRequired | ErrorCode.InvalidToken, detail: string) {
    super(code, detail);
  }
}

/** The database or the authorization server cannot be reached; the caller may try again. */
export class UnavailableError extends DomainError {
  constructor(
    code: ErrorCode.ServiceUnavailable | ErrorCode.AuthorizationServerUnavailable,
    detail: string,
    /** Whole seconds. */
    readonly retryAfter: number,
    options?: { cause: unknown },
  ) {
    super(code, detail);
    if (options) this.cause = options.cause;
  }
}

/** The caller asks too often; nothing was done. */
export class RateLimitedError extends DomainError {
  constructor(
    detail: string,
    /** Whole seconds. */
    readonly retryAfter: number,
  ) {
    super(ErrorCode.RateLimited, detail);
  }
}

/** The names of pydantic 2 that clients of such APIs already know (contract, section 2). */
export type FaultType =
  | 'missing'
  | 'extra_forbidden'
  | 'uuid_parsing'
  | 'bool_parsing'
  | 'bool_type'
  | 'int_parsing'
  | 'string_type'
  | 'string_too_short'
  | 'string_too_long'
  | 'list_type'
  | 'dict_type'
  | 'enum'
  | 'url_parsing'
  | 'url_scheme'
  | 'datetime_parsing'
  | 'json_invalid'
  | 'value_error'
  | 'greater_than_equal'
  | 'less_than_equal';

/** One fault of a request; `loc` begins with `path`, `query`, `header` or `body`. */
export interface Fault {
  loc: string[];
  msg: string;
  type: FaultType;
}

/**
 * So many faults of a request are reported at most, and validation ends with the last of them: enough to mend a body by,
 * and few enough to find, write and send in a few milliseconds.
 */
export const MOST_FAULTS = 100;

/** Characters that are kept of a name in the place of a fault. Callers choose some of these names. */
const LONGEST_NAME = 100;

/** The request is not what the contract asks for; nothing was changed. */
export class ValidationError extends Error {
  readonly faults: Fault[];

  /** @param faults of which the first `MOST_FAULTS` are kept, with long names in their places cut */
  constructor(faults: readonly Fault[]) {
    const kept = faults.slice(0, MOST_FAULTS).map((fault) => ({ ...fault, loc: fault.loc.map(shortName) }));
    super(kept.map((fault) => `${fault.loc.join('.')}: ${fault.msg}`).join('; '));
    this.faults = kept;
    this.name = 'ValidationError';
  }
}

function shortName(name: string): string {
  return name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME).toWellFormed()}…`;
}
