import fc from 'fast-check';
import { readConfig } from '../entries/entry-config';
import { InputResolver } from './input-resolver';
import { readServerParts, type ServerInput } from './server-parts';
import type { Question, Template } from './template';

const inputOf = (header: object): ServerInput => {
  const remotes = [{ type: 'sse', url: 'https://a.example', headers: [{ name: 'X', ...header }] }];
  return readServerParts({ remotes }).remotes[0]?.headers[0] as ServerInput;
};

/** Questions as `?NAME`, secret ones as `!NAME`; undefined for what is left out. */
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

describe('The value of an input', () => {
  it('is what the bundle says, else the value, else the default, else asked for if the server needs it', () => {
    expect(text({ value: 'a', default: 'b' }, { value: 'ours' })).toBe('ours');
    expect(text({ value: 'a', default: 'b' })).toBe('a');
    expect(text({ default: 'b', isRequired: true })).toBe('b');
    expect(text({ isRequired: true })).toBe('?X');
    expect(text({})).toBeUndefined();
  });

  it('is asked for if it is secret, whatever anybody wrote down', () => {
    for (const field of [{}, { value: 'sk-1' }, { default: 'sk-1' }, { isRequired: true }]) {
      expect(resolve({ ...field, isSecret: true })).toEqual({ text: '!X', ignored: [] });
      expect(resolve({ ...field, isSecret: true }, { value: 'sk-2' })).toEqual({ text: '!X', ignored: ['X'] });
    }
  });

  it('has the values of its variables in it', () => {
    const variables = {
      a: { value: '1' },
      b: { default: '2' },
      c: { isRequired: true },
      d: { isSecret: true, value: 'sk' },
    };
    expect(text({ value: '{a}-{b}-{c}-{d}', variables })).toBe('1-2-?c-!d');
    const given = { variables: { a: 'A', b: 'B', c: 'C', d: 'sk-2' } };
    expect(resolve({ value: '{a}-{b}-{c}-{d}', variables }, given)).toEqual({ text: 'A-B-C-!d', ignored: ['d'] });
    expect(text({ value: 'Bearer {key}', isSecret: true, variables: { key: { isSecret: true } } })).toBe('Bearer !key');
  });

  it('is asked for in its secret part when the bundle gives the whole', () => {
    const variables = { key: { isSecret: true, isRequired: true } };
    expect(resolve({ value: 'Bearer {key}', variables }, { value: 'Bearer sk' })).toEqual({
      text: 'Bearer !key',
      ignored: ['X'],
    });
  });

  it('is asked for in all that is open in a secret, unless the document tells it apart', () => {
    const open = { isSecret: true, value: '{a} {b}' };
    const given = { variables: { a: 'A', b: 'sk' } };
    expect(text({ ...open, variables: { a: { default: 'x' }, b: { value: 'y' } } }, given)).toBe('!a !b');
    expect(text({ ...open, variables: { a: { default: 'x' }, b: { isSecret: true } } }, given)).toBe('A !b');
  });

  it('is left out when a variable in it may stay open and the whole may be left out', () => {
    expect(text({ value: 'x{a}', variables: { a: {} } })).toBeUndefined();
    expect(text({ value: 'x{a}', isRequired: true, variables: { a: {} } })).toBe('x?a');
    expect(text({ value: 'x{a}', variables: { a: { isRequired: true } } })).toBe('x?a');
  });

  it('takes braces that nobody explains for a secret, or for themselves where they are part of a text', () => {
    expect(text({ value: 'Bearer {api_key}' })).toBe('Bearer !api_key');
    expect(text({ value: 'Bearer {api_key}' }, { variables: { api_key: 'public' } })).toBe('Bearer public');
    expect(resolve({ value: 'Bearer {k}', isSecret: true }, { variables: { k: 'sk' } })).toEqual({
      text: 'Bearer !k',
      ignored: ['k'],
    });
    expect(text({ value: '{"a": {b}}' }, {}, 'kept')).toBe('{"a": {b}}');
    expect(text({ value: '{} { a }' })).toBe('{} { a }');
  });

  it('says of a question what a person needs to answer it', () => {
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

  it('never holds the value of anything that is secret', () => {
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
          // What is not secret itself may well be shown; so nothing here has a value that is not.
          const plain = Object.values(header.variables).some((one) => !one?.isSecret && (one?.value ?? one?.default));
          fc.pre(!plain && (header.isSecret || (header.value !== 'SECRET' && header.default === undefined)));
          expect(text(header, { value }, undeclared as 'kept') ?? '').not.toContain('SECRET');
        },
      ),
    );
  });
});
