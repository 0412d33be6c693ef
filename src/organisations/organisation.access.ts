import { ACCESS_RULES, accessBy, type AccessRules } from '../auth/access.decorator';
import { ErrorCode } from './organisation.errors';

const { OrganisationNotFound, InsufficientRole } = ErrorCode;

/**
 * Enforced by `organisation.guard.ts` on routes with an `org_id` in the path, except for
 * `organisation-member-or-suspended`, which the members service enforces.
 */
const OWN_RULES = {
  'organisation-member': { text: 'Members of the organisation.', fails: [OrganisationNotFound] },
  'organisation-member-or-suspended': {
    text: 'Members of the organisation. Members deactivated by its directory can still leave.',
    fails: [OrganisationNotFound],
  },
  'organisation-admin': {
    text: 'ADMINs and OWNERs of the organisation.',
    fails: [OrganisationNotFound, InsufficientRole],
  },
  'organisation-owner': {
    text: 'OWNERs of the organisation.',
    fails: [OrganisationNotFound, InsufficientRole],
  },
} satisfies AccessRules;

export const ORGANISATION_RULES = { ...ACCESS_RULES, ...OWN_RULES };

/** Declares who may call a route of this module. */
export const Access = accessBy(ORGANISATION_RULES, { read: 'organisations:read', write: 'organisations:admin' });
