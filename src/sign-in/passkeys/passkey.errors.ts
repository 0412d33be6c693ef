import { defineErrors } from '../../errors/errors';
import { ErrorCode as UserCode } from '../../users/user.errors';

export const PASSKEY_ERRORS = defineErrors({
  PasskeyNotFound: { code: 'passkey_not_found', kind: 'notFound', noun: 'Passkey' },
  PasskeyConflict: {
    code: 'passkey_conflict',
    kind: 'conflict',
    example: 'You have 10 passkeys, which is the most. Remove one first.',
    constraints: { passkeys_credential_id_key: 'This passkey is registered already.' },
  },
});

/** The errors of passkeys. */
export const ErrorCode = { ...UserCode, ...PASSKEY_ERRORS };
