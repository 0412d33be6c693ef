import { higher, mayChange, roleAfterChange, roleAfterRemoval, rolesToGive } from './member-changes';

const member = { role: 'MEMBER', manual_role: 'MEMBER', scim_role: null, retained_last_owner: false } as const;

describe('What follows from a change of a member', () => {
  it.each([
    ['a manual role alone', member, 'ADMIN', 'ADMIN'],
    ['a higher role of the directory', { ...member, role: 'ADMIN', scim_role: 'ADMIN' }, 'MEMBER', 'ADMIN'],
    ['someone who is suspended', { ...member, role: null }, 'OWNER', null],
    ['the last owner', { ...member, role: 'OWNER', retained_last_owner: true }, 'MEMBER', 'OWNER'],
  ] as const)('is known before: %s', (_, before, manual, after) => {
    expect(roleAfterChange(before, manual)).toBe(after);
  });

  it('is known before a removal', () => {
    expect(roleAfterRemoval(member)).toBeNull();
    expect(roleAfterRemoval({ ...member, scim_role: 'MEMBER' })).toBe('MEMBER');
    expect(roleAfterRemoval({ ...member, role: null, scim_role: 'MEMBER' })).toBeNull();
  });

  it('is for owners where it is about owners', () => {
    const owner = { ...member, role: 'OWNER', manual_role: 'OWNER' } as const;
    expect(mayChange('OWNER', owner)).toBe(true);
    expect(mayChange('ADMIN', owner)).toBe(false);
    expect(mayChange('ADMIN', { ...member, role: null, manual_role: 'OWNER' })).toBe(false);
    expect(mayChange('ADMIN', member)).toBe(true);
    expect(mayChange('MEMBER', member)).toBe(false);
    expect(mayChange(null, member)).toBe(false);
    expect(rolesToGive('ADMIN')).toEqual(['MEMBER', 'ADMIN']);
    expect(rolesToGive('OWNER')).toEqual(['MEMBER', 'ADMIN', 'OWNER']);
  });

  it('is the higher role', () => {
    expect(higher(null, null)).toBeNull();
    expect(higher(null, 'MEMBER')).toBe('MEMBER');
    expect(higher('OWNER', 'ADMIN')).toBe('OWNER');
  });
});
