import fc from 'fast-check';
import type { DataSource } from 'typeorm';
import { newId } from '../../src/database/id';
import type { Json } from './filter-oracle';

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** An organisation's directory, as the database has it and as whole resources; the deleted are in the database only. */
export interface Population {
  /** Makes the same one again, but for the ids. */
  seed: number;
  orgId: string;
  users: Resource[];
  groups: Resource[];
}

export type Resource = { id: string } & { [name: string]: Json };

/**
 * Letters with and without another case, what has a meaning in SQL, patterns and filters, and characters beyond the first
 * plane beside such as come after them in UTF-16 alone.
 */
export const CHARACTERS = [...`aAbBkKsSzZ09 .-_%\\/'"@()[]*éÉöÖñÑжЖλΛßıſ漢\u{e000}\u{fb01}\u{ff5e}\u{ffe6}😀𝒳𐐀𐐨`];

/** Few and short, so that they meet. */
const textOf = (characters: string[]) =>
  fc.array(fc.constantFrom(...characters), { maxLength: 4 }).map((letters) => letters.join(''));

const instant = fc.constantFrom(
  '2026-11-20T08:30:00.000Z',
  '2026-11-20T08:30:00.001Z',
  '2026-11-20T08:30:01.000Z',
  '2024-02-29T23:59:59.999Z',
);

interface UserRow {
  userName: string;
  externalId: string | null;
  displayName: string | null;
  active: boolean;
  createdAt: string;
  updatedAt: string;
  isDeleted: boolean;
  attributes: Record<string, Json>;
  /** The place of the user whom the stored id of the manager names; null: it names none of them. */
  managerPlace: number | null;
}

interface GroupRow {
  displayName: string;
  externalId: string | null;
  createdAt: string;
  updatedAt: string;
  members: number[];
}

/** Only what can be stored: names of the schemas, nothing null, no element without anything in it. */
function rowsOf(characters: string[], size: number) {
  const text = textOf(characters);
  const given = <T extends object>(fields: { [name in keyof T]: fc.Arbitrary<T[name]> }) =>
    fc.record(fields, { requiredKeys: [] }).filter((value) => Object.keys(value).length > 0);
  const type = fc.constantFrom('work', 'home', 'Work', 'other');
  const plural = (value: fc.Arbitrary<string>) =>
    fc.array(given({ value, display: text, type, primary: fc.boolean() }), { minLength: 1, maxLength: 3 });
  const address = given({ formatted: text, locality: text, country: text, type, primary: fc.boolean() });
  const enterprise = given({
    department: text,
    employeeNumber: text,
    manager: given({ value: text, $ref: text }),
  });
  const attributes = fc.record(
    {
      name: given({ formatted: text, familyName: text, givenName: text }),
      nickName: text,
      title: text,
      profileUrl: text,
      locale: text,
      emails: plural(text),
      phoneNumbers: plural(text),
      x509Certificates: plural(fc.constantFrom('MIIB', 'MIIb', 'MIIC')),
      addresses: fc.array(address, { minLength: 1, maxLength: 2 }),
      [ENTERPRISE]: enterprise,
    },
    { requiredKeys: [] },
  );
  const user: fc.Arbitrary<UserRow> = fc.record({
    userName: text,
    externalId: fc.option(text, { freq: 3 }),
    displayName: fc.option(text, { freq: 3 }),
    active: fc.boolean(),
    createdAt: instant,
    updatedAt: instant,
    isDeleted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    attributes: attributes,
    managerPlace: fc.option(fc.nat({ max: size - 1 }), { freq: 2 }),
  });
  const group: fc.Arbitrary<GroupRow> = fc.record({
    displayName: text,
    externalId: fc.option(text, { freq: 3 }),
    createdAt: instant,
    updatedAt: instant,
    members: fc.uniqueArray(fc.nat({ max: size - 1 }), { maxLength: 6 }),
  });
  const externalId = ({ externalId }: { externalId: string | null }) => externalId ?? {};
  return fc.record({
    users: fc
      .uniqueArray(user, { selector: externalId, minLength: size, maxLength: size })
      .map((rows) => rows.map((row, place) => ({ ...row, userName: `${row.userName}-${place}` }))),
    groups: fc.uniqueArray(group, { selector: externalId, minLength: size / 2, maxLength: size / 2 }),
  });
}

/** @returns those of CHARACTERS, in both cases, of which the database has the same small letter as JavaScript */
export async function agreedCharacters(dataSource: DataSource): Promise<string[]> {
  const both = CHARACTERS.flatMap((letter) => [letter, letter.toUpperCase()]).filter((one) => [...one].length === 1);
  const [row] = await dataSource.query<{ small: string[] }[]>(
    `SELECT array_agg(lower(letter) ORDER BY place) AS small FROM unnest($1::text[]) WITH ORDINALITY AS t (letter, place)`,
    [both],
  );
  const agreed = new Set(both.filter((letter, place) => row?.small[place] === letter.toLowerCase()));
  return CHARACTERS.filter((letter) => agreed.has(letter) && (agreed.has(letter.toUpperCase()) || letter === 'ß'));
}

