import type { EntityManager } from 'typeorm';
import { maybe } from '../../../database/statements';
import type { ScimSettings } from '../resolution/role-resolution';

/** The defaults of an organisation without a row. */
export const DEFAULT_SETTINGS: ScimSettings = {
  defaultRole: 'MEMBER',
  allowOwnerMapping: false,
  lastOwnerPolicy: 'retain',
};

/**
 * The settings of an organisation in the form for role resolution. In plain SQL, as every write of an identity provider
 * reads them.
 */
export async function storedSettings(manager: EntityManager, orgId: string): Promise<ScimSettings> {
  const row = await maybe<ScimSettings>(
    manager,
    `SELECT default_role AS "defaultRole", allow_owner_mapping AS "allowOwnerMapping",
            last_owner_policy AS "lastOwnerPolicy"
     FROM scim_settings WHERE org_id = $1`,
    [orgId],
  );
  return row ?? DEFAULT_SETTINGS;
}
