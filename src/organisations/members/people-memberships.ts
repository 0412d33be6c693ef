import { type Connection, many } from '../../database/statements';
import type { Role } from './role';

/** So many organisations of each person are shown at most; the count includes the others. */
const MAX_SHOWN = 5;
const MAX_COUNTED = 100;

/** In which organisation a person is, and as what. */
export interface PersonMembership {
  org_id: string;
  name: string;
  role: Role;
}

/** The organisations of a person. */
export interface PersonMemberships {
  /** The first ones. */
  shown: PersonMembership[];
  /** Counted up to 100, which then means as many or more. */
  count: number;
}

type Row = PersonMembership & { user_id: string; count: number };

/** $1 accounts; by the index of each one's memberships. */
const OF_PEOPLE = `
  SELECT person.id AS user_id, own.org_id, organisations.name, own.role, own.count
  FROM unnest($1::uuid[]) AS person (id)
  CROSS JOIN LATERAL (
    SELECT first.org_id, first.role, (count(*) OVER ())::int AS count, row_number() OVER (ORDER BY first.org_id) AS place
    FROM (SELECT org_id, role FROM memberships WHERE user_id = person.id AND role IS NOT NULL
          ORDER BY org_id LIMIT ${MAX_COUNTED}) AS first) AS own
  JOIN organisations ON organisations.id = own.org_id
  WHERE own.place <= ${MAX_SHOWN}
  ORDER BY own.org_id`;

/** @returns the organisations of each of these accounts that is in one, in one statement */
export async function membershipsOfPeople(
  connection: Connection,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, PersonMemberships>> {
  const found = new Map<string, PersonMemberships>();
  if (userIds.length === 0) return found;
  for (const { user_id, count, ...membership } of await many<Row>(connection, OF_PEOPLE, [userIds])) {
    const own = found.get(user_id);
    if (own) own.shown.push(membership);
    else found.set(user_id, { shown: [membership], count });
  }
  return found;
}
