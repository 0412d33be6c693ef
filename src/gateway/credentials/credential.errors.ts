import { ErrorCode as BundleCode } from '../../bundles/bundle.errors';
import { defineErrors } from '../../errors/errors';

export const CREDENTIAL_ERRORS = defineErrors({
  CredentialNotFound: { code: 'credential_not_found', kind: 'notFound', noun: 'Credential' },
  CredentialConflict: {
    code: 'credential_conflict',
    kind: 'conflict',
    example:
      'The server is now at https://mcp.example.net, and the credential was given for https://mcp.example.com. Send "origin" with the new one to confirm that it may have it.',
    constraints: {
      credentials_person_entry_key: 'You have a credential for this entry already. Change or delete it.',
      credentials_bundle_entry_key: 'The bundle has a credential for this entry already. Change or delete it.',
      credentials_organisation_listing_key:
        'The organisation has a credential for this listing already. Change or delete it.',
    },
  },
});

/** The error codes of credentials and of the rooms below. */
export const ErrorCode = { ...BundleCode, ...CREDENTIAL_ERRORS };
