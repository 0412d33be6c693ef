import { ApiExtension } from '@nestjs/swagger';
import type { Operation } from './openapi-walk';

const SCOPES = 'x-scopes-of-methods';

/** The scope that an operation requires to read, and with every other method. */
interface ScopesOfMethods {
  readonly read: string;
  readonly write: string;
}

/**
 * Documents the scope that an operation requires. The decorators of a route run before its method is known, so
 * `documentScope` chooses.
 */
export function NeedsScope(scopes: ScopesOfMethods): MethodDecorator {
  return ApiExtension(SCOPES, scopes);
}

/**
 * Replaces what `NeedsScope` left on an operation of the document by the scope in its security requirements (OpenAPI
 * 3.1 allows role names there for any scheme) and in `x-access`.
 *
 * @param method in lower case
 */
export function documentScope(operation: Operation, method: string): void {
  const extensions = operation as Operation & {
    [SCOPES]?: ScopesOfMethods;
    'x-access'?: { scope?: string };
  };
  const scopes = extensions[SCOPES];
  if (!scopes) return;
  delete extensions[SCOPES];
  const scope = method === 'get' ? scopes.read : scopes.write;
  extensions['x-access'] = { ...extensions['x-access'], scope };
  operation.security = operation.security?.map((one) => ('bearer' in one ? { bearer: [scope] } : one));
}
