import fc from 'fast-check';
import { entryAlias, exposedName, MAX_ALIAS_LENGTH, NAME_BUDGET } from './exposed-name';

const ENTRY = '019a9f64-59cb-7615-8c3e-20b6d1f79ea8';
const budgets = fc.integer({ min: NAME_BUDGET.least, max: NAME_BUDGET.most });
const keys = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,63}$/);
const names = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), fc.stringMatching(/^[A-Za-z0-9_./-]{1,80}$/));

describe('The name of a tool in a bundle', () => {
  it.each([
    ['github', 'create_issue', 'github__create_issue'],
    ['a-b', 'get-file', 'a-b__get-file'],
  ])('of %s and %s is %s', (alias, name, expected) => {
    expect(exposedName(ENTRY, alias, name, 48)).toBe(expected);
  });

  it('has a digest where characters were replaced or cut', () => {
    expect(exposedName(ENTRY, 'files', 'read.file', 48)).toMatch(/^files__read_file_[a-z2-7]{7}$/);
    const long = exposedName(ENTRY, 'files', 'x'.repeat(100), 24);
    expect(long).toMatch(/^files__x{9}_[a-z2-7]{7}$/);
    expect(long).toHaveLength(24);
    expect(exposedName(ENTRY, 'files', '', 24)).toMatch(/^files___[a-z2-7]{7}$/);
  });

  it('matches what every client accepts, and differs for every tool of a bundle', () => {
    const entries = fc.uniqueArray(fc.tuple(fc.uuid(), fc.uniqueArray(names, { maxLength: 20 })), {
      selector: ([id]) => id,
      maxLength: 6,
    });
    fc.assert(
      fc.property(entries, fc.array(keys, { minLength: 6, maxLength: 6 }), budgets, (bundle, wanted, budget) => {
        const taken = new Set<string>();
        const exposed = bundle.flatMap(([id, tools], index) => {
          const alias = entryAlias(wanted[index] ?? 'server', taken);
          taken.add(alias);
          return tools.map((name) => exposedName(id, alias, name, budget));
        });
        for (const name of exposed) expect(name).toMatch(new RegExp(`^[A-Za-z0-9_-]{1,${budget}}$`));
        expect(new Set(exposed).size).toBe(exposed.length);
      }),
    );
  });
});

describe('The alias of an entry', () => {
  it('is short, free, and as close to the key as that allows', () => {
    expect(entryAlias('github-mcp-server', new Set())).toBe('github');
    expect(entryAlias('mcp-server', new Set())).toBe('mcp');
    expect(entryAlias('github', new Set(['github']))).toBe('github-2');
    expect(entryAlias('a-very-long-name-of-a-server', new Set(['a-very-long-name']))).toBe('a-very-long-na-2');
  });

  it('is always valid and free', () => {
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 60 }), (wanted) => {
        const taken = new Set<string>();
        for (const key of wanted) {
          const alias = entryAlias(key, taken);
          expect(alias).toMatch(new RegExp(`^[a-z0-9](?:[a-z0-9-]{0,${MAX_ALIAS_LENGTH - 2}}[a-z0-9])?$`));
          expect(taken.has(alias)).toBe(false);
          taken.add(alias);
        }
      }),
    );
  });
});
