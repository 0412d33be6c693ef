import fc from 'fast-check';
import { compareVersions, DatedVersion, latestOf, versionFault } from './server-version';
import { cases } from '../../../test/support/random-cases';

const at = (version: string, day = 1): DatedVersion => ({ version, date: new Date(Date.UTC(2026, 0, day)) });

describe('A version of a server', () => {
  it.each(['1.0.0', 'v1.2.3', '1.0.0-beta.2+build', '2025.12.1', '0.1', '{{VERSION}}', '1.0.1º'])(
    'can be %s',
    (version) => {
      expect(versionFault(version)).toBeUndefined();
    },
  );

  it.each(['', 'latest', 'LATEST', '^1.0.0', '~1.2', '>=1.0.0', '1.x', '*', '1.0.0 - 2.0.0', '1.0.0 || 2.0.0'])(
    'cannot be "%s"',
    (version) => {
      expect(versionFault(version)).toEqual(expect.any(String));
    },
  );
});

describe('The latest version of a server', () => {
  it.each<[DatedVersion[], string]>([
    [[at('1.9.0'), at('1.10.0')], '1.10.0'],
    [[at('1.0.0'), at('1.0.0-rc.1', 2)], '1.0.0'],
    [[at('v2.0.0'), at('1.0.0', 9)], 'v2.0.0'],
    [[at('1.0.0'), at('nightly', 9)], '1.0.0'],
    [[at('nightly', 2), at('weekly', 1)], 'nightly'],
    [[at('1.0.0+a', 1), at('1.0.0+b', 2)], '1.0.0+b'],
  ])('of %j is %s', (versions, latest) => {
    expect(latestOf(versions)?.version).toBe(latest);
    expect(latestOf([...versions].reverse())?.version).toBe(latest);
  });

  it('is undefined without versions', () => {
    expect(latestOf([])).toBeUndefined();
  });

  it('does not depend on the order of versions', () => {
    const version = fc.record({
      version: fc.oneof(
        fc.tuple(fc.nat(3), fc.nat(3), fc.constantFrom('', '-a', '-a.1', '+x')).map(([a, b, c]) => `${a}.${b}.0${c}`),
        fc.constantFrom('nightly', 'v1.0.0', '{{VERSION}}', '2025.1'),
      ),
      date: fc.integer({ min: 1, max: 3 }).map((day) => new Date(Date.UTC(2026, 0, day))),
    });
    const versions = fc.uniqueArray(version, { selector: (one) => one.version, minLength: 1, maxLength: 8 });
    const shuffled = versions.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, ([list, other]) => {
        expect(latestOf(other)).toEqual(latestOf(list));
        const latest = latestOf(list);
        for (const one of list) if (latest && one !== latest) expect(compareVersions(latest, one)).toBeGreaterThan(0);
      }),
      { numRuns: cases(2_000) },
    );
  });
});
