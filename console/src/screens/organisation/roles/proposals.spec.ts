import type { RoleMapping, ScimSettings } from '../../../api/schema';
import { creationOf, EMPTY_MAPPING, settingsOf, toCreate, toDelete, toSettings, toUpdate } from './proposals';

const MAPPING: RoleMapping = {
  id: 'm',
  group_id: 'g',
  group_name: 'Leads',
  state: 'bound',
  role: 'ADMIN',
  has_effect: true,
  member_count: 3,
  created_at: '',
  updated_at: '',
};
const SETTINGS: ScimSettings = {
  default_role: 'MEMBER',
  allow_owner_mapping: false,
  last_owner_policy: 'retain',
  base_url: '',
  last_contact_at: null,
  is_stale: false,
};

describe('A proposal for a preview', () => {
  it('waits until a group was chosen, or named', () => {
    expect(toCreate(EMPTY_MAPPING)).toBeUndefined();
    expect(toCreate({ ...EMPTY_MAPPING, by: 'named', name: '  ' })).toBeUndefined();
    const group = { id: 'g', name: 'Leads' };
    expect(creationOf({ ...EMPTY_MAPPING, group, name: 'x' })).toEqual({ group_id: 'g', role: 'MEMBER' });
    expect(creationOf({ ...EMPTY_MAPPING, by: 'named', group, name: ' Leads ' })).toEqual({
      group_name: 'Leads',
      role: 'MEMBER',
    });
  });

  it('is nothing where nothing changes', () => {
    expect(toUpdate(MAPPING, 'ADMIN')).toBeUndefined();
    expect(toUpdate(MAPPING, 'MEMBER')).toEqual({ role_mappings: { update: [{ id: 'm', role: 'MEMBER' }] } });
    expect(toDelete(MAPPING)).toEqual({ role_mappings: { delete: ['m'] } });
    const saved = settingsOf(SETTINGS);
    expect(toSettings(saved, saved)).toBeUndefined();
    expect(toSettings(saved, { ...saved, default_role: null })).toEqual({ settings: { default_role: null } });
    expect(toSettings(saved, { ...saved, allow_owner_mapping: true, last_owner_policy: 'refuse' })).toEqual({
      settings: { allow_owner_mapping: true, last_owner_policy: 'refuse' },
    });
  });
});
