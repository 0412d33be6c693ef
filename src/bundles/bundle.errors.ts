import { ErrorCode as CatalogCode } from '../catalog/catalog.errors';
import { defineErrors } from '../errors/errors';

export const BUNDLE_ERRORS = defineErrors({
  BundleNotFound: { code: 'bundle_not_found', kind: 'notFound', noun: 'Bundle' },
  BundleEntryNotFound: { code: 'bundle_entry_not_found', kind: 'notFound', noun: 'Bundle entry' },
  BundleVersionNotFound: {
    code: 'bundle_version_not_found',
    kind: 'notFound',
    noun: 'Bundle version',
    example: 'Bundle version 12 was not found.',
  },
  BundleAccessTokenNotFound: {
    code: 'bundle_access_token_not_found',
    kind: 'notFound',
    noun: 'Bundle access token',
  },
  DeploymentNotFound: { code: 'deployment_not_found', kind: 'notFound', noun: 'Deployment' },
  BundleConflict: {
    code: 'bundle_conflict',
    kind: 'conflict',
    constraints: {
      bundles_owner_slug_key: 'You already have a bundle with this slug.',
      bundles_org_slug_key: 'The organisation already has a bundle with this slug.',
    },
  },
  BundleEntryConflict: {
    code: 'bundle_entry_conflict',
    kind: 'conflict',
    constraints: { bundle_entries_listing_key: 'The bundle already contains this listing.' },
  },
  BundleAccessTokenConflict: {
    code: 'bundle_access_token_conflict',
    kind: 'conflict',
    example: 'The bundle has 50 access tokens, which is the limit. Revoke one first.',
  },
  BundleEditorConflict: {
    code: 'bundle_editor_conflict',
    kind: 'conflict',
    example: 'The bundle has 200 editors, which is the limit. Remove one first.',
  },
  DeploymentConflict: {
    code: 'deployment_conflict',
    kind: 'conflict',
    example: 'The bundle has 500 deployments, which is the limit. Delete one first.',
  },
});

/** The error codes of this room and of those below it. */
export const ErrorCode = { ...CatalogCode, ...BUNDLE_ERRORS };
