import fc from 'fast-check';
import { ADA, BARE, failureOf, patched } from '../../../../test/support/scim-user';
import { fitting, fittingPart, operation, spellings } from '../../../../test/support/random-scim-patches';
import { readUser } from '../users/user-reader';
import { userResource } from '../stored/to-scim';
import type { ComplexValue, UserDocument } from '../schema/user-document';
import { USER_TYPE } from '../schema/user-schema';
import { ENTERPRISE_URN } from '../urns';
import { ScimError } from '../scim-error';
import { type GroupStep, planGroupPatch } from './group-patch';
import { cases } from '../../../../test/support/random-cases';

const RUNS = { numRuns: cases(500) };

const operations = fc.array(operation, { minLength: 1, maxLength: 6 });
const document = operations.map((history) => carriedOut(BARE, history) ?? ADA);

/** @returns undefined if it is rejected */
function carriedOut(before: UserDocument, all: unknown): UserDocument | undefined {
  try {
    return patched(before, all);
  } catch (error) {
    if (error instanceof ScimError) return undefined;
    throw error;
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

function listsOf(user: UserDocument): ComplexValue[][] {
  return Object.values(user.attributes).filter((value): value is ComplexValue[] => Array.isArray(value));
}

/** The whole user except for one attribute, wherever it is. */
function others({ attributes, ...columns }: UserDocument, name: string): unknown {
  const { [ENTERPRISE_URN]: extension, ...core } = attributes;
  const all = [{ ...columns }, core, (extension ?? {}) as object];
  return all.map((object) =>
    Object.entries(object)
      .filter(([key]) => key !== name)
      .sort(),
  );
}

describe('any PATCH of a user', () => {
  it('does not modify the original user', () => {
    fc.assert(
      fc.property(document, operations, (before, all) => {
        // Writing to a frozen object would throw.
        carriedOut(frozen(structuredClone(before)), frozen(all));
      }),
      RUNS,
    );
  });

  it('gives a user that can be read and sent back unchanged', () => {
    fc.assert(
      fc.property(document, operations, (before, all) => {
        const after = carriedOut(before, all);
        fc.pre(after !== undefined);
        const ignored = new Set<string>();
        const stored = { ...after, id: 'u', userId: 'a', version: 1, createdAt: new Date(0), updatedAt: new Date(0) };
        const sent: unknown = JSON.parse(JSON.stringify(userResource(stored, [], 'https://x')));
        expect(readUser(sent, ignored)).toEqual(after);
        expect([...ignored]).toEqual([]);
        // Another PATCH finds the same result.
        expect(patched(after, [{ op: 'add', value: {} }])).toEqual(after);
      }),
      RUNS,
    );
  });

  it('leaves at most one primary value in a list, and no empty values', () => {
    fc.assert(
      fc.property(document, operations, (before, all) => {
        const after = carriedOut(before, all);
        for (const list of listsOf(after ?? before)) {
          expect(list.filter(({ primary }) => primary === true).length).toBeLessThanOrEqual(1);
          expect(list.length).toBeGreaterThan(0);
          for (const value of list) {
            expect(Object.keys(value).some((name) => name !== 'type' && name !== 'primary')).toBe(true);
          }
        }
      }),
      RUNS,
    );
  });

  it('gives the same as its operations one by one', () => {
    // Sub-attributes together can make a value that none of them makes alone.
    const whole = fc.record({ op: fc.constantFrom('add', 'replace'), part: fitting });
    fc.assert(
      fc.property(document, fc.array(whole, { minLength: 2, maxLength: 6 }), (before, parts) => {
        const all = parts.map(({ op, part }) => ({ op, ...part }));
        let after: UserDocument | undefined = before;
        for (const one of all) after = after && carriedOut(after, [one]);
        expect(carriedOut(before, all)).toEqual(after);
      }),
      RUNS,
    );
  });
});

describe('a PATCH of one attribute of a user', () => {
  const either = fc.oneof(fitting, fittingPart);

  it('gives the same for every spelling of its path', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('add', 'replace', 'remove'), either, (before, op, { path, value }) => {
        const whole = op === 'remove' ? {} : { value };
        const results = spellings(path).map((spelling) => carriedOut(before, [{ op, path: spelling, ...whole }]));
        for (const result of results) expect(result).toEqual(results[0]);
      }),
      RUNS,
    );
  });

  it('gives the same with its path as a name in the value', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('add', 'replace'), either, (before, op, { path, value }) => {
        expect(carriedOut(before, [{ op, value: { [path]: value } }])).toEqual(
          carriedOut(before, [{ op, path, value }]),
        );
      }),
      RUNS,
    );
  });

  it('changes nothing more when repeated', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('add', 'replace', 'remove'), either, (before, op, { path, value }) => {
        // An operation that changes what its filter matches does not match it again.
        fc.pre(!path.endsWith('.type'));
        const once = carriedOut(before, [{ op, path, value }]);
        fc.pre(once !== undefined);
        expect(carriedOut(once, [{ op, path, value }])).toEqual(once);
      }),
      RUNS,
    );
  });

  it('leaves all other attributes unchanged', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('add', 'replace'), fitting, (before, op, { path, value }) => {
        const after = carriedOut(before, [{ op, path, value }]);
        fc.pre(after !== undefined);
        expect(others(after, path)).toEqual(others(before, path));
      }),
      RUNS,
    );
  });

  it('gives the same for any order of the names in a value', () => {
    const few = fc.uniqueArray(fitting, { minLength: 2, maxLength: 4, selector: ({ path }) => path });
    fc.assert(
      fc.property(document, fc.constantFrom('add', 'replace'), few, (before, op, parts) => {
        const value = (list: typeof parts) => Object.fromEntries(list.map((one) => [one.path, one.value]));
        expect(carriedOut(before, [{ op, value: value(parts) }])).toEqual(
          carriedOut(before, [{ op, value: value(parts.toReversed()) }]),
        );
      }),
      RUNS,
    );
  });
});

