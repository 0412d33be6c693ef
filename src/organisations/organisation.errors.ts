import { DomainError, defineErrors } from '../errors/errors';
import { ErrorCode as UserCode } from '../users/user.errors';

export const ORGANISATION_ERRORS = defineErrors({
  InsufficientRole: {
    code: 'insufficient_role',
    kind: 'forbidden',
    example: 'This needs the role ADMIN in the organisation; yours is MEMBER.',
  },
  OrganisationNotFound: { code: 'organisation_not_found', kind: 'notFound', noun: 'Organisation' },
  MemberNotFound: { code: 'member_not_found', kind: 'notFound', noun: 'Member' },
  OrganisationConflict: {
    code: 'organisation_conflict',
    kind: 'conflict',
    constraints: { organisations_slug_key: 'An organisation with this slug already exists.' },
  },
  MemberConflict: {
    code: 'member_conflict',
    kind: 'conflict',
    constraints: { memberships_pkey: 'This user is already a member.' },
  },
  LastOwner: {
    code: 'last_owner',
    kind: 'conflict',
    example: 'An organisation must keep at least one active OWNER. Make another member OWNER first.',
  },
});

/** The errors of this module. */
export const ErrorCode = { ...UserCode, ...ORGANISATION_ERRORS };

/** The caller is a member, but with a role that does not allow this. */
export class InsufficientRoleError extends DomainError {
  constructor(needed: string, role: string) {
    super(ErrorCode.InsufficientRole, `This needs the role ${needed} in the organisation; yours is ${role}.`);
  }
}

/** The organisation would be left without an active OWNER (contract, section 4). */
export class LastOwnerError extends DomainError {
  /** @param organisations the names of the organisations concerned, if they are not obvious from the request */
  constructor(organisations: readonly string[] = []) {
    const rule = 'An organisation must keep at least one active OWNER.';
    const names = organisations.map((name) => `"${name}"`).join(', ');
    super(
      ErrorCode.LastOwner,
      names === ''
        ? `${rule} Make another member OWNER first.`
        : `${rule} Make another member OWNER of ${names} first, or delete it.`,
    );
  }
}
