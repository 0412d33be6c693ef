import { GROUP_TYPE } from '../schema/group-schema';
import type { ResourceType } from '../schema/attribute';
import { USER_TYPE } from '../schema/user-schema';
import { ScimError } from '../scim-error';
import { compileFilter, compileMemberFilter } from './compile';
import { parseFilter } from './parse';
import { compileSort } from './sort';

function compile(text: string, type: ResourceType = USER_TYPE): { sql: string; values: unknown[] } {
  const values: unknown[] = [];
  return { sql: compileFilter(type, parseFilter(text), values), values };
}

function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ScimError) return `${error.failure}: ${error.detail}`;
    throw error;
  }
  return 'none';
}

/** Whether filters match the right resources is tested on the database: test/scim/scim-filter-property.slow-spec.ts. */
describe('compileFilter', () => {
  it.each([
    ['password pr', '"password" is not an attribute of User.'],
    ['password eq "x"', '"password" is not an attribute of User.'],
    ['members pr', '"members" is not an attribute of User.'],
    ['foo eq "x"', '"foo" is not an attribute of User.'],
    ['name.foo eq "x"', '"name.foo" is not an attribute of User.'],
    ['userName.value eq "x"', '"userName.value" is not an attribute of User.'],
    ['constructor pr', '"constructor" is not an attribute of User.'],
    ['urn:ietf:params:scim:schemas:core:2.0:Group:displayName pr', '"urn:ietf:params:scim:schemas:core:2.0:Group:dis'],
    ['title pr and (userName eq "x" or not (foo pr))', '"foo" is not an attribute of User.'],
    ['emails[foo eq "x"]', '"foo" is not a sub-attribute of emails.'],
    ['emails[emails.value eq "x"]', '"emails.value" is not a sub-attribute of emails.'],
    ['emails[value eq "x"].foo pr', '"foo" is not a sub-attribute of emails.'],
    ['emails[not (value eq "x" or foo pr)]', '"foo" is not a sub-attribute of emails.'],
    ['userName[value eq "x"]', '"userName" cannot be followed by brackets, because it has no sub-attributes.'],
    ['schemas[value eq "x"]', '"schemas" cannot be followed by brackets'],
    ['emails.value[value eq "x"]', '"emails.value" cannot be followed by brackets'],
    // Operators that the type does not support, and values of another type.
    ['active gt true', '"active gt" is not possible: an attribute of type boolean supports eq, ne and pr.'],
    ['active co true', '"active co" is not possible: an attribute of type boolean supports eq, ne and pr.'],
    ['active eq "yes"', '"active eq" must be followed by true or false.'],
    ['active eq 1', '"active eq" must be followed by true or false.'],
    ['emails.primary sw "t"', '"emails.primary sw" is not possible'],
    ['emails[primary eq ""]', '"primary eq" must be followed by true or false.'],
    [
      'x509Certificates.value co "x"',
      '"x509Certificates.value co" is not possible: an attribute of type binary supports eq, ne',
    ],
    ['x509Certificates lt "x"', '"x509Certificates lt" is not possible'],
    [
      'meta.created co "2026"',
      '"meta.created co" is not possible: an attribute of type dateTime supports eq, ne, gt, ge, lt',
    ],
    ['meta.created gt "2026-11-20"', '"meta.created gt" must be followed by a date and time, as "2026-11-20'],
    ['meta.created gt "2026-02-30T00:00:00Z"', '"meta.created gt" must be followed by a date and time'],
    ['meta.created gt 5', '"meta.created gt" must be followed by a string in double quotes.'],
    ['userName eq true', '"userName eq" must be followed by a string in double quotes.'],
    ['userName eq 5', '"userName eq" must be followed by a string in double quotes.'],
    ['userName gt null', '"userName gt" cannot be followed by null, which only eq and ne support.'],
    ['active gt null', '"active gt" cannot be followed by null'],
    // Attributes without a value of their own.
    ['name eq "x"', '"name eq" compares what has no value of its own; name one of its sub-attributes.'],
    ['meta gt "x"', '"meta gt" compares what has no value of its own'],
    ['addresses co "x"', '"addresses co" compares what has no value of its own'],
    // Attributes that are computed for the response.
    ['meta.location eq "x"', '"meta.location" is a URL or a version; a filter supports only pr for it.'],
    ['meta.version ne "x"', '"meta.version" is a URL or a version'],
    ['groups.$ref eq "x"', '"groups.$ref" is a URL or a version'],
    ['groups[$ref sw "x"]', '"$ref" is a URL or a version'],
  ])('refuses %s, naming it', (filter, detail) => {
    expect(faultOf(() => compile(filter))).toContain(`invalidFilter: ${detail}`);
  });

  it('refuses attributes that groups do not have', () => {
    expect(faultOf(() => compile('userName eq "x"', GROUP_TYPE))).toBe(
      'invalidFilter: "userName" is not an attribute of Group.',
    );
    expect(faultOf(() => compile('members[display pr].foo pr', GROUP_TYPE))).toContain('"foo" is not a sub-attribute');
    expect(faultOf(() => compile('members.$ref eq "x"', GROUP_TYPE))).toContain('is a URL or a version');
    expect(faultOf(() => compileMemberFilter(parseFilter('userName eq "x"'), []))).toContain(
      '"userName" is not a sub-attr',
    );
    expect(faultOf(() => compileMemberFilter(parseFilter('a[value eq "x"]'), []))).toContain(
      '"a" is not a sub-attribute',
    );
    expect(faultOf(() => compileMemberFilter(parseFilter('value[value pr]'), []))).toBe(
      'invalidFilter: "value" cannot be followed by brackets.',
    );
  });

  it.each([
    'userName eq "NEEDLE"',
    'externalId ne "NEEDLE"',
    'displayName co "NEEDLE"',
    'name.givenName sw "NEEDLE" or title ew "NEEDLE"',
    'id gt "NEEDLE"',
    'emails eq "NEEDLE"',
    'emails[type eq "NEEDLE" and not (value eq "NEEDLE")].value eq "NEEDLE"',
    'x509Certificates eq "NEEDLE"',
    'groups[value sw "NEEDLE" or display eq "NEEDLE"]',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager[value eq "NEEDLE"]',
    'schemas eq "NEEDLE" and meta.resourceType eq "NEEDLE"',
  ])('passes every value as a parameter: %s', (text) => {
    const { sql, values } = compile(text.replaceAll('NEEDLE', `needle' OR $1 --`));
    expect(sql).not.toContain('needle');
    expect(values.length).toBeGreaterThan(0);
    expect(new Set(values)).toEqual(new Set([`needle' OR $1 --`]));
    // Every parameter is used, and no other.
    const used = new Set([...sql.matchAll(/\$(\d+)::/g)].map(([, place]) => Number(place)));
    expect([...used].sort((a, b) => a - b)).toEqual(values.map((_, index) => index + 1));
    expect(sql.match(/\$\d+(?!\d*::)/g)).toBeNull();
  });

  it('never copies names from the filter into the SQL', () => {
    expect(compile('USERNAME eq "x" and EMAILS[TYPE eq "x"] and Name.GIVENNAME pr').sql).not.toMatch(
      /USERNAME|EMAILS|TYPE|GIVENNAME/,
    );
  });

  it('continues the caller’s parameter numbers', () => {
    const values: unknown[] = ['org', 'more'];
    const sql = compileFilter(USER_TYPE, parseFilter('title eq "a" and active eq "FALSE"'), values);
    expect(values).toEqual(['org', 'more', 'a', false]);
    expect(sql).toContain('lower($3::text)');
    expect(sql).toContain('$4::boolean');
  });

  it('compares ids as UUIDs, so that an index is used, and matches nothing for an invalid one', () => {
    const id = '0192f0c1-2345-7abc-8def-0123456789ab';
    expect(compile(`id eq "${id}"`).sql).toBe('(scim_users.id = $1::uuid)');
    expect(compile(`id eq "${id.toUpperCase()}"`)).toEqual({ sql: '(FALSE)', values: [] });
    expect(compile('id eq "x"')).toEqual({ sql: '(FALSE)', values: [] });
    expect(compile('groups.value ne "x"').sql).toContain('(FALSE) IS NOT TRUE');
  });
});