describe('a PATCH of a value that a filter selects', () => {
  const list = (attribute: string, user: UserDocument) => (user.attributes[attribute] ?? []) as ComplexValue[];
  const attributes = fc.constantFrom('emails', 'phoneNumbers', 'ims', 'roles');
  const kinds = fc.uniqueArray(fc.constantFrom('work', 'home', 'other'), { minLength: 1 });
  const stored = fc.record({
    value: fc.constantFrom('a', 'b'),
    display: fc.option(fc.constantFrom('A', 'B'), { nil: undefined }),
  });
  const sent = fc.record(
    { value: fc.constantFrom('c', 'd'), display: fc.constantFrom('C', 'D'), primary: fc.boolean() },
    { requiredKeys: [] },
  );

  it('keeps what it does not name, and moves primary only if it says so', () => {
    fc.assert(
      fc.property(
        attributes,
        kinds.chain((types) => fc.record({ types: fc.constant(types), parts: fc.tuple(...types.map(() => stored)) })),
        fc.nat(2),
        fc.nat(2),
        fc.constantFrom('add', 'replace'),
        sent,
        (attribute, { types, parts }, primary, chosen, op, value) => {
          fc.pre(chosen < types.length);
          const values = types.map((type, index) => ({
            ...parts[index],
            type,
            ...(index === primary && { primary: true }),
          }));
          const before = patched(BARE, [
            { op: 'replace', path: attribute, value: JSON.parse(JSON.stringify(values)) as unknown },
          ]);
          const after = patched(before, [{ op, path: `${attribute}[type eq "${types[chosen]}"]`, value }]);
          const expected = list(attribute, before).map((one, index) => {
            if (index === chosen) return { ...one, ...value };
            return value.primary === true && one.primary === true ? { ...one, primary: false } : one;
          });
          expect(list(attribute, after)).toEqual(expected);
        },
      ),
      RUNS,
    );
  });
});

