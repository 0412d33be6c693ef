import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { GUARDED_CASES, selectedCases } from './selection';

const CASES = readdirSync(join(__dirname, 'cases')).map((file) => file.replace('.ts', ''));

describe('The cases of a run', () => {
  it('are those that users feel, each of which exists', () => {
    expect(selectedCases(CASES, {})).toEqual(GUARDED_CASES);
    expect(GUARDED_CASES.filter((name) => !CASES.includes(name))).toEqual([]);
  });

  it('are all with --all, and those of a name with --only, once', () => {
    expect(selectedCases(CASES, { all: true })).toEqual(CASES);
    expect(selectedCases(CASES, { only: ['limits', 'limits-neighbours'] })).toEqual(['limits-neighbours', 'limits']);
  });

  it('are named in the error if one does not exist', () => {
    expect(() => selectedCases(CASES, { only: ['none'] })).toThrow(/none does not exist; .*categories/);
    expect(() => selectedCases(CASES, { only: ['limits'], all: true })).toThrow('either');
  });
});
