import { accessBy, type AccessRules } from '../auth/access.decorator';
import { ORGANISATION_RULES } from '../organisations/organisation.access';
import { ErrorCode } from './catalog.errors';

const { Forbidden, InsufficientRole, ListingNotFound, NamespaceNotFound, ReviewNotFound } = ErrorCode;

/** Enforced by the finders of listings, reviews and namespaces, because these rules depend on the row. */
const OWN_RULES = {
  'listing-reader': {
    text: 'Anyone who can see the listing: everyone if it is published and public, otherwise its owner or the members of its organisation.',
    fails: [ListingNotFound],
  },
  'listing-editor': {
    text: 'The owner of a personal listing; for a listing of an organisation, its ADMINs and OWNERs, and a MEMBER while it is their own draft; platform administrators if the listing is or was public.',
    fails: [ListingNotFound, Forbidden],
  },
  'review-reader': {
    text: 'Anyone who can see the listing; a hidden review only its author and platform administrators.',
    fails: [ListingNotFound, ReviewNotFound],
  },
  'review-author': {
    text: 'The author of the review.',
    fails: [ListingNotFound, ReviewNotFound, Forbidden],
  },
  'review-answerer': {
    text: 'The owner of a personal listing; an ADMIN or OWNER of the organisation to which it belongs; platform administrators if it belongs to neither.',
    fails: [ListingNotFound, ReviewNotFound, Forbidden],
  },
  'namespace-reader': {
    text: 'The user who holds the namespace, or the members of the organisation that holds it; platform administrators.',
    fails: [NamespaceNotFound],
  },
  'namespace-manager': {
    text: 'The user who holds the namespace, or an ADMIN or OWNER of the organisation that holds it; platform administrators.',
    fails: [NamespaceNotFound, InsufficientRole],
  },
} satisfies AccessRules;

export const CATALOG_RULES = { ...ORGANISATION_RULES, ...OWN_RULES };

/** Declares who may call a route of this module. */
export const Access = accessBy(CATALOG_RULES, { read: 'catalog:read', write: 'bundles:write' });
