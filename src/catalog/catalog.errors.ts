import { defineErrors } from '../errors/errors';
import { ErrorCode as OrganisationCode } from '../organisations/organisation.errors';

export const CATALOG_ERRORS = defineErrors({
  NamespaceRequired: {
    code: 'namespace_required',
    kind: 'forbidden',
    example:
      'To publish io.github.acme/weather for everyone, its organisation needs the namespace io.github.acme. Claim it with POST /v1/mcp/namespaces, or publish it as PRIVATE.',
  },
  ListingNotFound: { code: 'listing_not_found', kind: 'notFound', noun: 'Listing' },
  ListingVersionNotFound: {
    code: 'listing_version_not_found',
    kind: 'notFound',
    noun: 'Listing version',
    example: 'Listing version 1.4.0 was not found.',
  },
  IconNotFound: {
    code: 'icon_not_found',
    kind: 'notFound',
    noun: 'Icon of listing',
  },
  ReviewNotFound: { code: 'review_not_found', kind: 'notFound', noun: 'Review' },
  NamespaceNotFound: { code: 'namespace_not_found', kind: 'notFound', noun: 'Namespace' },
  CategoryNotFound: {
    code: 'category_not_found',
    kind: 'notFound',
    noun: 'Category',
    example: 'Category 12 was not found.',
  },
  ImportDocumentNotFound: { code: 'import_document_not_found', kind: 'notFound', noun: 'Quarantined document' },
  ServerNotFound: {
    code: 'server_not_found',
    kind: 'notFound',
    noun: 'Server',
    example: 'Server io.github.acme/weather was not found.',
  },
  ListingConflict: {
    code: 'listing_conflict',
    kind: 'conflict',
    constraints: {
      listings_public_name_key:
        'A public listing with this name already exists; names are compared case-insensitively.',
      listings_owner_name_key: 'The owner already has a listing with this name; names are compared case-insensitively.',
    },
  },
  ListingVersionConflict: {
    code: 'listing_version_conflict',
    kind: 'conflict',
    constraints: { listing_versions_pkey: 'The listing already has this version; versions are immutable.' },
  },
  ReviewConflict: {
    code: 'review_conflict',
    kind: 'conflict',
    constraints: { listing_reviews_author_key: 'You have reviewed this listing already. Change that review instead.' },
  },
  NamespaceConflict: {
    code: 'namespace_conflict',
    kind: 'conflict',
    constraints: { namespaces_holder_key: 'The holder already has this namespace or a claim to it.' },
  },
  ImportConflict: {
    code: 'import_conflict',
    kind: 'conflict',
    example: 'An import of https://registry.modelcontextprotocol.io is running. Try again when it has ended.',
  },
  CategoryConflict: {
    code: 'category_conflict',
    kind: 'conflict',
    constraints: { categories_slug_key: 'A category with this slug already exists.' },
  },
});

/** The errors of this module. */
export const ErrorCode = { ...OrganisationCode, ...CATALOG_ERRORS };
