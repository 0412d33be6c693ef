import fc from 'fast-check';
import { ADA, failureOf } from '../../../../test/support/scim-user';
import { GROUP_TYPE } from '../schema/group-schema';
import { USER_TYPE } from '../schema/user-schema';
import { ENTERPRISE_URN, USER_URN } from '../urns';
import type { ScimQuery, ScimResource } from '../scim-resource';
import { selectAttributes } from './selection';
import { groupResource, userResource } from '../stored/to-scim';

const TIMES = { createdAt: new Date(0), updatedAt: new Date(0) };
const USER = userResource(
  { ...ADA, id: 'u1', userId: 'a', version: 1, ...TIMES },
  [{ id: 'g1', displayName: 'Engineers' }],
  'https://x',
);
const GROUP = groupResource(
  { id: 'g1', displayName: 'Engineers', externalId: null, version: 1, ...TIMES },
  [{ id: 'u1', userName: 'ada', displayName: 'Ada' }],
  'https://x',
);
const MINIMUM = { schemas: [USER_URN], id: 'u1' };

function left(query: ScimQuery): ScimResource {
  return selectAttributes(USER_TYPE, query).apply(USER);
}

function without(...names: string[]): object {
  return Object.fromEntries(Object.entries(USER).filter(([name]) => !names.includes(name)));
}

describe('the SCIM parameter attributes', () => {
  it.each<[string[], object]>([
    [['userName'], { userName: 'ada' }],
    [['USERNAME', 'displayname'], { userName: 'ada', displayName: 'Ada' }],
    [[`${USER_URN}:userName`], { userName: 'ada' }],
    [['externalId', 'active'], { externalId: '7', active: true }],
    [['name'], { name: ADA.attributes.name }],
    [['name.givenName'], { name: { givenName: 'Ada' } }],
    [['name.givenName', 'name'], { name: ADA.attributes.name }],
    [['name', 'name.givenName'], { name: ADA.attributes.name }],
    [['name.givenName', 'name.familyName'], { name: ADA.attributes.name }],
    [['name.middleName'], {}],
    [['emails.value'], { emails: [{ value: 'ada@acme.example' }, { value: 'ada@home.example' }] }],
    [['emails.primary'], { emails: [{ primary: true }] }],
    [['groups.display'], { groups: [{ display: 'Engineers' }] }],
    [['meta.version'], { meta: { version: USER.meta?.version } }],
    [['id', 'schemas'], {}],
    [['shoeSize', '__proto__', 'constructor', 'name.nick'], {}],
  ])('%j returns %j', (attributes, rest) => {
    expect(left({ attributes })).toEqual({ ...MINIMUM, ...rest });
  });

  it.each<[string[], object]>([
    [['department'], { department: 'Engines' }],
    [[`${ENTERPRISE_URN}:department`], { department: 'Engines' }],
    [[`${ENTERPRISE_URN}:manager.$ref`], { manager: { $ref: 'https://x/Users/1' } }],
    [[ENTERPRISE_URN], ADA.attributes[ENTERPRISE_URN] as object],
    [['urn:scim:schemas:extension:enterprise:2.0'], ADA.attributes[ENTERPRISE_URN] as object],
  ])('%j returns %j of the extension', (attributes, rest) => {
    expect(left({ attributes })).toEqual({ schemas: [USER_URN, ENTERPRISE_URN], id: 'u1', [ENTERPRISE_URN]: rest });
  });

  it('is ignored if empty', () => {
    expect(left({ attributes: [] })).toEqual(USER);
    expect(left({ attributes: [], excludedAttributes: ['groups'] })).toEqual(without('groups'));
    expect(left({})).toEqual(USER);
  });
});

describe('the SCIM parameter excludedAttributes', () => {
  it.each<[string[], object]>([
    [['groups'], without('groups')],
    [['GROUPS', 'meta'], without('groups', 'meta')],
    [['id', 'schemas'], USER],
    [['shoeSize'], USER],
    [['name.givenName'], { ...USER, name: { familyName: 'Lovelace' } }],
    [['name.givenName', 'name.familyName'], without('name')],
    [['emails.value', 'emails.type'], { ...USER, emails: [{ primary: true }] }],
    [['emails', 'emails.value'], without('emails')],
    [[ENTERPRISE_URN], { ...without(ENTERPRISE_URN), schemas: [USER_URN] }],
    [['urn:scim:schemas:extension:enterprise:1.0'], { ...without(ENTERPRISE_URN), schemas: [USER_URN] }],
    [
      [USER_URN],
      { schemas: USER.schemas, id: 'u1', externalId: '7', meta: USER.meta, [ENTERPRISE_URN]: USER[ENTERPRISE_URN] },
    ],
    [[`${ENTERPRISE_URN}:manager`], { ...USER, [ENTERPRISE_URN]: { department: 'Engines' } }],
  ])('%j returns the rest', (excludedAttributes, rest) => {
    expect(left({ excludedAttributes })).toEqual(rest);
  });
});

describe('a selection of SCIM attributes', () => {
  it('rejects both parameters together', () => {
    expect(failureOf(() => left({ attributes: ['userName'], excludedAttributes: ['groups'] }))).toBe('invalidValue');
  });

  it.each<[ScimQuery, boolean]>([
    [{}, true],
    [{ attributes: ['members'] }, true],
    [{ attributes: ['members.value'] }, true],
    [{ attributes: ['displayName'] }, false],
    [{ attributes: ['nothing'] }, false],
    [{ excludedAttributes: ['Members'] }, false],
    [{ excludedAttributes: ['members.display'] }, true],
    [{ excludedAttributes: ['displayName'] }, true],
  ])('by %j needs members: %s', (query, wanted) => {
    const selection = selectAttributes(GROUP_TYPE, query);
    expect(selection.wants('members')).toBe(wanted);
    expect(Object.hasOwn(selection.apply(GROUP), 'members')).toBe(wanted);
  });

  it('does not need attributes that do not exist', () => {
    expect(selectAttributes(GROUP_TYPE, {}).wants('groups')).toBe(false);
    expect(selectAttributes(USER_TYPE, {}).wants('constructor')).toBe(false);
  });

  it('never returns unknown attributes, and does not modify the resource', () => {
    const resource = { ...USER, password: 'secret' };
    const before = structuredClone(resource);
    expect(selectAttributes(USER_TYPE, {}).apply(resource)).toEqual(USER);
    selectAttributes(USER_TYPE, { attributes: ['emails.value'] }).apply(resource);
    expect(resource).toEqual(before);
  });

  it('returns all of a resource by attributes and excludedAttributes of the same names together', () => {
    const names = Object.keys(USER).filter((name) => !['schemas', 'id'].includes(name));
    fc.assert(
      fc.property(fc.subarray(names, { minLength: 1 }), (chosen) => {
        const asked = left({ attributes: chosen });
        const others = left({ excludedAttributes: chosen });
        expect({ ...asked, ...others, schemas: USER.schemas }).toEqual(USER);
        for (const name of names) {
          expect(Object.hasOwn(asked, name)).toBe(chosen.includes(name));
          expect(Object.hasOwn(others, name)).toBe(!chosen.includes(name));
        }
      }),
    );
  });
});
