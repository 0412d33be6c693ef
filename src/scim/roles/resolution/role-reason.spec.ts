import fc from 'fast-check';
import { highest, isAtLeast, type Role, ROLES } from '../../../organisations/members/role';
import { reasonInForce } from './role-reason';
import { type Reason, type Resolution } from './role-resolution';

const roleOrNull = fc.constantFrom<Role | null>(null, ...ROLES);

/** Every result that role resolution can have. */
const resolution: fc.Arbitrary<Resolution> = fc
  .oneof(
    fc.record({ scimRole: fc.constantFrom(...ROLES), reason: fc.constantFrom<Reason>('mapping', 'default_role') }),
    fc.record({
      scimRole: fc.constant(null),
      reason: fc.constantFrom<Reason>('no_default_role', 'not_in_directory', 'pending', 'opted_out'),
    }),
    fc.record({ scimRole: fc.constant(null), reason: fc.constantFrom<Reason>('deactivated', 'deleted') }),
  )
  .map((said) => ({
    ...said,
    suspended: said.reason === 'deactivated' || said.reason === 'deleted',
    mappingId: null,
    groupId: null,
  }));

describe('The reason of the role in force', () => {
  const said = (scimRole: Role | null, reason: Reason) => ({
    scimRole,
    reason,
    suspended: reason === 'deactivated' || reason === 'deleted',
  });

  it.each<[manual: Role | null, scim: Role | null, by: Reason, retained: boolean, reason: string]>([
    [null, 'ADMIN', 'mapping', false, 'mapping'],
    ['MEMBER', 'ADMIN', 'mapping', false, 'mapping'],
    ['ADMIN', 'ADMIN', 'mapping', false, 'mapping'],
    ['OWNER', 'ADMIN', 'mapping', false, 'manual'],
    ['ADMIN', 'MEMBER', 'default_role', false, 'manual'],
    ['MEMBER', null, 'no_default_role', false, 'manual'],
    [null, null, 'no_default_role', false, 'no_default_role'],
    ['OWNER', null, 'not_in_directory', false, 'manual'],
    ['OWNER', null, 'deactivated', false, 'deactivated'],
    ['OWNER', null, 'deleted', false, 'deleted'],
    ['OWNER', null, 'deactivated', true, 'last_owner'],
    [null, 'MEMBER', 'default_role', true, 'last_owner'],
  ])('with %s by hand and %s by %s (retained: %s) is %s', (manual, scim, by, retained, reason) => {
    expect(reasonInForce(said(scim, by), manual, retained)).toBe(reason);
  });

  it('is "manual" exactly if the directory alone would give less', () => {
    fc.assert(
      fc.property(resolution, roleOrNull, (one, manual) => {
        const inForce = one.suspended ? null : highest(manual, one.scimRole);
        const isMore = inForce !== null && (one.scimRole === null || !isAtLeast(one.scimRole, inForce));
        expect(reasonInForce(one, manual, false)).toBe(isMore ? 'manual' : one.reason);
      }),
    );
  });
});
