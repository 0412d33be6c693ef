import type { OpenAPIObject } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { createApp, describeApp } from './app';
import { Environment } from './config/environment';
import { createLog } from './http/log/json-logger';

/** @returns the OpenAPI document of the routes. It comes from decorators alone: no database, no port. */
export async function describeRoutes(): Promise<OpenAPIObject> {
  const environment = new Environment({
    SECRETS_KEY: Buffer.alloc(32).toString('base64'),
    OIDC_ISSUER: 'https://issuer.invalid',
  });
  const dataSource = new DataSource({ type: 'postgres' });
  // Keeps Nest from connecting it. Nothing here sends a query.
  Object.defineProperty(dataSource, 'isInitialized', { value: true });
  return describeApp(await createApp({ environment, dataSource, databaseUrl: '' }, createLog('silent')));
}