/** Makes a directory and stores it. */
export async function createPopulation(
  dataSource: DataSource,
  characters: string[],
  size: number,
  seed: number,
): Promise<Population> {
  const [rows] = fc.sample(rowsOf(characters, size), { numRuns: 1, seed });
  if (!rows) throw new Error('A sample of one has one.');
  const orgId = newId();
  const users = rows.users.map((row) => ({ ...row, id: newId(), accountId: newId() }));
  for (const { attributes, managerPlace } of users) {
    const id = users[managerPlace ?? -1]?.id;
    const { manager } = (attributes[ENTERPRISE] ?? {}) as { manager?: Record<string, Json> };
    if (manager && id !== undefined) manager.value = id;
  }
  const groups = rows.groups.map((row) => ({ ...row, id: newId() }));
  await dataSource.query(`INSERT INTO organisations (id, name, slug) VALUES ($1, 'Org', $2)`, [orgId, orgId]);
  await dataSource.query(`INSERT INTO users (id) SELECT unnest($1::uuid[])`, [users.map(({ accountId }) => accountId)]);
  for (const user of users) {
    await dataSource.query(
      `INSERT INTO scim_users (id, org_id, user_id, user_name, external_id, display_name, active, created_at,
                               updated_at, attributes, deleted_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, CASE WHEN $11 THEN now() END)`,
      [
        user.id,
        orgId,
        user.accountId,
        user.userName,
        user.externalId,
        user.displayName,
        user.active,
        user.createdAt,
        user.updatedAt,
        JSON.stringify(user.attributes),
        user.isDeleted,
      ],
    );
  }
  for (const group of groups) {
    await dataSource.query(
      `INSERT INTO scim_groups (id, org_id, display_name, external_id, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [group.id, orgId, group.displayName, group.externalId, group.createdAt, group.updatedAt],
    );
    await dataSource.query(`INSERT INTO scim_group_members (group_id, scim_user_id) SELECT $1, unnest($2::uuid[])`, [
      group.id,
      group.members.map((place) => users[place]?.id),
    ]);
  }

  /** A manager who is a user is shown as they are now, and not at all once they are deleted. */
  const shownExtension = (extension: Record<string, Json> | undefined): Record<string, Json> => {
    const { manager: stored, ...others } = extension ?? {};
    const manager = users.find(({ id }) => id === (stored as Record<string, Json> | undefined)?.value);
    if (!manager) return {};
    const { id, displayName } = manager;
    const shown = {
      value: id,
      $ref: `https://toolyard.test/Users/${id}`,
      ...(displayName !== null && { displayName }),
    };
    return { [ENTERPRISE]: { ...others, ...(!manager.isDeleted && { manager: shown }) } };
  };

  const living = users.filter(({ isDeleted }) => !isDeleted);
  const userResources = living.map((user) => {
    const own = groups.filter(({ members }) => members.some((place) => users[place] === user));
    return {
      ...common(user, 'User', [USER, ...(ENTERPRISE in user.attributes ? [ENTERPRISE] : [])]),
      userName: user.userName,
      active: user.active,
      ...user.attributes,
      ...shownExtension(user.attributes[ENTERPRISE] as Record<string, Json> | undefined),
      ...(own.length > 0 && {
        groups: own.map(({ id, displayName }) => ({
          value: id,
          display: displayName,
          type: 'direct',
          $ref: `https://toolyard.test/Groups/${id}`,
        })),
      }),
    };
  });
  const groupResources = groups.map((group) => {
    const members = living.filter((user) => group.members.some((place) => users[place] === user));
    return {
      ...common(group, 'Group', [GROUP]),
      ...(members.length > 0 && {
        members: members.map(({ id, displayName, userName }) => ({
          value: id,
          display: displayName ?? userName,
          type: 'User',
          $ref: `https://toolyard.test/Users/${id}`,
        })),
      }),
    };
  });
  return { seed, orgId, users: userResources, groups: groupResources };
}

function common(row: (UserRow | GroupRow) & { id: string }, resourceType: string, schemas: string[]): Resource {
  return {
    schemas,
    id: row.id,
    ...(row.externalId !== null && { externalId: row.externalId }),
    ...(row.displayName !== null && { displayName: row.displayName }),
    meta: {
      resourceType,
      created: row.createdAt,
      lastModified: row.updatedAt,
      location: `https://toolyard.test/${resourceType}s/${row.id}`,
      version: 'W/"1"',
    },
  };
}
