import fc from 'fast-check';
import { annotationOf, parametersOf, typeOf } from './tool-parameters';

describe('The parameters of a tool', () => {
  it('come from its input schema, the required ones first', () => {
    const inputSchema = {
      type: 'object',
      properties: { days: { type: 'integer' }, city: { type: 'string', description: 'Where' }, odd: true },
      required: ['city', 7],
    };
    expect(parametersOf({ inputSchema })).toEqual([
      { name: 'city', type: 'string', description: 'Where', isRequired: true },
      { name: 'days', type: 'integer', description: undefined, isRequired: false },
      { name: 'odd', type: 'any', description: undefined, isRequired: false },
    ]);
  });

  it('come from the arguments of a prompt, of which those without a name are left out', () => {
    expect(parametersOf({ arguments: [{ name: 'topic', required: true }, { description: 'x' }, 7] })).toEqual([
      { name: 'topic', type: 'string', description: undefined, isRequired: true },
    ]);
  });

  it.each([{}, { inputSchema: null }, { inputSchema: { properties: [] } }, { arguments: 'x' }])(
    'are none where a server sends something else: %j',
    (definition) => {
      expect(parametersOf(definition)).toEqual([]);
    },
  );

  it('are found in whatever a server sends', () => {
    const odd = fc.record({ inputSchema: fc.anything(), arguments: fc.anything() });
    fc.assert(fc.property(odd, (definition) => expect(() => parametersOf(definition)).not.toThrow()));
  });

  it.each([
    [{ type: 'array', items: { type: 'number' } }, 'number[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
    [{ type: 'array' }, 'array'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ type: 'string' }, { $ref: '#/x' }, { type: 'string' }] }, 'string | any'],
    [{}, 'any'],
  ])('have types in a few words: %j', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('have hints only where they are true or false', () => {
    expect(annotationOf({ annotations: { readOnlyHint: true } }, 'readOnlyHint')).toBe(true);
    expect(annotationOf({ annotations: { readOnlyHint: 'yes' } }, 'readOnlyHint')).toBeUndefined();
    expect(annotationOf({}, 'readOnlyHint')).toBeUndefined();
  });
});