describe('compileSort', () => {
  it.each([
    ['userName', 'username_key(scim_users.user_name) COLLATE "C"', 'text'],
    ['externalId', 'scim_users.external_id COLLATE "C"', 'text'],
    ['DISPLAYNAME', 'lower(scim_users.display_name) COLLATE "C"', 'text'],
    ['id', 'scim_users.id', 'uuid'],
    ['active', 'scim_users.active', 'boolean'],
    ['meta.created', 'scim_users.created_at', 'timestamptz'],
    ['meta.lastModified', 'scim_users.updated_at', 'timestamptz'],
  ])('orders by %s', (sortBy, sql, type) => {
    expect(compileSort(USER_TYPE, sortBy)).toEqual({ sql, type });
  });

  it.each([
    ['foo', '"foo" is not an attribute of User.'],
    ['password', '"password" is not an attribute of User.'],
    ['name', '"name" cannot be sorted by.'],
    ['meta', '"meta" cannot be sorted by.'],
    ['manager', '"manager" cannot be sorted by.'],
    ['addresses', '"addresses" cannot be sorted by.'],
    ['schemas', '"schemas" cannot be sorted by.'],
    ['groups', '"groups" cannot be sorted by.'],
    ['groups.display', '"groups.display" cannot be sorted by.'],
    ['meta.location', '"meta.location" cannot be sorted by.'],
    ['meta.version', '"meta.version" cannot be sorted by.'],
  ])('refuses %s', (sortBy, detail) => {
    expect(faultOf(() => compileSort(USER_TYPE, sortBy))).toBe(`invalidPath: ${detail}`);
  });
});
