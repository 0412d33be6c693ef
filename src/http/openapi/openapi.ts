import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { ErrorCode } from '../../errors/errors';
import { ERROR_CODES_EXTENSION, takeErrorCodes } from '../answers/api-errors';
import type { ErrorDialect } from '../answers/error-dialect';
import { httpStatus } from '../answers/error-status';
import { ErrorCode as HttpCode } from '../http.errors';
import { shareComponents } from './openapi-components';
import { errorSchemas, ErrorStatus, errorResponse, requestIdHeader, validationResponse } from './openapi-errors';
import { operationId } from './openapi-operations';
import { documentScope } from './openapi-scopes';
import { addSignIn, type SignInFlow } from './openapi-sign-in';
import {
  dropSuffixes,
  type EnumNames,
  fillEnums,
  nameEnums,
  nameInlineSchemas,
  useStandardFormats,
} from './openapi-schemas';
import { type Operation, operationsOf } from './openapi-walk';
import { MAX_INTEGER } from '../requests/parameter-rules';
import { PROBES } from '../requests/probes';
import type { TextChecks } from '../requests/text-checks';

/** A group of operations and its description for readers. */
export type Tag = readonly [name: string, description: string];

/** A credential sent like an access token that is not an access token of an account. */
export interface CredentialScheme {
  /** Its name in the document. */
  readonly name: string;
  /** The prefix by which people recognize it: `tyx_…`. */
  readonly bearerFormat: string;
  readonly description: string;
}

/** What `buildOpenApi` needs from the application. */
export interface DocumentParts {
  /** The description at the top. */
  description: string;
  /** In display order. */
  tags: readonly Tag[];
  /** All error codes. */
  errors: readonly ErrorCode[];
  credentials: readonly CredentialScheme[];
  /** The paths with a different error format; the routes there document their errors themselves. */
  dialects: readonly ErrorDialect[];
  /** The names of enumerations. */
  enums: EnumNames;
  /** Our own rules for strings. */
  checks: TextChecks;
  /** How the page of the document obtains access tokens. */
  signIn: SignInFlow;
}

interface DocumentedOperation extends Operation {
  [ERROR_CODES_EXTENSION]?: string[];
}

/**
 * Builds the OpenAPI 3.1 document from the routes: what the decorators declare, plus what applies to every operation
 * and is therefore written once, here. The result is then put into the form that readers and client generators want
 * (ADR 21): names without our suffixes, named enumerations, and everything repeated moved to the components.
 */
export function buildOpenApi(app: INestApplication, parts: DocumentParts): OpenAPIObject {
  const { dialects, enums, checks } = parts;
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Toolyard')
    .setDescription(parts.description)
    .setVersion('1')
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addServer('/')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description:
        'An access token of the authorization server (see `/.well-known/oauth-protected-resource`), or a personal access token (`typ_…`). If it is limited to scopes, it needs the one that the operation lists.',
    });
  for (const { name, ...scheme } of parts.credentials) {
    config.addBearerAuth({ type: 'http', scheme: 'bearer', ...scheme }, name);
  }
  for (const [name, description] of parts.tags) config.addTag(name, description);
  const document = SwaggerModule.createDocument(app, config.build(), {
    operationIdFactory: operationId,
    autoTagControllers: false,
  });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...errorSchemas(parts.errors) },
    headers: { 'X-Request-Id': requestIdHeader() },
  };
  for (const { path, method, operation } of operationsOf<DocumentedOperation>(document)) {
    if (operation.requestBody) operation.requestBody.required ??= true;
    const own = takeErrorCodes(operation);
    documentScope(operation, method);
    if (!dialects.some((dialect) => dialect.covers(path))) addErrors(operation, own, path, document);
    complete(operation);
  }
  fillEnums(document, enums);
  dropSuffixes(document);
  nameInlineSchemas(document);
  useStandardFormats(document, checks);
  nameEnums(document, enums);
  addSignIn(document, parts.signIn);
  shareComponents(document);
  return document;
}

/** Adds the errors of an operation: its own, and those that every operation has, probes not limits. */
function addErrors(operation: DocumentedOperation, own: ErrorCode[], path: string, document: OpenAPIObject): void {
  if (own.length > 0) operation[ERROR_CODES_EXTENSION] = own.map(({ code }) => code);
  const codes = [...own, HttpCode.InternalError, HttpCode.ServiceUnavailable];
  if (!PROBES.has(path)) codes.push(HttpCode.RateLimited);
  if (operation.requestBody) {
    codes.push(HttpCode.PayloadTooLarge, HttpCode.UnsupportedMediaType);
    closeSchema(operation, document);
  }
  const byStatus = new Map<ErrorStatus, ErrorCode[]>();
  for (const code of new Map(codes.map((one) => [one.code, one])).values()) {
    const status = String(httpStatus(code));
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, list] of byStatus) operation.responses[status] = errorResponse(status, list);
  if (operation.requestBody || (operation.parameters ?? []).length > 0)
    operation.responses['422'] = validationResponse();
}

/** Adds what every response has. */
function complete(operation: DocumentedOperation): void {
  // Marks an open operation as needing no token; otherwise readers could not tell it from an undocumented one.
  operation.security ??= [];
  for (const { schema } of operation.parameters ?? []) {
    if (schema?.type === 'integer') schema.maximum ??= MAX_INTEGER;
  }
  for (const response of Object.values(operation.responses)) {
    response.description ||= 'Done.';
    response.headers = { ...response.headers, 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  }
  operation.responses = Object.fromEntries(
    Object.entries(operation.responses).sort(([a], [b]) => Number(a) - Number(b)),
  );
}

/** Unknown body fields are an error (contract, section 2), and the document says so. */
function closeSchema(operation: DocumentedOperation, document: OpenAPIObject): void {
  const ref = operation.requestBody?.content['application/json']?.schema?.$ref;
  const schema = document.components?.schemas?.[ref?.split('/').at(-1) ?? ''];
  if (schema && !('$ref' in schema)) schema.additionalProperties = false;
}
