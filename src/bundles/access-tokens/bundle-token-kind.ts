import { SecretTokenKind } from '../../auth/secret-tokens/secret-token-kind';
import { ErrorCode } from '../bundle.errors';

/** Tokens that can read one bundle (contract, section 6). */
export const BUNDLE_TOKEN_KIND = new SecretTokenKind({
  mark: 'tyb_',
  prefixLength: 10,
  table: 'bundle_access_tokens',
  owner: 'bundle_id',
  cap: {
    name: 'access tokens of a bundle',
    code: ErrorCode.BundleAccessTokenConflict,
    detail: (most) => `The bundle has ${most} access tokens, which is the limit. Revoke one first.`,
  },
});
