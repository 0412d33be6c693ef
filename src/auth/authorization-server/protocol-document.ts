import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtension,
  ApiExtraModels,
  ApiOperation,
  ApiQuery,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import { SECRET_EXTENSION } from '../../http/answers/answers';
import { LIMIT_HEADERS } from '../../http/openapi/openapi-errors';
import { OperationId } from '../../http/openapi/openapi-operations';
import { FORM_TYPE, GATE_EXTENSION } from '../../http/requests/body-rules';
import { ProtocolErrorOut } from './protocol.dto';

/** A parameter of a query or a field of a form. */
export interface Parameter {
  description: string;
  required?: true;
  values?: readonly string[];
  maxLength?: number;
  format?: 'uri';
  type?: 'string' | 'integer';
}

export type Parameters = Readonly<Record<string, Parameter>>;

/** An endpoint of the protocol. */
export interface ProtocolRoute {
  operation: string;
  summary: string;
  description?: string;
  /** The specification that says how requests and answers are. */
  spec: string;
  query?: Parameters;
  form?: Parameters;
  /** In JSON. */
  body?: Type;
  /** By default 200. */
  status?: 200 | 201;
  /** In JSON; undefined: an empty body, or a page if it is one. */
  gives?: Type;
  /** Statuses besides 200, 400, 404, 405, 429, 500 and 503. */
  fails?: readonly number[];
  /** The answer is never compressed: see `ShowsSecret`. The library's answers are marked in `AuthorizationServer`. */
  showsSecret?: true;
  /** Browsers are answered by a page, or sent on. */
  isPage?: true;
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'The request is wrong.',
  401: 'The client or its token was not accepted.',
  403: 'The token lacks a scope.',
  404: 'There is another authorization server, or the endpoint is turned off.',
  405: 'Another method is needed.',
  429: 'The network has sent too many requests.',
  500: 'Something went wrong here.',
  503: 'The database cannot be reached.',
};
const PAGE = { 'text/html': { schema: { type: 'string' as const } } };
/** A browser gets a page, others the error as the RFCs write it. */
const PAGE_OR_ERROR = { ...PAGE, 'application/json': { schema: { $ref: getSchemaPath(ProtocolErrorOut) } } };
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds.', schema: { type: 'integer' as const, maximum: 86_400 } },
};

/**
 * Documents an endpoint that the library answers. It reads the requests itself, so none of this checks anything; the
 * route behind it exists only to be documented, and answers 404 where the library is not.
 */
export function Protocol(route: ProtocolRoute): MethodDecorator {
  const { operation, summary, description, spec, query = {}, form, body, gives, status = 200, isPage } = route;
  return applyDecorators(
    HttpCode(status),
    OperationId(operation),
    ApiOperation({ summary, description: [description, `See ${spec}.`].filter(Boolean).join(' ') }),
    ApiExtension(GATE_EXTENSION, spec),
    ApiExtraModels(ProtocolErrorOut),
    ...(route.showsSecret ? [ApiExtension(SECRET_EXTENSION, true)] : []),
    ...Object.entries(query).map(([name, parameter]) =>
      ApiQuery({
        name,
        required: parameter.required ?? false,
        description: parameter.description,
        schema: schemaOf(parameter),
      }),
    ),
    ...(form ? [ApiConsumes(FORM_TYPE), ApiBody({ required: true, schema: formOf(form) })] : []),
    ...(body ? [ApiBody({ required: true, type: body })] : []),
    isPage
      ? ApiResponse({ status: 200, description: 'A page.', content: PAGE })
      : ApiResponse({ status, description: 'As the specification says.', ...(gives && { type: gives }) }),
    ...(isPage ? [ApiResponse({ status: 303, description: 'Leads to another page, or back to the client.' })] : []),
    ...[400, 404, 405, 429, 500, 503, ...(route.fails ?? [])].map((failure) =>
      ApiResponse({
        status: failure,
        ...(isPage && [400, 429, 503].includes(failure)
          ? { description: 'A page that says what is wrong.', content: PAGE_OR_ERROR }
          : { description: REASONS[failure], type: ProtocolErrorOut }),
        ...(failure === 503 && { headers: RETRY_AFTER }),
        ...(failure === 429 && { headers: LIMIT_HEADERS }),
      }),
    ),
  );
}

function formOf(form: Parameters) {
  return {
    type: 'object' as const,
    required: Object.keys(form).filter((name) => form[name]?.required),
    properties: Object.fromEntries(
      Object.entries(form).map(([name, field]) => [name, { ...schemaOf(field), description: field.description }]),
    ),
  };
}

function schemaOf({ values, maxLength, format, type = 'string' }: Parameter) {
  return {
    type,
    ...(values && { enum: [...values] }),
    ...(maxLength !== undefined && { maxLength }),
    ...(format && { format }),
  };
}
