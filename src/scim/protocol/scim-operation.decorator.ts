import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiProduces,
  ApiProperty,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { Access } from '../scim.access';
import { LIMIT_HEADERS } from '../../http/openapi/openapi-errors';
import { IdParam } from '../../http/requests/fields';
import {
  BODY_CHECK_EXTENSION,
  BODY_LIMIT_EXTENSION,
  BODY_TYPES_EXTENSION,
  VALUE_LIMIT_EXTENSION,
} from '../../http/requests/body-rules';
import { text } from '../../http/requests/kinds';
import { PathParam, QueryParam } from '../../http/requests/parameters';
import { SCIM_MEDIA_TYPE } from './scim-answers';
import { ERROR_URN } from './urns';

/** RFC 7644, section 3.12. */
export class ScimErrorOut {
  @ApiProperty({ type: [String], example: [ERROR_URN] })
  schemas: string[];

  @ApiProperty({ type: 'string', example: '404', description: 'The HTTP status, as a string.' })
  status: string;

  @ApiProperty({
    type: 'string',
    required: false,
    example: 'invalidFilter',
    description: 'A keyword of RFC 7644, section 3.12, or RFC 9865, section 4.',
  })
  scimType?: string;

  @ApiProperty({ type: 'string', description: 'For people.' })
  detail: string;
}

const MEANINGS: Record<number, string> = {
  400: 'The request violates the protocol; `scimType` says how.',
  401: 'No SCIM token, or one that is malformed, expired, revoked or of another organisation.',
  403: 'This request is not allowed.',
  404: 'The resource does not exist in this organisation.',
  409: 'Another resource already has this value (`uniqueness`), or the organisation would be left without an OWNER.',
  412: 'The resource is not at the version that `If-Match` names.',
  413: 'The body is too large, or contains too many operations.',
  415: 'The body is neither application/scim+json nor application/json.',
  429: 'Too many requests of this directory, or of the network.',
  500: 'An internal error. It does not reveal the cause and contains the request id.',
  501: 'Not supported.',
  503: 'The database cannot be reached; try again after `Retry-After` seconds.',
};

const EVERYWHERE = [400, 401, 429, 500, 503];

type Schema = Record<string, unknown>;

/** An operation of the protocol, for the OpenAPI document. */
export interface ScimOperationDetails {
  summary: string;
  description?: string;
  /** Status to description and schema; without a schema there is no body. */
  answers: Record<number, { description: string; schema?: Schema; headers?: string[] }>;
  /** Error statuses besides those of every operation. */
  fails?: number[];
  /** The schema of the body, if it takes one. */
  body?: Schema;
  /** Bytes, if the limit differs from the default. */
  bodyLimit?: number;
  /** Values (`http/requests/json-bounds.ts`), if the limit differs from the default. */
  valueLimit?: number;
  /** Path parameters besides the organisation, with their descriptions. */
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Everything that an operation of the protocol declares: who may call it, its input and output. */
export function ScimOperation(details: ScimOperationDetails): MethodDecorator {
  const {
    summary,
    description,
    answers,
    fails = [],
    body,
    bodyLimit,
    valueLimit,
    params = {},
    query = {},
    headers = {},
  } = details;
  const failing = [...new Set([...EVERYWHERE, ...fails, ...(body ? [413, 415] : [])])];
  return applyDecorators(
    Access('scim-token'),
    IdParam('org_id', 'The organisation.'),
    ApiOperation({ summary, description }),
    ApiProduces(SCIM_MEDIA_TYPE),
    ApiExtraModels(ScimErrorOut),
    ...Object.entries(params).map(([name, description]) => PathParam(name, text(), description)),
    ...Object.entries(query).map(([name, description]) => QueryParam(name, text(), { description })),
    ...Object.entries(headers).map(([name, text]) => ApiHeader({ name, description: text, required: false })),
    ...(body
      ? [
          // Only one, since client generators do not handle two with the same schema.
          ApiConsumes(SCIM_MEDIA_TYPE),
          ApiBody({ schema: body }),
          ApiExtension(BODY_TYPES_EXTENSION, [SCIM_MEDIA_TYPE, 'application/json']),
          ApiExtension(BODY_CHECK_EXTENSION, 'RFC 7643, RFC 7644'),
        ]
      : []),
    ...(bodyLimit === undefined ? [] : [ApiExtension(BODY_LIMIT_EXTENSION, bodyLimit)]),
    ...(valueLimit === undefined ? [] : [ApiExtension(VALUE_LIMIT_EXTENSION, valueLimit)]),
    ...Object.entries(answers).map(([status, answer]) =>
      ApiResponse({
        status: Number(status),
        description: answer.description,
        ...(answer.schema ? { schema: answer.schema } : {}),
        headers: headersOf(answer.headers ?? []),
      }),
    ),
    ...failing.map((status) =>
      ApiResponse({
        status,
        description: MEANINGS[status],
        schema: { $ref: getSchemaPath(ScimErrorOut) },
        headers:
          status === 429
            ? LIMIT_HEADERS
            : headersOf(status === 401 ? ['WWW-Authenticate'] : status === 503 ? ['Retry-After'] : []),
      }),
    ),
  );
}

const HEADERS: Record<string, string> = {
  ETag: 'The weak entity tag of the resource: its `meta.version`.',
  Location: 'The URL of the resource: its `meta.location`.',
  'Content-Location': 'The URL of the resource in the body.',
  'WWW-Authenticate': 'A challenge according to RFC 6750.',
  'Retry-After': 'Whole seconds.',
};

function headersOf(names: string[]): Record<string, { description: string; schema: { type: 'string' } }> {
  return Object.fromEntries(
    names.map((name) => [name, { description: HEADERS[name] ?? name, schema: { type: 'string' as const } }]),
  );
}
