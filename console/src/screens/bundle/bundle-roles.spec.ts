import { isInsider, organisationOf, ownershipOf } from './bundle-roles';

const ANN = 'ann';
const acme = { org_id: 'acme', name: 'Acme', role: 'MEMBER', suspended: false };
const ann = { id: ANN, organisations: [acme] };
const bundleOf = (parts: object) => ({ org_id: null, owner_id: 'bob', may_modify: false, ...parts });

describe('The roles of a person for a bundle', () => {
  it('make members of its organisation insiders, but not those who are suspended or were never accepted', () => {
    const bundle = bundleOf({ org_id: 'acme' });
    expect(isInsider(bundle, ann)).toBe(true);
    expect(isInsider(bundle, { id: ANN, organisations: [{ ...acme, suspended: true }] })).toBe(false);
    expect(isInsider(bundle, { id: ANN, organisations: [{ ...acme, role: null }] })).toBe(false);
  });

  it('make editors and the owner insiders of a personal bundle, and no others', () => {
    expect(isInsider(bundleOf({ may_modify: true }), ann)).toBe(true);
    expect(isInsider(bundleOf({ owner_id: ANN }), ann)).toBe(true);
    expect(isInsider(bundleOf({}), ann)).toBe(false);
  });

  it('name only organisations that the person belongs to', () => {
    expect(organisationOf(bundleOf({ org_id: 'acme' }), ann)?.name).toBe('Acme');
    expect(ownershipOf(bundleOf({ org_id: 'other' }), ann)).toBe('other-organisation');
    expect(ownershipOf(bundleOf({ owner_id: ANN }), ann)).toBe('own');
    expect(ownershipOf(bundleOf({}), ann)).toBe('other-person');
  });
});
