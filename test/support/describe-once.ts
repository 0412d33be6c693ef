import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeApp } from '../../src/app';
import { keptByWorker } from './kept-by-worker';

/**
 * The same document for all applications of a test run, in which the sources do not change: the first one makes it, the
 * others read it, in whichever process they are. The folder goes with the run.
 */
export function describeOnce(app: NestExpressApplication): OpenAPIObject {
  const folder = process.env.TEST_DATA_DIR;
  if (!folder) return describeApp(app);
  return keptByWorker('OpenAPI document', () => readOrMake(app, folder));
}

function readOrMake(app: NestExpressApplication, folder: string): OpenAPIObject {
  const path = join(folder, 'openapi.json');
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as OpenAPIObject;
  const document = describeApp(app);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(document));
  renameSync(draft, path);
  return document;
}
