import { accessBy, type AccessRules } from '../auth/access.decorator';
import { ORGANISATION_RULES } from '../organisations/organisation.access';
import type { CredentialScheme } from '../http/openapi/openapi';

export const SCIM_TOKEN: CredentialScheme = {
  name: 'scimToken',
  bearerFormat: 'tys_…',
  description: 'A SCIM token of the organisation.',
};

/** `protocol/scim-gate.ts` enforces it. */
const OWN_RULES = {
  'scim-token': {
    text: 'An identity provider with a SCIM token of the organisation.',
    fails: [],
    onlyBy: SCIM_TOKEN,
  },
} satisfies AccessRules;

/** Declares who may call a SCIM route. */
export const Access = accessBy(
  { ...ORGANISATION_RULES, ...OWN_RULES },
  { read: 'organisations:read', write: 'organisations:admin' },
);
