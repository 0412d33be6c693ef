import { defineErrors } from '../errors/errors';
import { ErrorCode as OrganisationCode } from '../organisations/organisation.errors';

export const SCIM_ERRORS = defineErrors({
  SyncRunNotFound: { code: 'sync_run_not_found', kind: 'notFound', noun: 'Sync run' },
  RoleMappingNotFound: { code: 'role_mapping_not_found', kind: 'notFound', noun: 'Role mapping' },
  ScimUserNotFound: { code: 'scim_user_not_found', kind: 'notFound', noun: 'Directory user' },
  ScimGroupNotFound: { code: 'scim_group_not_found', kind: 'notFound', noun: 'Directory group' },
  ScimTokenNotFound: { code: 'scim_token_not_found', kind: 'notFound', noun: 'SCIM token' },
  ScimLogEntryNotFound: { code: 'scim_log_entry_not_found', kind: 'notFound', noun: 'SCIM log entry' },
  RoleMappingConflict: {
    code: 'role_mapping_conflict',
    kind: 'conflict',
    constraints: { scim_role_mappings_group_id_key: 'This group already has a role mapping; change that one.' },
  },
  ScimTokenConflict: {
    code: 'scim_token_conflict',
    kind: 'conflict',
    example: 'The organisation has 20 SCIM tokens, which is the limit. Revoke one first.',
  },
  ConfirmationRequired: {
    code: 'confirmation_required',
    kind: 'conflict',
    example:
      'This would demote 40 and remove 12 of 180 members. Nothing was changed. Send it again with confirm=true to confirm.',
  },
});

/** The error codes of the SCIM module. The bodies of the protocol itself are `protocol/error-response.ts`. */
export const ErrorCode = { ...OrganisationCode, ...SCIM_ERRORS };
