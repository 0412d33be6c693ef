import { ErrorCode, FaultType } from '../../errors/errors';

/** A status in the form in which an OpenAPI document has it. */
export type ErrorStatus = string;

const MEANINGS: Record<ErrorStatus, string> = {
  '400': 'Not a valid HTTP request.',
  '401': 'No access token, or one that is malformed, expired, revoked or from another issuer.',
  '403': 'You may see this resource but not do this to it.',
  '404': 'The resource does not exist, or you may not see it; the answer is the same.',
  '405': 'The path does not support this method.',
  '408': 'The request did not arrive whole in time.',
  '409': 'A uniqueness or state conflict.',
  '413': 'The body is larger than 1 MiB.',
  '415': 'The body is not JSON.',
  '429': 'Too many requests.',
  '431': 'Address and headers are too large.',
  '500': 'An internal error. The answer has the request id and does not reveal the cause.',
  '501': 'Not supported.',
  '503': 'The database or the authorization server cannot be reached; try again after `Retry-After` seconds.',
};

const EXAMPLES: Partial<Record<ErrorCode, string>> = {
  [ErrorCode.AuthenticationRequired]: 'This needs an access token: send "Authorization: Bearer …".',
  [ErrorCode.InvalidToken]: 'The access token has expired.',
  [ErrorCode.InsufficientRole]: 'This needs the role ADMIN in the organisation; yours is MEMBER.',
  [ErrorCode.Forbidden]: 'Only the owner, an editor or an ADMIN of the organisation can change this bundle.',
  [ErrorCode.OrganisationNotFound]: 'Organisation 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.UserNotFound]: 'User 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.InvitationNotFound]: 'Invitation 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.InvitationConflict]: 'This invitation has expired.',
  [ErrorCode.DomainNotFound]: 'Domain 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.DomainConflict]: 'The organisation has the domain acme.example already.',
  [ErrorCode.BundleNotFound]: 'Bundle 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.BundleEntryNotFound]: 'Bundle entry 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.BundleVersionNotFound]: 'Bundle version 12 was not found.',
  [ErrorCode.BundleAccessTokenNotFound]: 'Bundle access token 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.DeploymentNotFound]: 'Deployment 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.BundleConflict]: 'You have a bundle with this slug already.',
  [ErrorCode.BundleEntryConflict]: 'The bundle holds this listing already.',
  [ErrorCode.BundleAccessTokenConflict]: 'The bundle has 50 access tokens, which is the limit. Revoke one first.',
  [ErrorCode.BundleEditorConflict]: 'The bundle has 200 editors, which is the limit. Remove one first.',
  [ErrorCode.DeploymentConflict]: 'The bundle has 500 deployments, which is the limit. Delete one first.',
  [ErrorCode.ScimTokenConflict]: 'The organisation has 20 SCIM tokens, which is the limit. Revoke one first.',
  [ErrorCode.EventTypeNotFound]: 'Event type bundle.painted was not found.',
  [ErrorCode.WebhookEndpointNotFound]: 'Webhook endpoint 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.WebhookDeliveryNotFound]: 'Webhook delivery 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.WebhookRecoveryNotFound]: 'Webhook recovery 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.WebhookRecoveryConflict]: 'A recovery of this webhook endpoint is running already.',
  [ErrorCode.WebhookConflict]: 'The organisation has 500 webhook endpoints, which is the limit. Delete one first.',
  [ErrorCode.WebhookEndpointConflict]:
    'Four former secrets still sign; the next one ends at 2026-11-21T08:30:00.000Z. Rotate then, or with grace_seconds 0.',
  [ErrorCode.RateLimited]: 'An organisation has at most 10 syncs in a minute.',
  [ErrorCode.RoleMappingNotFound]: 'Role mapping 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.ScimUserNotFound]: 'Directory user 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.ScimGroupNotFound]: 'Directory group 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.RoleMappingConflict]: 'This group has a role mapping already; change that one.',
  [ErrorCode.ConfirmationRequired]:
    'This would demote 40 and remove 12 of 180 members. Nothing was changed; send it again with confirm=true if that is meant.',
  [ErrorCode.ScimTokenNotFound]: 'SCIM token 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.ScimLogEntryNotFound]: 'SCIM log entry 019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10 was not found.',
  [ErrorCode.LastOwner]: 'An organisation keeps at least one active OWNER. Make somebody else OWNER first.',
  [ErrorCode.InternalError]: 'Something went wrong on our side. Quote request 3f1c….',
  [ErrorCode.ServiceUnavailable]: 'The database cannot be reached. Try again shortly.',
  [ErrorCode.AuthorizationServerUnavailable]: 'The authorization server did not answer. Try again shortly.',
};

