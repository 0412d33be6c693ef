import type { EntityManager } from 'typeorm';
import { maybe, one } from '../../database/statements';
import type { Columns } from '../../database/columns';
import { NAME_BUDGET } from '../protocol/exposed-name';
import type { BundleEndpoint } from './bundle-endpoint.entity';

/** The settings of an endpoint, as stored; those of a bundle without a row are the defaults. */
export type EndpointRow = Pick<
  Columns<BundleEndpoint>,
  'is_enabled' | 'naming' | 'name_budget' | 'default_access' | 'presentation' | 'record' | 'record_arguments'
> & {
  updated_at: Date | null;
};

export const DEFAULT_SETTINGS: EndpointRow = {
  is_enabled: false,
  naming: 'PREFIX',
  name_budget: NAME_BUDGET.fallback,
  default_access: 'ALLOW',
  presentation: 'ALL',
  record: 'BUFFERED',
  record_arguments: 'NONE',
  updated_at: null,
};

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

/** @returns the settings of a bundle as an endpoint; the defaults if no one has changed them */
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
