import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ERROR_CODES_EXTENSION, takeErrorCodes } from './api-errors';
import type { ErrorDialect } from './error-dialect';
import { ERROR_STATUS } from './error-status';
import { ErrorCode } from './errors';
import { errorSchemas, ErrorStatus, errorResponse, requestIdHeader, validationResponse } from './openapi-errors';
import { DESCRIPTION, TAGS } from './openapi-text';

interface Operation {
  operationId: string;
  requestBody?: { required?: boolean; content: Record<string, { schema: { $ref?: string } }> };
  parameters?: { in: string }[];
  responses: Record<string, { description?: string; headers?: Record<string, unknown> }>;
  [ERROR_CODES_EXTENSION]?: ErrorCode[];
}

/**
 * The name of an operation, made from the controller and its method: `BundlesController.remove` → `bundles_remove`.
 * The request guard finds an operation's rules by it, generated clients name their methods after it.
 */
export function operationId(controller: string, method: string): string {
  return `${snake(controller.replace(/Controller$/, ''))}_${snake(method)}`;
}

/**
 * Builds the OpenAPI 3.1 document from the routes: what the decorators say, plus what is true of every operation and
 * is therefore written once, here.
 *
 * @param dialects of paths whose errors have another form; the routes there document their errors themselves
 */
export function buildOpenApi(app: INestApplication, dialects: readonly ErrorDialect[]): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Toolyard')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addServer('/')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An access token of the authorization server; see `/.well-known/oauth-protected-resource`.',
    })
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'A SCIM token of the organisation: `tys_…`.' },
      'scimToken',
    )
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', description: 'An access token of the bundle: `tyb_…`.' },
      'bundleToken',
    );
  for (const [name, description] of TAGS) config.addTag(name, description);
  const document = SwaggerModule.createDocument(app, config.build(), {
    operationIdFactory: operationId,
    autoTagControllers: false,
  });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...errorSchemas() },
    headers: { 'X-Request-Id': requestIdHeader() },
  };
  for (const [path, item] of Object.entries(document.paths)) {
    const isForeign = dialects.some((dialect) => dialect.covers(path));
    for (const operation of Object.values(item) as Operation[]) {
      if (operation.requestBody) operation.requestBody.required ??= true;
      if (!isForeign) addErrors(operation, document);
      complete(operation);
    }
  }
  return document;
}

/** Adds the errors of an operation: its own ones, and those that every one has. */
function addErrors(operation: Operation, document: OpenAPIObject): void {
  const own = takeErrorCodes(operation);
  if (own.length > 0) operation[ERROR_CODES_EXTENSION] = own;
  const codes = new Set(own);
  codes.add(ErrorCode.InternalError).add(ErrorCode.ServiceUnavailable);
  if (operation.requestBody) {
    codes.add(ErrorCode.PayloadTooLarge).add(ErrorCode.UnsupportedMediaType);
    closeSchema(operation, document);
  }
  const byStatus = new Map<ErrorStatus, ErrorCode[]>();
  for (const code of codes) {
    const status = String(ERROR_STATUS[code]);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  for (const [status, list] of byStatus) operation.responses[status] = errorResponse(status, list);
  if (operation.requestBody || (operation.parameters ?? []).length > 0)
    operation.responses['422'] = validationResponse();
}

/** What every answer has. */
function complete(operation: Operation): void {
  for (const response of Object.values(operation.responses)) {
    response.description ||= 'Done.';
    response.headers = { ...response.headers, 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  }
  operation.responses = Object.fromEntries(
    Object.entries(operation.responses).sort(([a], [b]) => Number(a) - Number(b)),
  );
}

/** Unknown body fields are an error (contract, section 2), and the document says so. */
function closeSchema(operation: Operation, document: OpenAPIObject): void {
  const ref = operation.requestBody?.content['application/json']?.schema.$ref;
  const schema = document.components?.schemas?.[ref?.split('/').at(-1) ?? ''];
  if (schema && !('$ref' in schema)) schema.additionalProperties = false;
}

function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
