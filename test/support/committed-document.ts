import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { keptByWorker } from './kept-by-worker';
import { ROOT } from './root';

/**
 * openapi.json as it is committed, for all applications of a worker: making it takes a second. src/document.spec.ts
 * compares it with the routes.
 */
export const committedDocument = (): OpenAPIObject =>
  keptByWorker('OpenAPI document', () => JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenAPIObject);
