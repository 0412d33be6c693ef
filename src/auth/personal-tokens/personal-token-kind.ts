import { SecretTokenKind } from '../secret-tokens/secret-token-kind';
import { ErrorCode } from './personal-access-token.errors';

/** Tokens with which a person's programs act for them, limited to scopes. */
export const PERSONAL_TOKEN_KIND = new SecretTokenKind({
  mark: 'typ_',
  prefixLength: 10,
  table: 'personal_access_tokens',
  owner: 'user_id',
  cap: {
    name: 'personal access tokens of a person',
    code: ErrorCode.PersonalAccessTokenConflict,
    detail: (most) => `You have ${most} personal access tokens, which is the limit. Revoke one first.`,
  },
});
