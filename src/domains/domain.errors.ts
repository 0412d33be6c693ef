import { defineErrors } from '../errors/errors';
import { ErrorCode as OrganisationCode } from '../organisations/organisation.errors';

export const DOMAIN_ERRORS = defineErrors({
  DomainNotFound: { code: 'domain_not_found', kind: 'notFound', noun: 'Domain' },
  DomainConflict: {
    code: 'domain_conflict',
    kind: 'conflict',
    example: 'The organisation already has the domain acme.example.',
  },
});

/** What this room can fail with. */
export const ErrorCode = { ...OrganisationCode, ...DOMAIN_ERRORS };
