import { ErrorCode, type FaultType } from '../../errors/errors';

/** A status in the form of an OpenAPI response key. */
export type ErrorStatus = string;

const MEANINGS: Record<ErrorStatus, string> = {
  '400': 'Not a valid HTTP request.',
  '401': 'No access token, or one that is malformed, expired, revoked or from another issuer.',
  '403': 'You may see this resource, but you may not do this; or your token lacks the scope that `x-access` names.',
  '404': 'The resource does not exist, or you may not see it; the response is the same.',
  '405': 'The path does not support this method.',
  '408': 'The request did not arrive completely in time.',
  '409': 'A uniqueness or state conflict.',
  '413': 'The body is larger than 1 MiB.',
  '415': 'The body is not JSON.',
  '429': 'Too many requests.',
  '431': 'The URL and headers are too large.',
  '500': 'An internal error. The response has the request id and does not reveal the cause.',
  '501': 'Not supported.',
  '503': 'The database or the authorization server cannot be reached; try again after `Retry-After` seconds.',
};

const EXAMPLE_ID = '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10';

const RETRY_AFTER = { description: 'Whole seconds.', schema: { type: 'integer' as const, minimum: 1 } };

/** The headers of every 429. */
export const LIMIT_HEADERS = {
  'Retry-After': RETRY_AFTER,
  RateLimit: {
    description:
      'What is left: `r` requests in the next `t` seconds (draft-ietf-httpapi-ratelimit-headers-11). Also on other answers when less than a quarter is left.',
    schema: { type: 'string' as const, example: '"principal";r=0;t=3' },
  },
  'RateLimit-Policy': {
    description: 'The limit: `q` requests in `w` seconds, or `q` at the same time.',
    schema: { type: 'string' as const, example: '"principal";q=500;w=10' },
  },
};

/** @returns an example `detail` of an error with this code */
function exampleOf({ kind, noun, example, constraints = {} }: ErrorCode, status: ErrorStatus): string | undefined {
  if (example !== undefined) return example;
  if (kind === 'notFound') return `${noun} ${EXAMPLE_ID} was not found.`;
  return Object.values(constraints)[0] ?? MEANINGS[status];
}

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

/**
 * The two error bodies of the specification as schemas.
 *
 * @param codes all error codes
 */
export function errorSchemas(codes: readonly ErrorCode[]): Record<string, object> {
  return {
    Error: {
      type: 'object',
      description: 'Any error except a validation error.',
      required: ['detail', 'code'],
      additionalProperties: false,
      properties: {
        detail: { type: 'string', description: 'For people; the wording may change.' },
        code: { type: 'string', enum: codes.map(({ code }) => code), description: 'For programs; stable.' },
      },
    },
    ValidationErrors: {
      type: 'object',
      description: 'One entry per error; all errors are reported together.',
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
                description: 'Where: `path`, `query`, `header` or `body`, followed by names and indexes.',
              },
              msg: { type: 'string', description: 'For people.' },
              type: {
                type: 'string',
                enum: FAULT_TYPES,
                description: 'For programs; the names are those of pydantic 2.',
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
    codes.map((one) => [one.code, { value: { detail: exampleOf(one, status), code: one.code } }]),
  );
  const headers: Record<string, object> = {};
  if (status === '401' || codes.some(({ code }) => code === ErrorCode.InsufficientScope.code)) {
    headers['WWW-Authenticate'] = {
      description:
        'A challenge according to RFC 6750, with `resource_metadata` according to RFC 9728 and the missing `scope`.',
      schema: { type: 'string' },
    };
  }
  if (status === '503') headers['Retry-After'] = RETRY_AFTER;
  if (status === '429') Object.assign(headers, LIMIT_HEADERS);
  return {
    description: `${MEANINGS[status] ?? ''} Codes: ${codes.map(({ code }) => `\`${code}\``).join(', ')}.`,
    headers,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, examples } },
  };
}

export function validationResponse(): { description: string } & Record<string, unknown> {
  return {
    description: 'The path, query or body does not match the documentation, or the body is not JSON.',
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ValidationErrors' },
        example: { detail: [{ loc: ['path', 'user_id'], msg: 'Must be a UUID.', type: 'uuid_parsing' }] },
      },
    },
  };
}

export function requestIdHeader(): { description: string; schema: { type: 'string' } } {
  return {
    description:
      'The id of the request, also in our logs. An `X-Request-Id` of 1–128 characters `[A-Za-z0-9._-]` that you send is kept.',
    schema: { type: 'string' },
  };
}
