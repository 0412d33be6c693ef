import type { EntityManager } from 'typeorm';
import { maybe, one } from '../../database/statements';
import { DEFAULT_SETTINGS, type EndpointRow } from './endpoint.dto';

/** $1 bundle. */
const READ = `
  SELECT is_enabled, naming, name_budget, record, record_arguments, updated_at
  FROM bundle_endpoints WHERE bundle_id = $1`;

/** $1 bundle, $2 to $6 settings. */
const WRITE = `
  INSERT INTO bundle_endpoints (bundle_id, is_enabled, naming, name_budget, record, record_arguments)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (bundle_id) DO UPDATE
    SET is_enabled = excluded.is_enabled, naming = excluded.naming, name_budget = excluded.name_budget,
        record = excluded.record, record_arguments = excluded.record_arguments,
        stamp = bundle_endpoints.stamp + 1, updated_at = now()
  RETURNING is_enabled, naming, name_budget, record, record_arguments, updated_at`;

/** @returns the settings of a bundle as an endpoint; the defaults if nobody has changed them */
export async function readSettings(manager: EntityManager, bundleId: string): Promise<EndpointRow> {
  return (await maybe<EndpointRow>(manager, READ, [bundleId])) ?? DEFAULT_SETTINGS;
}

/** @param manager of a transaction that has locked the bundle */
export async function writeSettings(
  manager: EntityManager,
  bundleId: string,
  { is_enabled, naming, name_budget, record, record_arguments }: Omit<EndpointRow, 'updated_at'>,
): Promise<EndpointRow> {
  return one<EndpointRow>(manager, WRITE, [bundleId, is_enabled, naming, name_budget, record, record_arguments]);
}
