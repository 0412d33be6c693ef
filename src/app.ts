import { NotFoundException } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { Logger as Pino } from 'pino';
import { DESCRIPTION } from './api-text';
import { AppModule, AppParts, DECLARED } from './app.module';
import { AccessGuard } from './auth/access.guard';
import { AuthorizationServer } from './auth/authorization-server/authorization-server';
import { DOCS_CLIENT_ID } from './auth/authorization-server/client-store';
import { ProtocolErrors } from './auth/authorization-server/protocol-errors';
import { SIGN_IN_FLOW } from './auth/scopes';
import { BundleTokenGuard } from './bundles/access-tokens/bundle-token.guard';
import { RegistryErrors } from './catalog/registry/registry-errors';
import { RegistryMemory } from './catalog/registry/registry-memory';
import { registryAliases, registryCors } from './catalog/registry/registry-path';
import { Environment } from './config/environment';
import { ConsoleServer } from './console/console-server';
import { Metrics } from './metrics/metrics';
import { DatabaseDeadline, inRequest } from './database/deadline';
import { DatabaseErrors } from './database/database-errors';
import { CallRates } from './gateway/edge/call-rates';
import { ENDPOINT_TEMPLATES } from './gateway/edge/endpoint-path';
import { McpErrors } from './gateway/edge/mcp-errors';
import { McpGate } from './gateway/edge/mcp-gate';
import { compressAnswers } from './http/requests/content-coding';
import { documentation } from './http/openapi/documentation';
import { refuseEmptyPathParts } from './http/requests/empty-path-parts';
import { ToolyardExpressAdapter } from './http/toolyard-express-adapter';
import type { ErrorDialect } from './http/answers/error-dialect';
import { type FailureAnswer, inOrder } from './http/requests/in-order';
import { AnswerShapes } from './http/answers/answer-shape';
import { ErrorFilter } from './http/answers/error.filter';
import { JsonLogger } from './http/log/json-logger';
import { buildOpenApi } from './http/openapi/openapi';
import { type PreparedAnswer, prepareLargeJson, sendPrepared } from './http/answers/prepared-answer';
import { TextChecks } from './http/requests/text-checks';
import { securityHeaders } from './http/answers/security-headers';
import { supervisionOnly } from './http/requests/supervision-only';
import { parseQueryString } from './http/requests/query-string';
import { RequestGuard } from './http/requests/request.guard';
import { methodCheck, plainPath } from './http/requests/resource-check';
import { RouteTable } from './http/requests/route-table';
import { requestLog } from './http/log/request-log';
import { answerParserErrors, requireHost } from './http/answers/parser-errors';
import { closeUnreadBodies } from './http/requests/unread-body';
import { sendAsset, sendFavicon } from './pages/page-assets';
import { PAGE_ROUTES, PageErrors } from './pages/page-errors';
import { RequestLimits } from './operations/limits/request-limits';
import { Replicas } from './operations/replicas.service';
import { OrganisationGuard } from './organisations/organisation.guard';
import { ScimErrorDialect } from './scim/protocol/scim-error-dialect';
import { ScimGate } from './scim/protocol/scim-gate';

/** Creates an application that is not configured yet. Nest refuses to start if two routes are the same. */
export async function createApp(parts: AppParts, log: Pino): Promise<NestExpressApplication> {
  const server = express();
  // Paths are case-sensitive (RFC 3986, section 6.2.2.1), including the mount prefixes. Must be set before Nest creates
  // the router, which reads it only once.
  server.set('case sensitive routing', true);
  return NestFactory.create<NestExpressApplication>(AppModule.of(parts), new ToolyardExpressAdapter(server), {
    logger: new JsonLogger(log),
    bodyParser: false,
    abortOnError: false,
    // Not `shadow` as well: it also rejects a literal path before one with a parameter, which is the correct order.
    routeConflictPolicy: { duplicate: 'error' },
  });
}

/** @returns the OpenAPI document of the application, which does not have to be started */
export function describeApp(app: NestExpressApplication): OpenAPIObject {
  setPrefix(app);
  const { tags, errors, credentials, enums } = DECLARED;
  const checks = app.get(TextChecks);
  const dialects = dialectsOf(app);
  return buildOpenApi(app, {
    description: DESCRIPTION,
    tags,
    errors,
    credentials,
    dialects,
    enums,
    checks,
    signIn: SIGN_IN_FLOW,
  });
}

