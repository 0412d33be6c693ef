import { accessBy, type AccessRules } from '../../auth/access.decorator';
import { CATALOG_RULES } from '../../catalog/catalog.access';
import { ErrorCode } from './credential.errors';

/** `ManagedCredentials` enforces it, because it depends on the row. */
const OWN_RULES = {
  'credential-manager': {
    text: 'The person whose credential it is; the editors of its bundle; the ADMINs and OWNERs of its organisation.',
    fails: [ErrorCode.CredentialNotFound],
  },
} satisfies AccessRules;

/** Declares who may call a route about a credential. */
export const Access = accessBy({ ...CATALOG_RULES, ...OWN_RULES }, { read: 'bundles:read', write: 'bundles:write' });
