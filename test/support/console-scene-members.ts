import type { ConsoleScene } from './console-scene';
import { createScimUser } from './factories';
import { syncOf } from './organisations';
import { newId } from '../../src/database/id';

/** People of the directory, by their groups. */
export const DIRECTORY = {
  'Platform engineers': ['Ada Lovelace', 'Grace Hopper'],
  'Support team': ['Alan Turing', 'Barbara Liskov'],
  Contractors: ['Edsger Dijkstra'],
} as const;

/**
 * Adds a directory to the organisation of the scene, as an identity provider would have pushed it. Nothing is mapped:
 * everybody is a member by the default role.
 */
export async function addDirectory({ test: { dataSource }, orgId, as }: ConsoleScene): Promise<void> {
  for (const [group, names] of Object.entries(DIRECTORY)) {
    const groupId = newId();
    await dataSource.query(`INSERT INTO scim_groups (id, org_id, display_name) VALUES ($1, $2, $3)`, [
      groupId,
      orgId,
      group,
    ]);
    for (const name of names) {
      const { id } = await createScimUser(dataSource, orgId);
      await dataSource.query(`UPDATE scim_users SET display_name = $2 WHERE id = $1`, [id, name]);
      const address = `${name.toLowerCase().replace(' ', '-')}@acme.example`;
      await dataSource.query(
        `UPDATE users SET email = $2 FROM scim_users WHERE scim_users.id = $1 AND users.id = scim_users.user_id`,
        [id, address],
      );
      await dataSource.query(`INSERT INTO scim_group_members (group_id, scim_user_id) VALUES ($1, $2)`, [groupId, id]);
    }
  }
  await as.lead.post(`/v1/organisations/${orgId}/scim/tokens`, { name: 'Okta' });
  await syncOf(as.lead, orgId);
}
