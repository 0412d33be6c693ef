import type { EntityManager } from 'typeorm';
import { prepared } from '../../../database/prepared';
import { maybe } from '../../../database/statements';
import { PLAN_FOR_EVERYBODY, PLAN_FOR_SOME } from '../resolution/outcome.sql';
import type { ScimSettings } from '../resolution/role-resolution';

/** The defaults of an organisation without a row. */
export const DEFAULT_SETTINGS: ScimSettings = {
  defaultRole: 'MEMBER',
  allowOwnerMapping: false,
  lastOwnerPolicy: 'retain',
};

const SETTINGS = `
  default_role AS "defaultRole", allow_owner_mapping AS "allowOwnerMapping", last_owner_policy AS "lastOwnerPolicy"`;

/**
 * The settings of an organisation in the form for role resolution. In plain SQL, as every write of an identity provider
 * reads them.
 */
export async function storedSettings(manager: EntityManager, orgId: string): Promise<ScimSettings> {
  return (
    (await maybe<ScimSettings>(manager, `SELECT ${SETTINGS} FROM scim_settings WHERE org_id = $1`, [orgId])) ??
    DEFAULT_SETTINGS
  );
}

/** $1 organisation. One row. */
function andSettings(plan: string): string {
  return `${plan}, ${SETTINGS} FROM (SELECT) AS always LEFT JOIN scim_settings ON org_id = $1`;
}

const FOR_SOME = { name: 'settings, roles of some', sql: andSettings(PLAN_FOR_SOME) };
const FOR_EVERYBODY = { name: 'settings, roles of everybody', sql: andSettings(PLAN_FOR_EVERYBODY) };

/**
 * Reads the settings, and makes the planner's settings for role resolution until it has taken place.
 *
 * @param whose the users whose roles follow
 */
export async function settingsForRoles(
  manager: EntityManager,
  orgId: string,
  whose: 'some' | 'everybody',
): Promise<ScimSettings> {
  const [row] = await prepared<{ [Name in keyof ScimSettings]: ScimSettings[Name] | null }>(
    manager,
    whose === 'some' ? FOR_SOME : FOR_EVERYBODY,
    [orgId],
  );
  const { defaultRole = null, allowOwnerMapping = null, lastOwnerPolicy = null } = row ?? {};
  if (allowOwnerMapping === null || lastOwnerPolicy === null) return DEFAULT_SETTINGS;
  return { defaultRole, allowOwnerMapping, lastOwnerPolicy };
}
