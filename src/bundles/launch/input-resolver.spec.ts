import fc from 'fast-check';
import { readConfig } from '../entries/entry-config';
import { InputResolver } from './input-resolver';
import { readServerParts, type ServerInput } from './server-parts';
import type { Question, Template } from './template';

const inputOf = (header: object): ServerInput => {
  const remotes = [{ type: 'sse', url: 'https://a.example', headers: [{ name: 'X', ...header }] }];
  return readServerParts({ remotes }).remotes[0]?.headers[0] as ServerInput;
};

/** Questions as `?NAME`, secret ones as `!NAME`; undefined if the input is omitted. */
function resolve(
  header: object,
  config: { value?: string; variables?: object } = {},
  undeclared: 'kept' | 'asked' = 'asked',
) {
  const resolver = new InputResolver(readConfig({ variables: config.variables ?? {} }), true);
  const template = resolver.resolve(inputOf(header), config.value, undeclared);
  return { text: template && textOf(template), ignored: resolver.ignored };
}

const textOf = (template: Template): string =>
  template.map((part) => (typeof part === 'string' ? part : `${part.isSecret ? '!' : '?'}${part.name}`)).join('');
const text = (...given: Parameters<typeof resolve>) => resolve(...given).text;

describe('An input of a server', () => {
  it('takes the bundle’s value, then the document’s value, then its default, or is asked for if required', () => {
    expect(text({ value: 'a', default: 'b' }, { value: 'ours' })).toBe('ours');
    expect(text({ value: 'a', default: 'b' })).toBe('a');
    expect(text({ default: 'b', isRequired: true })).toBe('b');
    expect(text({ isRequired: true })).toBe('?X');
    expect(text({})).toBeUndefined();
  });

  it('is asked for if it is secret, whatever values are set', () => {
    for (const field of [{}, { value: 'sk-1' }, { default: 'sk-1' }, { isRequired: true }]) {
      expect(resolve({ ...field, isSecret: true })).toEqual({ text: '!X', ignored: [] });
      expect(resolve({ ...field, isSecret: true }, { value: 'sk-2' })).toEqual({ text: '!X', ignored: ['X'] });
    }
  });

  it('contains the values of its variables', () => {
    const variables = {
      a: { value: '1' },
      b: { default: '2' },
      c: { isRequired: true },
      d: { isSecret: true, value: 'sk' },
    };
    expect(text({ value: '{a}-{b}-{c}-{d}', variables })).toBe('1-2-?c-!d');
    const config = { variables: { a: 'A', b: 'B', c: 'C', d: 'sk-2' } };
    expect(resolve({ value: '{a}-{b}-{c}-{d}', variables }, config)).toEqual({ text: 'A-B-C-!d', ignored: ['d'] });
    expect(text({ value: 'Bearer {key}', isSecret: true, variables: { key: { isSecret: true } } })).toBe('Bearer !key');
  });

  it('asks only for its secret variable if the bundle sets the whole', () => {
    const variables = { key: { isSecret: true, isRequired: true } };
    expect(resolve({ value: 'Bearer {key}', variables }, { value: 'Bearer sk' })).toEqual({
      text: 'Bearer !key',
      ignored: ['X'],
    });
  });

  it('asks for all variables in a secret value, unless the document marks the secret ones', () => {
    const open = { isSecret: true, value: '{a} {b}' };
    const config = { variables: { a: 'A', b: 'sk' } };
    expect(text({ ...open, variables: { a: { default: 'x' }, b: { value: 'y' } } }, config)).toBe('!a !b');
    expect(text({ ...open, variables: { a: { default: 'x' }, b: { isSecret: true } } }, config)).toBe('A !b');
  });

  it('is omitted if one of its variables and the input itself are optional', () => {
    expect(text({ value: 'x{a}', variables: { a: {} } })).toBeUndefined();
    expect(text({ value: 'x{a}', isRequired: true, variables: { a: {} } })).toBe('x?a');
    expect(text({ value: 'x{a}', variables: { a: { isRequired: true } } })).toBe('x?a');
  });

  it('treats undeclared variables as secret, and other braces as plain text', () => {
    expect(text({ value: 'Bearer {api_key}' })).toBe('Bearer !api_key');
    expect(text({ value: 'Bearer {api_key}' }, { variables: { api_key: 'public' } })).toBe('Bearer public');
    expect(resolve({ value: 'Bearer {k}', isSecret: true }, { variables: { k: 'sk' } })).toEqual({
      text: 'Bearer !k',
      ignored: ['k'],
    });
    expect(text({ value: '{"a": {b}}' }, {}, 'kept')).toBe('{"a": {b}}');
    expect(text({ value: '{} { a }' })).toBe('{} { a }');
  });

  it('describes what a person needs to know to answer', () => {
    const input = inputOf({
      value: '{level}',
      description: 'Of the log.',
      variables: { level: { choices: ['a', 'b'], isRequired: true } },
    });
    const [question] = new InputResolver(readConfig({}), true).resolve(input, undefined, 'asked') ?? [];
    expect(question).toEqual({
      name: 'level',
      description: 'Of the log.',
      isSecret: false,
      isRequired: true,
      choices: ['a', 'b'],
    } satisfies Question);
  });

  it('never contains a secret value', () => {
    const flag = fc.boolean();
    const maybe = fc.option(fc.constantFrom('SECRET', 'SECRET-{a}', '{b}'), { nil: undefined });
    const variable = fc.record({ isSecret: flag, isRequired: flag, value: maybe, default: maybe });
    const input = fc.record({
      isSecret: flag,
      isRequired: flag,
      value: fc.option(fc.constantFrom('{a}{b}', 'x{a}', '{b}', 'SECRET'), { nil: undefined }),
      default: maybe,
      variables: fc.record({ a: variable, b: variable }, { requiredKeys: [] }),
    });
    fc.assert(
      fc.property(
        input,
        fc.option(fc.constant('SECRET'), { nil: undefined }),
        fc.constantFrom('kept', 'asked'),
        (header, value, undeclared) => {
          fc.pre(header.isSecret || value === undefined);
          // Non-secret values can be shown, so no input here has one.
          const plain = Object.values(header.variables).some((one) => !one?.isSecret && (one?.value ?? one?.default));
          fc.pre(!plain && (header.isSecret || (header.value !== 'SECRET' && header.default === undefined)));
          expect(text(header, { value }, undeclared as 'kept') ?? '').not.toContain('SECRET');
        },
      ),
    );
  });
});
