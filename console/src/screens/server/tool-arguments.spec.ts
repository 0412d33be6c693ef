import fc from 'fast-check';
import { argumentsOf } from './tool-arguments';

describe('The arguments of a tool', () => {
  it('are those of its schema, the required ones first', () => {
    const inputSchema = {
      properties: {
        units: { enum: ['C', 'F'] },
        city: { type: 'string', description: 'Where' },
        days: { type: ['integer', 'null'] },
        any: true,
      },
      required: ['city', 7],
    };
    expect(argumentsOf({ inputSchema })).toEqual([
      { name: 'city', type: 'string', description: 'Where', isRequired: true },
      { name: 'units', type: '"C" | "F"', description: undefined, isRequired: false },
      { name: 'days', type: 'integer | null', description: undefined, isRequired: false },
      { name: 'any', type: undefined, description: undefined, isRequired: false },
    ]);
  });

  it('are those that a prompt lists', () => {
    expect(argumentsOf({ arguments: [{ name: 'topic', required: true }, 3, {}] })).toEqual([
      { name: 'topic', type: undefined, description: undefined, isRequired: true },
    ]);
  });

  it('are none of what is no definition', () => {
    const odd = fc.record({ inputSchema: fc.anything(), arguments: fc.anything() });
    fc.assert(fc.property(fc.oneof(fc.anything(), odd), (value) => expect(() => argumentsOf(value)).not.toThrow()));
  });
});
