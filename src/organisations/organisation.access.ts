import { ACCESS_RULES, accessBy, type AccessRules } from '../auth/access.decorator';
import { ErrorCode } from './organisation.errors';

const { OrganisationNotFound, InsufficientRole } = ErrorCode;

/**
 * `organisation.guard.ts` enforces them on routes with an `org_id` in the path, but for the one that takes no role, which
 * is the members' own.
 */
const OWN_RULES = {
  'organisation-member': { text: 'Members of the organisation.', fails: [OrganisationNotFound] },
  'organisation-member-or-suspended': {
    text: 'Members of the organisation; members whom its directory has deactivated can still leave.',
    fails: [OrganisationNotFound],
  },
  'organisation-admin': {
    text: 'ADMIN or OWNER of the organisation.',
    fails: [OrganisationNotFound, InsufficientRole],
  },
  'organisation-owner': {
    text: 'OWNER of the organisation.',
    fails: [OrganisationNotFound, InsufficientRole],
  },
} satisfies AccessRules;

export const ORGANISATION_RULES = { ...ACCESS_RULES, ...OWN_RULES };

/** States who may call a route of this room. */
export const Access = accessBy(ORGANISATION_RULES);
