import fc from 'fast-check';
import { compareDefinitions } from './definition-comparison';

const before = {
  name: 'read',
  description: 'Reads a file.',
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', maxLength: 10 },
      depth: { type: 'integer' },
      filter: { type: 'object', properties: { a: {} } },
    },
    required: ['path'],
  },
  annotations: { readOnlyHint: true },
};

describe('compareDefinitions', () => {
  it('finds what differs, by what it is', () => {
    const after = {
      ...before,
      description: 'Reads a file or a folder.',
      inputSchema: {
        type: 'object',
        properties: {
          path: { type: ['string', 'null'], maxLength: 20 },
          filter: { type: 'object', properties: { a: {}, b: {} } },
        },
        required: ['path', 'filter'],
      },
      annotations: { readOnlyHint: false },
    };
    const found = compareDefinitions(before, after);
    expect(found.texts).toEqual([{ name: 'description', before: 'Reads a file.', after: 'Reads a file or a folder.' }]);
    expect(found.properties.map(({ path, kind, differs }) => [path, kind, differs])).toEqual([
      ['path', 'changed', ['type', 'other']],
      ['filter', 'changed', ['required']],
      ['filter.b', 'added', []],
      ['depth', 'removed', []],
    ]);
    expect(found.rest.map(({ path }) => path)).toEqual(['annotations.readOnlyHint']);
  });

  it('finds no difference in the same, and one in everything else', () => {
    const schema = fc.letrec((tie) => ({
      schema: fc.record(
        {
          type: fc.constantFrom('string', 'object', 'array'),
          description: fc.string({ maxLength: 3 }),
          properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), {
            maxKeys: 3,
            noNullPrototype: true,
          }),
          required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
          items: tie('schema'),
          minItems: fc.nat(2),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    })).schema;
    fc.assert(
      fc.property(schema, schema, (one, other) => {
        const [first, second] = [{ inputSchema: one }, { inputSchema: other }];
        const { texts, properties, rest } = compareDefinitions(first, second);
        const count = texts.length + properties.length + rest.length;
        expect(count === 0).toBe(canonical(one) === canonical(other));
      }),
    );
  });
});

/** The order of names says nothing, and an empty list of required names is none. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'required') {
      const names = inner as string[];
      return names.length === 0 ? undefined : names.toSorted();
    }
    if (key === 'description' && inner === '') return undefined;
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