function setPrefix(app: NestExpressApplication): void {
  app.setGlobalPrefix('v1', {
    exclude: ['healthz', 'readyz', '.well-known/{*path}', 'oauth2/{*path}', 'v0.1/{*path}', ...PAGE_ROUTES],
  });
}

/** The error formats that external specifications prescribe. */
function dialectsOf(app: NestExpressApplication): ErrorDialect[] {
  return [
    app.get(ScimErrorDialect),
    app.get(RegistryErrors),
    app.get(ProtocolErrors),
    app.get(PageErrors),
    app.get(McpErrors),
  ];
}

/**
 * Sets up everything between the socket and the controllers, and starts the modules; main.ts and the tests share it.
 *
 * @param describe makes the document, which takes half a second; tests make it once for all their applications
 * @returns the OpenAPI document, which requests are also validated against
 */
export async function configureApp(
  app: NestExpressApplication,
  log: Pino,
  describe = describeApp,
): Promise<OpenAPIObject> {
  const environment = app.get(Environment);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQueryString);
  answerParserErrors(app.getHttpServer(), log);
  setPrefix(app);
  const document = describe(app);
  const routes = new RouteTable(document, ENDPOINT_TEMPLATES);
  const access = app.get(AccessGuard);
  const limits = app.get(RequestLimits);
  const endpoints = app.get(McpGate);
  app.get(CallRates).shareAmong(() => app.get(Replicas).api);
  const deadlineMs = environment.databaseDeadline * 1_000;
  const metadata = `${environment.publicUrl}/.well-known/oauth-protected-resource`;
  const errors = new ErrorFilter(metadata, dialectsOf(app), app.get(DatabaseErrors), limits.noteFailure);
  const answer: FailureAnswer = (error, request, response) => errors.answer(error, request, response);
  app.use(
    inOrder(answer, [
      plainPath(),
      registryAliases(),
      requestLog({ log, routes, durations: app.get(Metrics).requests }),
      closeUnreadBodies(),
      securityHeaders(environment.publicUrl.startsWith('https:')),
      requireHost(),
      registryCors(),
      ...(environment.run.has('api') ? [] : [supervisionOnly()]),
      sendAsset,
      sendFavicon,
      app.get(ConsoleServer).serveFile,
      limits.admit(),
      // As early as possible: everything below is what a ready answer saves.
      app.get(RegistryMemory).serve,
      compressAnswers(),
      (request: Request, response: Response, next: NextFunction) =>
        inRequest(request.id, new DatabaseDeadline(deadlineMs, () => response.writableFinished), next, request.trace),
      app.get(ConsoleServer).servePage,
      app.get(ScimGate).admit,
      endpoints.admit,
      limits.admitGated,
      endpoints.serve,
      app.get(AuthorizationServer).gate,
      // A path with an empty segment names no resource, so this precedes the method check.
      refuseEmptyPathParts(document),
      methodCheck(async (request, response) => {
        await access.authenticate(request);
        if (request.countedAs === undefined) limits.countCaller(request, response);
      }),
    ]),
  );
  // In the order of section 1 of the contract: authentication, validation, existence and permission.
  app.useGlobalGuards(
    app.get(BundleTokenGuard),
    access,
    limits,
    new RequestGuard(document, app.get(TextChecks)),
    limits.ofBodies,
    app.get(OrganisationGuard),
    app.get(AnswerShapes),
  );
  const server = app.getHttpAdapter().getInstance();
  app.useGlobalFilters(errors);
  await app.init();
  serveDocument(server, document);
  // After the API's routes; otherwise Express would try all of these first.
  SwaggerModule.setup('docs', app, document, documentation(environment.publicUrl, DOCS_CLIENT_ID));
  // Nest's own last handlers only cover the prefix.
  server.use((request, response) => answer(new NotFoundException(), request, response));
  server.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    answer(error, request, response),
  );
  return document;
}

/** Serves `/docs/openapi.json`, prepared on first request. */
function serveDocument(server: Express, document: OpenAPIObject): void {
  let prepared: Promise<PreparedAnswer> | undefined;
  server.get('/docs/openapi.json', (request, response, next) => {
    prepared ??= prepareLargeJson(document);
    prepared.then((answer) => sendPrepared(request, response, answer), next);
  });
}
