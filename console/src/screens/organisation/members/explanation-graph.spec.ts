import type { RoleExplanation } from '../../../api/schema';
import { drawingOf, lineOf, MAX_DRAWN, NODE, sourcesOf } from './explanation-graph';

const group = (mapping_id: string, role: 'ADMIN' | 'MEMBER', counts = true) => ({
  group_id: `g-${mapping_id}`,
  group_name: `Group ${mapping_id}`,
  mapping_id,
  role,
  counts,
  member_since: '2026-11-20T00:00:00Z',
});

const EXPLANATION: RoleExplanation = {
  user_id: 'u',
  email: null,
  name: null,
  account_state: 'CLAIMED',
  account_detail: '',
  role: 'ADMIN',
  role_since: null,
  reason: 'mapping',
  summary: '',
  is_up_to_date: true,
  is_member: true,
  manual_role: 'MEMBER',
  scim_role: 'ADMIN',
  suspended: false,
  retained_last_owner: false,
  directory_user: null,
  mapping: {
    id: 'b',
    group_id: 'g-b',
    group_name: 'Group b',
    role: 'ADMIN',
    since: '2026-11-02T00:00:00Z',
    member_since: '2026-11-20T00:00:00Z',
  },
  mapped_groups: [group('a', 'MEMBER', false), group('b', 'ADMIN')],
  without_mapping: null,
};

describe('What gives a person a role', () => {
  it('begins with what decides, and ends with what does not count', () => {
    expect(sourcesOf(EXPLANATION).map(({ key, counts, decides }) => [key, counts, decides])).toEqual([
      ['b', true, true],
      ['manual', true, false],
      ['a', false, false],
    ]);
  });

  it('is the default role, or that there is no other owner', () => {
    const alone = { ...EXPLANATION, mapping: null, mapped_groups: [], manual_role: null };
    expect(sourcesOf({ ...alone, reason: 'default_role' })).toMatchObject([{ kind: 'default', role: 'ADMIN' }]);
    expect(sourcesOf({ ...alone, reason: 'last_owner', role: 'OWNER' })).toMatchObject([{ kind: 'last_owner' }]);
    expect(sourcesOf({ ...alone, reason: 'opted_out', role: null })).toEqual([]);
  });

  it('does not count by hand while the person is deactivated', () => {
    const suspended: RoleExplanation = {
      ...EXPLANATION,
      suspended: true,
      reason: 'deactivated',
      role: null,
      mapping: null,
    };
    expect(sourcesOf(suspended).map(({ decides }) => decides)).toEqual([false, false, false]);
    expect(sourcesOf(suspended).find(({ key }) => key === 'manual')).toMatchObject({ counts: false });
  });

  it('is drawn without boxes over each other', () => {
    const many = Array.from({ length: 9 }, (_, index) => group(String(index), 'MEMBER'));
    const drawing = drawingOf(sourcesOf({ ...EXPLANATION, mapped_groups: many }));
    expect(drawing.rows).toHaveLength(MAX_DRAWN);
    const tops = drawing.rows.map(({ from }) => from.y);
    tops.slice(1).forEach((top, index) => expect(top - (tops[index] ?? 0)).toBeGreaterThan(NODE.height));
    expect(drawing.height).toBe((tops.at(-1) ?? 0) + NODE.height);
    expect(drawingOf([])).toMatchObject({ height: NODE.height, rows: [] });
    expect(lineOf({ x: 0, y: 0 }, { x: 200, y: 100 })).toBe('M150 26C175 26 175 126 200 126');
  });
});
