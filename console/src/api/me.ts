import type { Answer } from './client';
import { useRead } from './queries';

/** The signed-in person, and their roles. */
export type Me = Answer<'GET /v1/users/me'>;

/** Reads who is signed in, once for the whole page. */
export const useMe = () => useRead('GET /v1/users/me', {});

/** @returns who is signed in; only below the shell, which has read it */
export function useSignedIn(): Me {
  const { data } = useMe();
  if (!data) throw new Error('The shell renders screens only for people who are signed in.');
  return data;
}

/** @returns whether the person administers the organisation */
export function administers(me: Me, orgId: string | null): boolean {
  const role = me.organisations.find(({ org_id }) => org_id === orgId)?.role;
  return role === 'ADMIN' || role === 'OWNER';
}
