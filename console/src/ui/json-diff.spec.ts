import fc from 'fast-check';
import { differences } from './json-diff';

describe('The differences between two documents', () => {
  it('say where something was added, removed and changed', () => {
    const before = { version: '1.0.0', title: 'Weather', a: { b: [1, 2] } };
    const after = { version: '1.1.0', a: { b: [1, 3], c: null }, 'x y': 1 };
    expect(differences(before, after)).toEqual([
      { path: 'version', kind: 'changed', before: '"1.0.0"', after: '"1.1.0"' },
      { path: 'a.b[1]', kind: 'changed', before: '2', after: '3' },
      { path: 'a.c', kind: 'added', before: undefined, after: 'null' },
      { path: '["x y"]', kind: 'added', before: undefined, after: '1' },
      { path: 'title', kind: 'removed', before: '"Weather"', after: undefined },
    ]);
  });

  it('compare items of lists with those of the same name, wherever they are', () => {
    const variable = (name: string, more = {}) => ({ name, ...more });
    const before = { env: [variable('KEY'), variable('REGION')] };
    const after = { env: [variable('LEVEL'), variable('KEY', { isSecret: true }), variable('REGION')] };
    expect(differences(before, after)).toEqual([
      { path: 'env[0]', kind: 'added', before: undefined, after: '{\n  "name": "LEVEL"\n}' },
      { path: 'env[1].isSecret', kind: 'added', before: undefined, after: 'true' },
    ]);
    expect(differences(after, before).map(({ path, kind }) => [path, kind])).toEqual([
      ['env[0].isSecret', 'removed'],
      ['env[0]', 'removed'],
    ]);
  });

  it('compare what has another name at the same place if it is of the same type', () => {
    const image = (identifier: string) => ({ registryType: 'oci', identifier });
    expect(differences([image('x:1')], [image('x:2')]).map(({ path }) => path)).toEqual(['[0].identifier']);
    const other = { registryType: 'npm', identifier: 'x' };
    expect(differences([image('x:1')], [other]).map(({ kind }) => kind)).toEqual(['added', 'removed']);
  });

  it('say when the order of a list changed', () => {
    const [first, second] = [{ value: 'serve' }, { value: '--all' }];
    expect(differences({ args: [first, second] }, { args: [second, first] })).toMatchObject([
      { path: 'args', kind: 'changed' },
    ]);
  });

  it('say nothing about the order of fields', () => {
    expect(differences({ a: 1, b: 2 }, { b: 2, a: 1 })).toEqual([]);
  });

  it('are none of a document and itself, and are the same backwards', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(value, value, (before, after) => {
        expect(differences(before, structuredClone(before))).toEqual([]);
        const forth = differences(before, after);
        const back = differences(after, before);
        expect(back).toHaveLength(forth.length);
        const turned = { added: 'removed', removed: 'added', changed: 'changed' };
        expect(back.map(({ kind }) => kind).sort()).toEqual(forth.map(({ kind }) => turned[kind]).sort());
      }),
    );
  });

  it('take no depth and no list too long to compare', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 60; level++) deep = { deep };
    expect(differences(deep, { deep: 2 })).toHaveLength(1);
    const long = Array.from({ length: 20_000 }, (_, index) => ({ name: `n${index}` }));
    const start = performance.now();
    expect(differences(long, [{ name: 'first' }, ...long])).not.toEqual([]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
