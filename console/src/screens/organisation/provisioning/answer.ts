import type { ScimLogEntry } from '../../../api/schema';

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** @returns the body that the identity provider got for a call that failed (RFC 7644, section 3.12) */
export function answerOf({ status, scim_type: type, error }: Pick<ScimLogEntry, 'status' | 'scim_type' | 'error'>) {
  if (status < 400) return undefined;
  return {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(type !== null && { scimType: type }),
    ...(error !== null && { detail: error }),
  };
}
