import fc from 'fast-check';
import { highest, isAtLeast, type Role, ROLES } from './role';

const role = fc.constantFrom(...ROLES);
const roleOrNull = fc.constantFrom<Role | null>(null, ...ROLES);

describe('isAtLeast', () => {
  it.each([
    ['OWNER', 'OWNER', true],
    ['OWNER', 'MEMBER', true],
    ['ADMIN', 'OWNER', false],
    ['ADMIN', 'ADMIN', true],
    ['ADMIN', 'MEMBER', true],
    ['MEMBER', 'ADMIN', false],
    ['MEMBER', 'MEMBER', true],
  ] as const)('compares %s with the required %s: %s', (held, required, allowed) => {
    expect(isAtLeast(held, required)).toBe(allowed);
  });

  it('is a total order', () => {
    fc.assert(
      fc.property(role, role, role, (a, b, c) => {
        expect(isAtLeast(a, b) || isAtLeast(b, a)).toBe(true);
        expect(isAtLeast(a, b) && isAtLeast(b, a)).toBe(a === b);
        if (isAtLeast(a, b) && isAtLeast(b, c)) expect(isAtLeast(a, c)).toBe(true);
      }),
    );
  });
});

describe('highest', () => {
  it('is null without any role', () => {
    expect(highest()).toBeNull();
    expect(highest(null, null)).toBeNull();
  });

  it('ignores members without a role', () => {
    expect(highest(null, 'MEMBER', null)).toBe('MEMBER');
    expect(highest('ADMIN', null)).toBe('ADMIN');
  });

  it('is the greatest of the roles, in any order', () => {
    fc.assert(
      fc.property(fc.array(roleOrNull), (roles) => {
        const best = highest(...roles);
        expect(highest(...[...roles].reverse())).toBe(best);
        if (best === null) expect(roles.filter((one) => one !== null)).toEqual([]);
        else {
          expect(roles).toContain(best);
          expect(roles.filter((one) => one !== null && !isAtLeast(best, one))).toEqual([]);
        }
      }),
    );
  });
});
