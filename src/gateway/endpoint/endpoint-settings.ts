import type { EntityManager } from 'typeorm';
import { maybe, one } from '../../database/statements';
import { DEFAULT_SETTINGS, type EndpointRow } from './endpoint.dto';

/** $1 bundle. */
const READ = `
  SELECT is_enabled, naming, name_budget, default_access, presentation, record, record_arguments, updated_at
  FROM bundle_endpoints WHERE bundle_id = $1`;

/** $1 bundle, $2 to $6 settings. */
const WRITE = `
  INSERT INTO bundle_endpoints
    (bundle_id, is_enabled, naming, name_budget, default_access, presentation, record, record_arguments)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (bundle_id) DO UPDATE
    SET is_enabled = excluded.is_enabled, naming = excluded.naming, name_budget = excluded.name_budget,
        default_access = excluded.default_access, presentation = excluded.presentation,
        record = excluded.record, record_arguments = excluded.record_arguments,
        stamp = bundle_endpoints.stamp + 1, updated_at = now()
  RETURNING is_enabled, naming, name_budget, default_access, presentation, record, record_arguments, updated_at`;

/** @returns the settings of a bundle as an endpoint; the defaults if nobody has changed them */
export async function readSettings(manager: EntityManager, bundleId: string): Promise<EndpointRow> {
  return (await maybe<EndpointRow>(manager, READ, [bundleId])) ?? DEFAULT_SETTINGS;
}

/** @param manager of a transaction that has locked the bundle */
export async function writeSettings(
  manager: EntityManager,
  bundleId: string,
  row: Omit<EndpointRow, 'updated_at'>,
): Promise<EndpointRow> {
  const { is_enabled, naming, name_budget, default_access, presentation, record, record_arguments } = row;
  const values = [is_enabled, naming, name_budget, default_access, presentation, record, record_arguments];
  return one<EndpointRow>(manager, WRITE, [bundleId, ...values]);
}
