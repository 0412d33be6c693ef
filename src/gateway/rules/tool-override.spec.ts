import fc from 'fast-check';
import { argumentFaults, givenFixed, missingArguments, withoutArguments } from './fixed-arguments';
import { overrideFaults, requestedOverride } from '../administration/requested-override';
import { NO_OVERRIDE, overridden, STRICTER_HINTS } from './tool-override';

const TOOL = {
  name: 'read',
  description: 'Reads.',
  annotations: { readOnlyHint: true, destructiveHint: false, title: 'Read' },
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string' },
      depth: { type: ['integer', 'null'] },
      mode: { enum: ['a', 'b'] },
      any: true,
    },
    required: ['path', 'mode'],
  },
};

describe('An override', () => {
  it('changes nothing where it says nothing', () => {
    expect(overridden('tool', TOOL, NO_OVERRIDE)).toEqual(TOOL);
  });

  it('replaces title and description, also where older clients look for the title', () => {
    expect(overridden('tool', TOOL, { ...NO_OVERRIDE, title: 'T', description: 'D' })).toMatchObject({
      title: 'T',
      description: 'D',
      annotations: { readOnlyHint: true, title: 'T' },
    });
    const prompt = overridden('prompt', { name: 'p', annotations: 1 }, { ...NO_OVERRIDE, title: 'T' });
    expect(prompt).toEqual({ name: 'p', annotations: 1, title: 'T' });
  });

  it('never makes a hint less strict, whatever is requested', () => {
    const hints = Object.keys(STRICTER_HINTS) as (keyof typeof STRICTER_HINTS)[];
    const wish = fc.record(
      Object.fromEntries(hints.map((hint) => [hint, fc.constantFrom(true, false, null, undefined)])),
    );
    fc.assert(
      fc.property(wish, (annotations) => {
        const faults = overrideFaults('tool', { annotations }, TOOL, 48);
        const wrong = hints.filter((hint) => annotations[hint] != null && annotations[hint] !== STRICTER_HINTS[hint]);
        expect(faults.map(({ loc }) => loc.at(-1))).toEqual(wrong);
        if (wrong.length > 0) return;
        const shown = overridden('tool', TOOL, requestedOverride(NO_OVERRIDE, { annotations })).annotations;
        for (const hint of hints)
          expect((shown as Record<string, unknown>)[hint]).toBe(
            annotations[hint] == null ? (TOOL.annotations as Record<string, unknown>)[hint] : STRICTER_HINTS[hint],
          );
      }),
    );
  });

  it('keeps what a request leaves out, and drops what it sets to null', () => {
    const full = requestedOverride(NO_OVERRIDE, {
      name: 'n',
      title: 't',
      fixed_arguments: { path: 'x' },
      is_enabled: false,
    });
    expect(requestedOverride(full, {})).toEqual(full);
    expect(requestedOverride(full, { name: null, title: null, fixed_arguments: null, is_enabled: true })).toEqual(
      NO_OVERRIDE,
    );
    expect(requestedOverride(full, { fixed_arguments: {}, annotations: {} })).toMatchObject({
      fixedArguments: null,
      annotations: null,
    });
  });

  it('has a name only for what has one, and arguments only for tools', () => {
    const loc = (kind: 'prompt' | 'template', body: object) => overrideFaults(kind, body, {}, 48).map((one) => one.loc);
    expect(loc('template', { name: 'x' })).toEqual([['body', 'name']]);
    expect(loc('prompt', { fixed_arguments: { a: 1 }, annotations: {} })).toEqual([
      ['body', 'annotations'],
      ['body', 'fixed_arguments'],
    ]);
    expect(loc('prompt', { name: 'x', title: 'y' })).toEqual([]);
  });
});

describe('Fixed arguments', () => {
  it('are not in the schema that clients get', () => {
    expect(withoutArguments(TOOL.inputSchema, ['path'])).toEqual({
      type: 'object',
      properties: { depth: { type: ['integer', 'null'] }, mode: { enum: ['a', 'b'] }, any: true },
      required: ['mode'],
    });
    expect(withoutArguments(TOOL.inputSchema, ['path', 'mode'])).not.toHaveProperty('required');
  });

  it.each([
    [{ path: 'x', depth: null, mode: 'b', any: { a: [1] } }, []],
    [{ path: 1 }, ['path']],
    [{ depth: 1.5, mode: 'c' }, ['depth', 'mode']],
    [{ other: 1, toString: 1 }, ['other', 'toString']],
  ])('%j fit the schema but for %j', (fixed, faults) => {
    expect(argumentFaults(TOOL.inputSchema, fixed).map(({ name }) => name)).toEqual(faults);
  });

  it('are missing from a schema that has them no more, and found in what a caller sends', () => {
    expect(missingArguments({ type: 'object' }, { path: 1 })).toEqual(['path']);
    expect(givenFixed({ depth: 1 }, { path: 1 })).toBeUndefined();
    expect(givenFixed({ path: undefined }, { path: 1 })).toBe('path');
  });
});
