import { accessBy, type AccessRules } from '../auth/access.decorator';
import { ORGANISATION_RULES } from '../organisations/organisation.access';
import { ErrorCode } from './catalog.errors';

const { Forbidden, InsufficientRole, ListingNotFound, NamespaceNotFound } = ErrorCode;

/** The finders of listings and namespaces enforce them, since they depend on the row. */
const OWN_RULES = {
  'listing-reader': {
    text: 'Whoever may see the listing: everybody for a published, public one, else those to whom it belongs.',
    fails: [ListingNotFound],
  },
  'listing-editor': {
    text: 'The owner of a personal listing; for one of an organisation its ADMINs and OWNERs, and MEMBERs as long as it is a draft of theirs; platform administrators for one that is or was public.',
    fails: [ListingNotFound, Forbidden],
  },
  'namespace-reader': {
    text: 'The person who has the namespace, or the members of the organisation that has it; platform administrators.',
    fails: [NamespaceNotFound],
  },
  'namespace-manager': {
    text: 'The person who has the namespace, or ADMIN or OWNER of the organisation that has it; platform administrators.',
    fails: [NamespaceNotFound, InsufficientRole],
  },
} satisfies AccessRules;

export const CATALOG_RULES = { ...ORGANISATION_RULES, ...OWN_RULES };

/** States who may call a route of this room. */
export const Access = accessBy(CATALOG_RULES);
