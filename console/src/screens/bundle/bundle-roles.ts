import type { Bundle } from '../../api/schema';

/** What of a signed-in person decides about a bundle. */
export interface Person {
  id: string;
  organisations: readonly { org_id: string; name: string; role: string | null; suspended: boolean }[];
}

type Owned = Pick<Bundle, 'org_id' | 'owner_id' | 'may_modify'>;

/** @returns the organisation of the bundle, if the person is an active member of it */
export function organisationOf({ org_id }: Pick<Bundle, 'org_id'>, { organisations }: Person) {
  return organisations.find((one) => one.org_id === org_id && one.role !== null && !one.suspended);
}

/** @returns whether the API answers the person about tools, editors and followers, as the rule `bundle-insider` says */
export function isInsider(bundle: Owned, person: Person): boolean {
  return bundle.may_modify || bundle.owner_id === person.id || organisationOf(bundle, person) !== undefined;
}

/** Whose the bundle is, for the person who looks. */
export type Ownership = 'own' | 'organisation' | 'other-organisation' | 'other-person';

/** @returns whose the bundle is; an organisation only if the person knows its name */
export function ownershipOf(bundle: Owned, person: Person): Ownership {
  if (bundle.org_id !== null) return organisationOf(bundle, person) ? 'organisation' : 'other-organisation';
  return bundle.owner_id === person.id ? 'own' : 'other-person';
}
