import { ScimError } from '../scim-error';
import { BULK_METHODS, type BulkMethod, type BulkOperation } from './bulk-request';
import type { BulkTarget } from './bulk-target';

/** A valid operation. */
export interface CheckedOperation {
  method: BulkMethod;
  target: BulkTarget;
  /** `/Users` or `/Groups`. */
  endpoint: string;
  /** May contain references; empty for POST. */
  id: string;
  bulkId: string | undefined;
  ifMatch: string | undefined;
  data: unknown;
}

/**
 * @param targets by endpoint
 * @throws ScimError invalidValue for an error in the operation itself
 */
export function checkOperation(
  { method, bulkId, version, path, data }: BulkOperation,
  targets: ReadonlyMap<string, BulkTarget>,
): CheckedOperation {
  const knownMethod = BULK_METHODS.find((candidate) => candidate === method);
  if (!knownMethod) throw invalid('"method" must be POST, PUT, PATCH or DELETE.');
  if (bulkId !== undefined && (typeof bulkId !== 'string' || bulkId === ''))
    throw invalid('"bulkId" must be a string.');
  if (version !== undefined && typeof version !== 'string') throw invalid('"version" must be an entity tag.');
  const [, endpoint = '', id = ''] = (typeof path === 'string' && /^(\/[^/?]+)(?:\/([^/?]+))?$/.exec(path)) || [];
  const target = targets.get(endpoint);
  if (!target) throw invalid('"path" must begin with /Users or /Groups.');
  if (knownMethod === 'POST') {
    if (id !== '') throw invalid('"path" of a POST must be /Users or /Groups.');
    if (bulkId === undefined) throw invalid('A POST needs a "bulkId" (RFC 7644, section 3.7.2).');
  } else if (id === '') {
    throw invalid(`"path" of a ${knownMethod} must name a resource: ${endpoint}/{id}.`);
  }
  return { method: knownMethod, target, endpoint, id, bulkId, ifMatch: version, data };
}

export function invalid(detail: string): ScimError {
  return new ScimError('invalidValue', detail);
}
