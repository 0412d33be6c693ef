import { LIMITS } from '../limits';
import { ScimError } from '../scim-error';
import type { Filter } from './filter';
import { parseFilter, parsePatchPath } from './parse';

/** A filter as text again, with every parenthesis that there could be. */
function written(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return `(${filter.filters.map(written).join(` ${filter.kind} `)})`;
    case 'not':
      return `not (${written(filter.filter)})`;
    case 'present':
      return `${filter.path} pr`;
    case 'compare':
      return `${filter.path} ${filter.operator} ${JSON.stringify(filter.value)}`;
    case 'value':
      return `${filter.path}[${written(filter.filter)}]`;
  }
}

/** The failure with its detail. */
function faultOf(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof ScimError) return `${error.failure}: ${error.detail}`;
    throw error;
  }
  return 'none';
}

describe('parseFilter', () => {
  // The examples of RFC 7644, section 3.4.2.2, figure 2, and what is beside them.
  it.each([
    ['userName eq "bjensen"', 'userName eq "bjensen"'],
    [`name.familyName co "O'Malley"`, `name.familyName co "O'Malley"`],
    ['userName sw "J"', 'userName sw "J"'],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
      'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
    ],
    ['title pr', 'title pr'],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', 'meta.lastModified gt "2011-05-13T04:42:34Z"'],
    ['title pr and userType eq "Employee"', '(title pr and userType eq "Employee")'],
    ['title pr or userType eq "Intern"', '(title pr or userType eq "Intern")'],
    ['schemas eq "urn:ietf:params:scim"', 'schemas eq "urn:ietf:params:scim"'],
    [
      'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
      '(userType eq "Employee" and (emails co "example.com" or emails.value co "example.org"))',
    ],
    [
      'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
      '(userType ne "Employee" and not ((emails co "example.com" or emails.value co "example.org")))',
    ],
    ['userType eq "Employee" and (emails.type eq "work")', '(userType eq "Employee" and emails.type eq "work")'],
    [
      'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
      '(userType eq "Employee" and emails[(type eq "work" and value co "@example.com")])',
    ],
    [
      'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
      '(emails[(type eq "work" and value co "@example.com")] or ims[(type eq "xmpp" and value co "@foo.com")])',
    ],
    // and before or, not before and, parentheses before all
    ['a pr or b pr and c pr', '(a pr or (b pr and c pr))'],
    ['a pr and b pr or c pr', '((a pr and b pr) or c pr)'],
    ['(a pr or b pr) and c pr', '((a pr or b pr) and c pr)'],
    ['not (a pr) and b pr', '(not (a pr) and b pr)'],
    ['not (a pr and b pr) or c pr', '(not ((a pr and b pr)) or c pr)'],
    ['a pr and b pr and c pr', '(a pr and b pr and c pr)'],
    ['((((a pr))))', 'a pr'],
    ['not (not (a pr))', 'not (not (a pr))'],
    // value paths, with a sub-attribute behind (Entra ID)
    ['emails[type eq "work"].value eq "x"', 'emails[(type eq "work" and value eq "x")]'],
    [
      'emails[type eq "work" or primary eq true].value pr',
      'emails[((type eq "work" or primary eq true) and value pr)]',
    ],
    ['emails[not (value ew "x")]', 'emails[not (value ew "x")]'],
    ['a pr and emails[type pr].$ref sw "x" and b pr', '(a pr and emails[(type pr and $ref sw "x")] and b pr)'],
    ['urn:x:y:2.0:User:emails[type pr].value pr', 'urn:x:y:2.0:User:emails[(type pr and value pr)]'],
    // any case, any room
    [
      'USERNAME EQ "x" AND Title Pr OR NOT (nickName NE "y")',
      '((USERNAME eq "x" and Title pr) or not (nickName ne "y"))',
    ],
    ['  ( a   eq  "x" )and(b pr)  or\tnot(c pr) ', '((a eq "x" and b pr) or not (c pr))'],
    ['emails [ type eq "work" ] .value eq "x"', 'emails[(type eq "work" and value eq "x")]'],
    // names that are keywords, operators or values
    ['and eq "x" or or pr', '(and eq "x" or or pr)'],
    ['eq eq "x" and pr pr', '(eq eq "x" and pr pr)'],
    ['true eq true', 'true eq true'],
    // values
    ['active eq true', 'active eq true'],
    ['active eq False', 'active eq false'],
    ['title eq null', 'title eq null'],
    ['a eq 0', 'a eq 0'],
    ['a eq -12.5e+3', 'a eq -12500'],
    ['a eq 1E-2', 'a eq 0.01'],
    ['a eq ""', 'a eq ""'],
    ['a eq "and (b or [c]) not"', 'a eq "and (b or [c]) not"'],
    [String.raw`a eq "\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, `a eq ${JSON.stringify('"\\/\b\f\n\r\té😀')}`],
    ['a eq "é😀"', 'a eq "é😀"'],
    ['a eq "\' OR 1=1; --"', 'a eq "\' OR 1=1; --"'],
  ])('reads %s', (text, expected) => {
    expect(written(parseFilter(text))).toBe(expected);
  });

  it.each([
    ['', 'at the end (character 1): expected the name of an attribute, "not" or "("'],
    ['   ', 'at the end (character 4): expected the name of an attribute'],
    ['userName', 'at the end (character 9): expected an operator: eq, ne, co, sw, ew, gt, ge, lt, le or pr'],
    ['userName like "x"', 'at "like" (character 10): expected an operator'],
    ['userName eq', 'at the end (character 12): expected a value'],
    [
      'userName eq x',
      'at "x" (character 13): expected a value: a string in double quotes, a number, true, false or null',
    ],
    ["userName eq 'x'", `at "'" (character 13): expected a value`],
    ['userName eq "x', 'at a quote (character 13): the string has no closing quote'],
    ['userName eq "x\\"', 'at a quote (character 13): the string has no closing quote'],
    ['userName eq "x\\', 'at a quote (character 13): the string has no closing quote'],
    ['userName eq "x" "y"', 'at a quote (character 17): expected "and", "or" or the end'],
    ['userName eq "x" xor title pr', 'at "xor" (character 17): expected "and", "or" or the end'],
    ['userName eq "x" and', 'at the end (character 20): expected the name of an attribute'],
    ['userName eq "x" and and title pr', 'at "title" (character 25): expected an operator'],
    ['and title pr', 'at "title" (character 5): expected an operator'],
    ['(title pr', 'at the end (character 10): expected "and", "or" or ")"'],
    ['title pr)', 'at ")" (character 9): expected "and", "or" or the end'],
    ['(title pr]', 'at "]" (character 10): expected "and", "or" or ")"'],
    ['()', 'at ")" (character 2): expected the name of an attribute'],
    ['not title pr', 'at "title" (character 5): expected "(" after "not"'],
    ['emails[type pr', 'at the end (character 15): expected "and", "or" or "]"'],
    ['emails[]', 'at "]" (character 8): expected the name of an attribute'],
    ['emails[type pr].value', 'at the end (character 22): expected an operator'],
    ['emails[type pr].', 'at "." (character 16): expected "and", "or" or the end'],
    ['emails[type pr].a.b pr', 'at ".a.b" (character 16): expected "and", "or" or the end'],
    ['emails[type pr]value pr', 'at "value" (character 16): expected "and", "or" or the end'],
    ['emails[type pr] eq "x"', 'at "eq" (character 17): expected "and", "or" or the end'],
    ['emails[x[type pr]]', 'at "[" (character 9): a value path cannot be nested in another one'],
    ['[type pr]', 'at "[" (character 1): expected the name of an attribute'],
    ['a.b.c pr', 'at "a.b.c" (character 1): expected the name of an attribute'],
    ['a..b pr', 'at "a..b" (character 1)'],
    ['a. pr', 'at "a." (character 1)'],
    ['1a pr', 'at "1a" (character 1)'],
    ['urn:x: pr', 'at "urn:x:" (character 1)'],
    ['x:y pr', 'at "x:y" (character 1)'],
    ['é pr', 'at "é" (character 1)'],
    ['😀 pr', 'at "😀" (character 1)'],
    ['title pr; DROP TABLE scim_users', 'at ";" (character 9)'],
    ['a eq 01', 'at "01" (character 6): expected a value'],
    ['a eq 1.', 'at "1." (character 6)'],
    ['a eq +1', 'at "+" (character 6)'],
    ['a eq .5', 'at ".5" (character 6)'],
    ['a eq 0x10', 'at "0x10" (character 6)'],
    ['a eq NaN', 'at "NaN" (character 6)'],
    ['a eq truely', 'at "truely" (character 6)'],
    ['a eq (b)', 'at "(" (character 6)'],
    ['a eq "\\x"', 'at a quote (character 6): not a JSON string'],
    ['a eq "\\u12"', 'at a quote (character 6): not a JSON string'],
    ['a eq "tab\t"', 'at a quote (character 6): not a JSON string'],
    ['a eq "\\u0000"', 'at a quote (character 6): the string contains a NUL character or a lone surrogate'],
    ['a eq "\\ud800"', 'at a quote (character 6): the string contains a NUL character or a lone surrogate'],
    ['a eq "\ud800"', 'at a quote (character 6): the string contains a NUL character or a lone surrogate'],
    ['a eq "\\udc00\\ud800"', 'at a quote (character 6): the string contains a NUL character or a lone surrogate'],
    ['\ud800', 'at "\ufffd" (character 1)'],
  ])('refuses %j, saying where', (text, detail) => {
    expect(faultOf(() => parseFilter(text))).toContain(`invalidFilter: The filter is wrong ${detail}`);
  });

  const nested = (depth: number, open: string, close: string) => open.repeat(depth) + 'a pr' + close.repeat(depth);

  it('knows its limits, and goes up to them', () => {
    const { filterDepth, filterLength, filterTerms } = LIMITS;
    const longest = `a eq "${'x'.repeat(filterLength - 7)}"`;
    expect(parseFilter(longest)).toMatchObject({ kind: 'compare' });
    expect(faultOf(() => parseFilter(`${longest} `))).toBe('invalidFilter: The filter is longer than 4096 characters.');

    expect(parseFilter(nested(filterDepth, '(', ')'))).toEqual({ kind: 'present', path: 'a' });
    expect(parseFilter(nested(filterDepth - 1, 'not (', ')').replace('a pr', 'b[a pr]'))).toMatchObject({
      kind: 'not',
    });
    const tooDeep = /nested more than 32 deep/;
    expect(faultOf(() => parseFilter(nested(filterDepth + 1, '(', ')')))).toMatch(tooDeep);
    expect(faultOf(() => parseFilter(nested(filterDepth + 1, 'not (', ')')))).toMatch(tooDeep);
    expect(faultOf(() => parseFilter(nested(filterDepth, '(', ')').replace('a pr', 'b[a pr]')))).toMatch(tooDeep);
    // Side by side is not inside.
    expect(parseFilter(Array(40).fill('((a pr))').join(' or '))).toMatchObject({ kind: 'or' });

    const terms = (count: number) => Array(count).fill('a pr').join(' and ');
    expect(parseFilter(terms(filterTerms))).toMatchObject({ kind: 'and' });
    expect(faultOf(() => parseFilter(terms(filterTerms + 1)))).toMatch(/more than 64 comparisons/);
    expect(faultOf(() => parseFilter(`b[${terms(filterTerms)}].c pr`))).toMatch(/more than 64 comparisons/);
  });

  it('says where in few words, however long what stands there is', () => {
    expect(faultOf(() => parseFilter('x'.repeat(4_000))).length).toBeLessThan(200);
    expect(faultOf(() => parseFilter(`a xx${'x'.repeat(4_000)}`)).length).toBeLessThan(200);
  });
});

describe('parsePatchPath', () => {
  it.each([
    ['title', { attributePath: 'title' }],
    ['name.givenName', { attributePath: 'name.givenName' }],
    ['urn:a:2.0:User', { attributePath: 'urn:a:2.0:User' }],
    ['urn:a:2.0:User:name.givenName', { attributePath: 'urn:a:2.0:User:name.givenName' }],
    ['members.$ref', { attributePath: 'members.$ref' }],
  ])('reads %s', (text, expected) => {
    expect(parsePatchPath(text)).toEqual(expected);
  });

  it('reads brackets, and a sub-attribute behind them', () => {
    const valueFilter = { kind: 'compare', path: 'type', operator: 'eq', value: 'work' };
    expect(parsePatchPath('emails[type eq "work"]')).toEqual({ attributePath: 'emails', valueFilter });
    expect(parsePatchPath('urn:a:2.0:User:emails[Type EQ "work"].value')).toEqual({
      attributePath: 'urn:a:2.0:User:emails',
      valueFilter: { ...valueFilter, path: 'Type' },
      sub: 'value',
    });
    expect(parsePatchPath('emails[not (type eq "work" or value pr)].$ref')).toMatchObject({
      valueFilter: { kind: 'not', filter: { kind: 'or' } },
      sub: '$ref',
    });
  });

  it.each([
    ['', 'invalidPath: The path is wrong at the end (character 1): expected the name of an attribute.'],
    ['[type pr]', 'invalidPath: The path is wrong at "[" (character 1): expected the name of an attribute.'],
    ['name.givenName.x', 'invalidPath: The path is wrong at "name.givenName.x" (character 1): expected the name'],
    ['title eq "x"', 'invalidPath: The path is wrong at "eq" (character 7): expected the end.'],
    ['title]', 'invalidPath: The path is wrong at "]" (character 6): expected the end.'],
    ['emails[type pr].value.x', 'invalidPath: The path is wrong at ".value.x" (character 16): expected the end.'],
    ['emails[type pr].', 'invalidPath: The path is wrong at "." (character 16): expected the end.'],
    ['emails[type pr] and title pr', 'invalidPath: The path is wrong at "and" (character 17): expected the end.'],
    ['emails[type pr][value pr]', 'invalidPath: The path is wrong at "[" (character 16): expected the end.'],
    ['(title)', 'invalidPath: The path is wrong at "(" (character 1): expected the name of an attribute.'],
    ['/name/givenName', 'invalidPath: The path is wrong at "/" (character 1)'],
    ['__proto__', 'invalidPath: The path is wrong at "__proto__" (character 1)'],
    ['constructor.prototype.x', 'invalidPath: The path is wrong at "constructor.prototype.x" (character 1)'],
    [`a${'x'.repeat(4_096)}`, 'invalidPath: The path is longer than 4096 characters.'],
    // RFC 7644, table 9: what is wrong with a filter in a path is invalidFilter.
    ['emails[', 'invalidFilter: The filter is wrong at the end (character 8)'],
    ['emails[type', 'invalidFilter: The filter is wrong at the end (character 12): expected an operator'],
    ['emails[type eq work]', 'invalidFilter: The filter is wrong at "work" (character 16): expected a value'],
    ['emails[0]', 'invalidFilter: The filter is wrong at "0" (character 8)'],
    ['emails[a[b pr]]', 'invalidFilter: The filter is wrong at "[" (character 9): a value path cannot'],
  ])('refuses %j', (text, fault) => {
    expect(faultOf(() => parsePatchPath(text))).toContain(fault);
  });
});