describe('a PATCH with a filter that matches no value', () => {
  const plurals = USER_TYPE.schema.attributes.filter(
    ({ multiValued, mutability }) => multiValued && mutability === 'readWrite',
  );
  const named = fc.constantFrom(...plurals).chain((attribute) => {
    const subs = (attribute.subAttributes ?? []).filter(({ type }) => type === 'string').map(({ name }) => name);
    return fc.record({
      attribute: fc.constant(attribute.name),
      // No value in any document equals this.
      tests: fc
        .array(fc.constantFrom('type eq "work"', 'primary eq true', ...subs.map((sub) => `${sub} eq "nowhere"`)), {
          minLength: 1,
          maxLength: 3,
        })
        .filter((tests) => tests.some((test) => test.includes('nowhere'))),
      sub: fc.constantFrom(...subs),
    });
  });

  it('creates a value only if the filter names nothing but type and primary', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('add', 'replace'), named, (before, op, { attribute, tests, sub }) => {
        const isKind = tests.every((test) => !test.includes('nowhere') || test.startsWith('type'));
        const path = `${attribute}[${tests.join(' and ')}].${sub}`;
        const work = () => patched(before, [{ op, path, value: 'x' }]);
        fc.pre(!(isKind && new Set(tests.filter((test) => test.startsWith('type'))).size > 1));
        if (isKind) expect(failureOf(work)).toBe(sub === 'type' ? 'noTarget' : undefined);
        else expect(failureOf(work)).toBe('noTarget');
      }),
      RUNS,
    );
  });
});

describe('any PATCH of the members of a group', () => {
  const ids = fc.subarray(['a', 'b', 'c', 'd']);
  const memberOperation = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace'), path: fc.constant('members'), value: ids }),
    fc.record({ op: fc.constant('remove'), path: fc.constant('members'), value: fc.option(ids) }),
    fc.constantFrom('a', 'b', 'c').map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` })),
    fc.constantFrom('a', 'b', 'c').map((id) => ({ op: 'remove', path: `members[display eq "${id}"]` })),
  );
  type MemberOperation = { op: string; path: string; value?: string[] | null };

  const without = (members: Set<string>, ids: readonly string[]) =>
    new Set([...members].filter((id) => !ids.includes(id)));

  /** Members are called by their ids here. */
  function plainly(members: Set<string>, { op, path, value }: MemberOperation): Set<string> {
    const named = /"(.)"/.exec(path)?.[1];
    if (op === 'replace') return new Set(value);
    if (op === 'add') return new Set([...members, ...(value ?? [])]);
    if (named === undefined && !value) return new Set();
    return without(members, named === undefined ? (value ?? []) : [named]);
  }

  function step(members: Set<string>, one: GroupStep): Set<string> {
    switch (one.kind) {
      case 'add':
        return new Set([...members, ...one.members]);
      case 'remove':
        return without(members, one.members);
      case 'replace':
        return new Set(one.members);
      case 'removeMatching':
        return without(members, one.filter.kind === 'compare' ? [String(one.filter.value)] : []);
      case 'set':
        return members;
    }
  }

  it('gives the same as its operations one by one, in few steps', () => {
    fc.assert(
      fc.property(ids, fc.array(memberOperation, { minLength: 1, maxLength: 8 }), (before, all) => {
        const steps = planGroupPatch({ Operations: all }, new Set());
        const expected = (all as MemberOperation[]).reduce(plainly, new Set(before));
        expect([...steps.reduce(step, new Set(before))].sort()).toEqual([...expected].sort());
        const filters = steps.filter(({ kind }) => kind === 'removeMatching').length;
        expect(steps.length).toBeLessThanOrEqual(2 + 3 * filters);
      }),
      RUNS,
    );
  });
});
