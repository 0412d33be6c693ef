import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { LIMIT_HEADERS } from '../../http/openapi/openapi-errors';
import { SCHEMA_NAME_EXTENSION } from '../../http/openapi/openapi-schemas';
import { text } from '../../http/requests/kinds';
import { PathParam } from '../../http/requests/parameters';

const MEANINGS: Record<number, string> = {
  400: 'An invalid timestamp, cursor or name.',
  401: 'No access token, or an invalid one.',
  403: 'The token lacks the scope that `x-access` names.',
  404: 'The server or version does not exist here.',
  422: 'A parameter is out of range.',
  429: 'Too many requests of this caller, or of the network. Try again after `Retry-After` seconds.',
  500: 'An internal error.',
  501: 'The registry does not support this.',
  503: 'The database cannot be reached. Try again after `Retry-After` seconds.',
};

const ERROR = {
  [SCHEMA_NAME_EXTENSION]: 'RegistryError',
  type: 'object' as const,
  required: ['error', 'title', 'status', 'detail'] as string[],
  properties: {
    error: { type: 'string', description: 'The field that the documentation of the registry API specifies.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'The same text in the field of RFC 9457.' },
    errors: {
      type: 'array',
      items: { type: 'object', properties: { location: { type: 'string' }, message: { type: 'string' } } },
    },
  },
};

/** Documents the errors of an operation of the registry API, which have their own body. */
export function RegistryFails(...statuses: number[]): MethodDecorator {
  return applyDecorators(
    ...[...statuses, 429, 500, 503].map((status) =>
      ApiResponse({
        status,
        description: MEANINGS[status],
        content: { 'application/json': { schema: ERROR } },
        ...(status === 429 && { headers: LIMIT_HEADERS }),
      }),
    ),
  );
}

/** The name of a server in the path, its slash percent-encoded. */
export function NameParam(): MethodDecorator {
  const description = 'Percent-encoded: `io.github.acme%2Fweather`.';
  return PathParam('server_name', text({ min: 1, max: 200 }), description);
}

/** A version in the path. */
export function VersionParam(): MethodDecorator {
  const description = 'Percent-encoded; `latest` is the latest version.';
  return PathParam('version', text({ min: 1, max: 255 }), description);
}
