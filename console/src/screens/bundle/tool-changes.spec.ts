import { changedTools } from './tool-changes';

const said = {
  ...{ is_enabled: true, name: null, title: null, description: null, annotations: null },
  ...{ fixed_arguments: null, approved_digests: [] },
};

describe('Tools whose rules differ between two versions', () => {
  it('are none where the API says nothing, or nothing that is known', () => {
    expect(changedTools({ tools: null })).toEqual([]);
    expect(changedTools({ tools: { tools: 'many' } })).toEqual([]);
  });

  it('have their names, and each rule that differs', () => {
    const tool = { entry_id: 'e', kind: 'tool', upstream_name: 'search' };
    const after = { ...said, is_enabled: false, name: 'find', fixed_arguments: { limit: 3 } };
    expect(changedTools({ tools: { tool_count: 1, tools: [{ ...tool, before: said, after }] } })).toEqual([
      {
        key: '["e","tool","search"]',
        name: 'search',
        differences: [
          { field: 'is_enabled', before: 'true', after: 'false' },
          { field: 'name', before: null, after: 'find' },
          { field: 'fixed_arguments', before: null, after: '{"limit":3}' },
        ],
      },
    ]);
  });

  it('are on in a version that says nothing of them', () => {
    const tool = { entry_id: 'e', kind: 'tool', upstream_name: 'search', before: null };
    const [changed] = changedTools({ tools: { tools: [{ ...tool, after: { ...said, approved_digests: ['ab'] } }] } });
    expect(changed?.differences).toEqual([{ field: 'approved_digests', before: null, after: '["ab"]' }]);
  });
});