export const FAULT_TYPES: readonly FaultType[] = [
  'missing',
  'extra_forbidden',
  'uuid_parsing',
  'bool_parsing',
  'bool_type',
  'int_parsing',
  'string_type',
  'string_too_short',
  'string_too_long',
  'list_type',
  'dict_type',
  'enum',
  'url_parsing',
  'url_scheme',
  'datetime_parsing',
  'json_invalid',
  'value_error',
  'greater_than_equal',
  'less_than_equal',
];

/** The two error bodies of the specification as schemas. */
export function errorSchemas(): Record<string, object> {
  return {
    Error: {
      type: 'object',
      description: 'Every failure but a validation error.',
      required: ['detail', 'code'],
      additionalProperties: false,
      properties: {
        detail: { type: 'string', description: 'For a person; its wording may change.' },
        code: { type: 'string', enum: Object.values(ErrorCode), description: 'For a program; stable.' },
      },
    },
    ValidationErrors: {
      type: 'object',
      description: 'One entry per fault, all faults at once.',
      required: ['detail'],
      additionalProperties: false,
      properties: {
        detail: {
          type: 'array',
          items: {
            type: 'object',
            required: ['loc', 'msg', 'type'],
            additionalProperties: false,
            properties: {
              loc: {
                type: 'array',
                items: { type: 'string' },
                description: 'Where: `path`, `query`, `header` or `body` first, then names and indexes.',
              },
              msg: { type: 'string', description: 'For a person.' },
              type: {
                type: 'string',
                enum: FAULT_TYPES,
                description: 'For a program; the names are those of pydantic 2.',
              },
            },
          },
        },
      },
    },
  };
}

export function errorResponse(
  status: ErrorStatus,
  codes: ErrorCode[],
): { description: string } & Record<string, unknown> {
  const examples = Object.fromEntries(
    codes.map((code) => [code, { value: { detail: EXAMPLES[code] ?? MEANINGS[status], code } }]),
  );
  const headers: Record<string, object> = {};
  if (status === '401') {
    headers['WWW-Authenticate'] = {
      description: 'A challenge as in RFC 6750, with `resource_metadata` as in RFC 9728.',
      schema: { type: 'string' },
    };
  }
  if (status === '503' || status === '429') {
    headers['Retry-After'] = { description: 'Whole seconds.', schema: { type: 'integer', minimum: 1 } };
  }
  return {
    description: `${MEANINGS[status] ?? ''} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } },
  };
}

export function validationResponse(): { description: string } & Record<string, unknown> {
  return {
    description: 'Path, query or body are not as documented, or the body is not JSON.',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ValidationErrors' },
        example: { detail: [{ loc: ['path', 'bundle_id'], msg: 'Must be a UUID.', type: 'uuid_parsing' }] },
      },
    },
  };
}

export function requestIdHeader(): { description: string; schema: { type: 'string' } } {
  return {
    description:
      'The id of the request, in our logs too. An `X-Request-Id` of 1–128 characters `[A-Za-z0-9._-]` that you send is kept.',
    schema: { type: 'string' },
  };
}
