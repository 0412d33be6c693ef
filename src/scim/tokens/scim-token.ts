import { SecretTokenKind } from '../../auth/secret-tokens/secret-token-kind';
import { ErrorCode } from '../scim.errors';

/** Tokens with which an identity provider writes one organisation's directory (contract, section 7). */
export const SCIM_TOKEN = new SecretTokenKind({
  mark: 'tys_',
  prefixLength: 8,
  table: 'scim_tokens',
  owner: 'org_id',
  cap: {
    name: 'SCIM tokens of an organisation',
    code: ErrorCode.ScimTokenConflict,
    detail: (most) => `The organisation has ${most} SCIM tokens, which is the limit. Revoke one first.`,
  },
});
