import { accessBy, type AccessRules } from '../auth/access.decorator';
import { ORGANISATION_RULES } from '../organisations/organisation.access';
import { ErrorCode } from './catalog.errors';

const { Forbidden, InsufficientRole, ListingNotFound, NamespaceNotFound } = ErrorCode;

/** The finders of listings and namespaces enforce them, since they depend on the row. */
const OWN_RULES = {
  'listing-reader': {
    text: 'Anyone who may see the listing: everyone if it is published and public, else its owner or the members of its organisation.',
    fails: [ListingNotFound],
  },
  'listing-editor': {
    text: 'The owner of a personal listing; for a listing of an organisation, its ADMINs and OWNERs, and MEMBERs while it is their own draft; platform administrators for a listing that is or was public.',
    fails: [ListingNotFound, Forbidden],
  },
  'namespace-reader': {
    text: 'The person who holds the namespace, or the members of the organisation that holds it; platform administrators.',
    fails: [NamespaceNotFound],
  },
  'namespace-manager': {
    text: 'The person who holds the namespace, or an ADMIN or OWNER of the organisation that holds it; platform administrators.',
    fails: [NamespaceNotFound, InsufficientRole],
  },
} satisfies AccessRules;

export const CATALOG_RULES = { ...ORGANISATION_RULES, ...OWN_RULES };

/** States who may call a route of this room. */
export const Access = accessBy(CATALOG_RULES);
