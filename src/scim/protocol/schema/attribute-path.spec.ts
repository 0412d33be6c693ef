import { isSameName, resolvePath } from './attribute-path';
import { GROUP_TYPE } from './group-schema';
import { USER_TYPE } from './user-schema';
import { ENTERPRISE_URN, USER_URN } from '../urns';

/** The resolved path, short enough for a table. */
function described(path: string, type = USER_TYPE): string | undefined {
  const resolved = resolvePath(type, path);
  if (!resolved) return undefined;
  const { attribute, sub, extension } = resolved;
  return [extension?.name, attribute.name, sub?.name].filter(Boolean).join(' ');
}

describe('resolvePath', () => {
  it.each([
    ['userName', 'userName'],
    ['USERNAME', 'userName'],
    ['name.givenName', 'name givenName'],
    ['Name.GIVENNAME', 'name givenName'],
    ['emails', 'emails'],
    ['emails.value', 'emails value'],
    ['groups.$ref', 'groups $ref'],
    ['id', 'id'],
    ['externalid', 'externalId'],
    ['meta.lastModified', 'meta lastModified'],
    ['schemas', 'schemas'],
    [`${USER_URN}:userName`, 'userName'],
    [`${USER_URN}:name.familyName`, 'name familyName'],
    [`${USER_URN.toUpperCase()}:USERNAME`, 'userName'],
    [`${USER_URN}:externalId`, 'externalId'],
    [`${ENTERPRISE_URN}:department`, 'EnterpriseUser department'],
    [`${ENTERPRISE_URN}:manager.value`, 'EnterpriseUser manager value'],
    ['urn:scim:schemas:core:1.0:userName', 'userName'],
    ['urn:scim:schemas:core:2.0:User:name.familyName', 'name familyName'],
    ['URN:scim:schemas:core:2.0:USERNAME', 'userName'],
    ['urn:scim:schemas:extension:enterprise:1.0:department', 'EnterpriseUser department'],
    ['urn:scim:schemas:extension:enterprise:2.0:User:manager.value', 'EnterpriseUser manager value'],
    [`${ENTERPRISE_URN.toLowerCase()}:Manager.DisplayName`, 'EnterpriseUser manager displayName'],
    ['department', 'EnterpriseUser department'],
    ['manager.value', 'EnterpriseUser manager value'],
    ['displayName', 'displayName'],
  ])('finds %s', (path, expected) => {
    expect(described(path)).toBe(expected);
  });

  it.each([
    '',
    '.',
    'userName.',
    '.userName',
    'password',
    'user name',
    'userName ',
    'userName.value',
    'name.givenName.more',
    'name.password',
    'emails..value',
    'emails[type eq "work"]',
    'members',
    USER_URN,
    `${USER_URN}:`,
    `${USER_URN}userName`,
    `${USER_URN}.userName`,
    `${USER_URN}:department`,
    'urn:scim:schemas:core:1.0:department',
    'urn:scim:schemas:core:2.0:Group:userName',
    'urn:scim:schemas:core:2.0:User:',
    'urn:scim:schemas:core:3.0:userName',
    'urn:scim:schemas:extension:enterprise:2.0:userName',
    `${ENTERPRISE_URN}:userName`,
    `${ENTERPRISE_URN}:id`,
    ENTERPRISE_URN,
    `${USER_URN}:${USER_URN}:userName`,
    'urn:ietf:params:scim:schemas:core:2.0:Group:displayName',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'name.__proto__',
    'name.constructor',
    'emails.length',
    'length',
    '0',
    // Unicode folding would turn the Kelvin sign into a k, and a dotted I into an i.
    'nic\u212aName',
    'tİtle',
  ])('finds nothing for %j', (path) => {
    expect(described(path)).toBeUndefined();
  });

  it('depends on the resource type', () => {
    expect(described('members.value', GROUP_TYPE)).toBe('members value');
    expect(described('displayName', GROUP_TYPE)).toBe('displayName');
    expect(described('urn:ietf:params:scim:schemas:core:2.0:Group:externalId', GROUP_TYPE)).toBe('externalId');
    expect(described('userName', GROUP_TYPE)).toBeUndefined();
    expect(described(`${USER_URN}:displayName`, GROUP_TYPE)).toBeUndefined();
  });
});

describe('isSameName', () => {
  it('ignores the case of ASCII letters only', () => {
    expect(isSameName('azAZ-$09', 'AZaz-$09')).toBe(true);
    expect(isSameName('é', 'É')).toBe(false);
    expect(isSameName('k', '\u212a')).toBe(false);
    expect(isSameName('a', 'aa')).toBe(false);
    expect(isSameName('@', '`')).toBe(false);
  });
});
