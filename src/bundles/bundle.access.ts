import { accessBy, type AccessRules } from '../auth/access.decorator';
import { CATALOG_RULES } from '../catalog/catalog.access';
import type { CredentialScheme } from '../http/openapi/openapi';
import { ErrorCode } from './bundle.errors';

const { BundleNotFound, Forbidden } = ErrorCode;

export const BUNDLE_TOKEN_SCHEME: CredentialScheme = {
  name: 'bundleToken',
  bearerFormat: 'tyb_…',
  description: 'An access token of the bundle.',
};

/** The rules of this room. `BundleFinder` enforces them, since they depend on the bundle. */
const OWN_RULES = {
  'bundle-reader': {
    text: 'Anyone who may see the bundle: everyone if it is public, otherwise its owner, its editors and the members of its organisation.',
    fails: [BundleNotFound],
  },
  'bundle-reader-or-token': {
    text: 'Anyone who may see the bundle: everyone if it is public, otherwise its owner, its editors and the members of its organisation. Also anyone with an access token of the bundle.',
    fails: [BundleNotFound],
    alsoBy: BUNDLE_TOKEN_SCHEME,
  },
  'bundle-insider': {
    text: 'The owner and the editors of the bundle, and the members of its organisation.',
    fails: [BundleNotFound, Forbidden],
  },
  'bundle-editor': {
    text: 'The owner and the editors of the bundle; if it belongs to an organisation, its ADMINs and OWNERs, and MEMBERs who own or edit it.',
    fails: [BundleNotFound, Forbidden],
  },
} satisfies AccessRules;

/** Declares who may call a route of this room. */
export const Access = accessBy({ ...CATALOG_RULES, ...OWN_RULES }, { read: 'bundles:read', write: 'bundles:write' });
