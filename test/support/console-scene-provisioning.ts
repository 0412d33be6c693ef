import type { ConsoleScene } from './console-scene';
import { DIALECTS, type Dialect, type Person } from './scim-dialects';
import { ScimConnection } from './scim-connection';
import { patch } from './scim-shapes/shape';

/** @returns how an identity provider speaks, by its name in `DIALECTS` */
export function dialectNamed(name: string): Dialect {
  const found = DIALECTS.find(([title]) => title === name)?.[1];
  if (!found) throw new Error(`No identity provider is called ${name}.`);
  return found;
}

/** @returns a person of a directory whose address is unique to the name */
export function personNamed(givenName: string, familyName: string, domain = 'acme.example'): Person {
  const userName = `${givenName}.${familyName}@${domain}`.toLowerCase();
  return { id: '', userName, email: userName, givenName, familyName, active: true };
}

/**
 * Adds what the screens Provisioning, Allow list and Audit log show: a domain that is vouched for and one that is not, a
 * directory with calls of which some failed, and a request for a server.
 *
 * @returns the id of a call that failed
 */
export async function addProvisioning({ test, as, orgId }: ConsoleScene): Promise<{ failedEntryId: string }> {
  await as.lead.post(`/v1/organisations/${orgId}/domains`, { domain: 'acme.test' });
  await as.admin.put(`/v1/organisations/${orgId}/domains/acme.example/vouch`);
  const entra = dialectNamed('Entra ID');
  const connection = await ScimConnection.open(test, as.lead, orgId);
  await connection.send(entra.testConnection);
  const people = [personNamed('Ada', 'Lovelace'), personNamed('Grace', 'Hopper')];
  const ids: string[] = [];
  for (const person of people) ids.push(String((await connection.call(201, entra.create(person))).body.id));
  await connection.call(201, { method: 'POST', path: '/Groups', body: groupOf(ids) });
  for (const person of people) await connection.call(409, entra.create(person));
  await connection.call(400, {
    method: 'PATCH',
    path: `/Users/${ids[0]}`,
    body: patch({ op: 'replace', path: 'shoeSize', value: '38' }),
  });
  await as.employee.post(`/v1/organisations/${orgId}/server-requests`, {
    name: 'A server for our wiki',
    why: 'To look pages up while writing.',
  });
  const failed = (await as.lead.get(`/v1/organisations/${orgId}/scim/log?failed=true`)).body;
  return { failedEntryId: failed[0]?.id ?? '' };
}

const groupOf = (ids: readonly string[]) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  displayName: 'Engineers',
  members: ids.map((value) => ({ value })),
});
