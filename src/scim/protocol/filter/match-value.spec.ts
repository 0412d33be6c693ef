import type { Attribute } from '../schema/attribute';
import { resolvePath } from '../schema/attribute-path';
import { USER_TYPE } from '../schema/user-schema';
import { ScimError } from '../scim-error';
import { checkValueFilter, matchesValue } from './match-value';
import { parseFilter } from './parse';

const attributeOf = (name: string): Attribute => {
  const attribute = resolvePath(USER_TYPE, name)?.attribute;
  if (!attribute) throw new Error(`No attribute ${name}.`);
  return attribute;
};
const EMAILS = attributeOf('emails');

/** Corner cases; test/scim/scim-filter-property.slow-spec.ts tests random filters. */
describe('matchesValue', () => {
  const home = { value: 'Ada@Example.com', type: 'home', display: '' };
  const work = { value: 'ada@acme.example', type: 'work', primary: true };

  it.each([
    ['type eq "WORK"', false, true],
    ['value eq "ada@example.com"', true, false],
    ['value sw "ADA@" and value ew ".com"', true, false],
    ['type ne "work"', true, false],
    ['display ne "x"', true, true],
    ['display pr', false, false],
    ['display eq ""', true, false],
    ['display eq null', true, true],
    ['primary eq false', true, false],
    ['primary ne true', true, false],
    ['primary eq "TRUE"', false, true],
    ['primary pr', false, true],
    ['primary eq null', true, false],
    ['not (type eq "work" or primary eq true)', true, false],
    ['value gt "ada@b"', true, false],
    ['VALUE le "ADA@ACME.EXAMPLE"', false, true],
  ])('of two addresses, matches %s', (filter, ofHome, ofWork) => {
    expect(matchesValue(parseFilter(filter), home, EMAILS)).toBe(ofHome);
    expect(matchesValue(parseFilter(filter), work, EMAILS)).toBe(ofWork);
  });

  it('is case-sensitive if the attribute is', () => {
    const certificates = attributeOf('x509Certificates');
    expect(matchesValue(parseFilter('value eq "MIIB"'), { value: 'MIIB' }, certificates)).toBe(true);
    expect(matchesValue(parseFilter('value eq "miib"'), { value: 'MIIB' }, certificates)).toBe(false);
  });

  it('ignores inherited properties', () => {
    const inherited = Object.create({ type: 'work' }) as Record<string, string>;
    expect(matchesValue(parseFilter('type eq "work"'), inherited, EMAILS)).toBe(false);
    expect(matchesValue(parseFilter('type eq null'), inherited, EMAILS)).toBe(true);
  });

  it.each([
    ['foo pr', '"foo" is not a sub-attribute of emails.'],
    ['constructor pr', '"constructor" is not a sub-attribute of emails.'],
    ['type eq "x" and (value pr or not (foo eq "x"))', '"foo" is not a sub-attribute of emails.'],
    ['primary co "t"', '"primary co" is not possible'],
    ['value[type pr]', '"value" cannot be followed by brackets.'],
    ['emails.value pr', '"emails.value" is not a sub-attribute of emails.'],
  ])('checkValueFilter refuses %s without needing a value', (filter, detail) => {
    expect(() => checkValueFilter(parseFilter(filter), EMAILS)).toThrow(ScimError);
    expect(() => checkValueFilter(parseFilter(filter), EMAILS)).toThrow(detail);
  });

  it('checkValueFilter accepts a valid filter', () => {
    expect(() =>
      checkValueFilter(parseFilter('type eq "x" and not (primary pr or value sw "y")'), EMAILS),
    ).not.toThrow();
  });
});
