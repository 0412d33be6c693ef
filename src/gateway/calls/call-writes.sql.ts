import type { Columns } from '../../database/columns';
import type { PreparedStatement } from '../../database/prepared';
import type { EndpointCall } from './endpoint-call.entity';

/** A row of the record, as it is written. */
export type CallRow = Columns<EndpointCall>;

/**
 * Writes a group of rows, in one statement: $1 to $24 are columns. A row that is there already is completed if its call had not
 * ended, and left alone otherwise, so the same group can be written again when it is not known whether it was.
 */
export const WRITE_CALLS: PreparedStatement = {
  name: 'mcp write calls',
  sql: `
  INSERT INTO endpoint_calls (
    bundle_id, id, deployment_id, bundle_version, entry_id, method, name, exposed_name, definition_digest, principal_type,
    principal_id, client_name, client_version, era, outcome, error_code, duration_us, upstream_us, bytes_in, bytes_out,
    request_id, trace_id, argument_keys, argument_digest)
  SELECT * FROM unnest(
    $1::uuid[], $2::uuid[], $3::uuid[], $4::integer[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::bytea[],
    $10::text[], $11::uuid[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::integer[],
    $18::integer[], $19::integer[], $20::integer[], $21::text[], $22::uuid[], $23::jsonb[], $24::bytea[])
  ON CONFLICT (bundle_id, id) DO UPDATE
    SET outcome = excluded.outcome, error_code = excluded.error_code, duration_us = excluded.duration_us,
        upstream_us = excluded.upstream_us, bytes_out = excluded.bytes_out
    WHERE endpoint_calls.bytes_out IS NULL`,
};

/** @returns the parameters of `WRITE_CALLS` */
export function callColumns(rows: readonly CallRow[]): unknown[][] {
  return [
    rows.map(({ bundle_id }) => bundle_id),
    rows.map(({ id }) => id),
    rows.map(({ deployment_id }) => deployment_id),
    rows.map(({ bundle_version }) => bundle_version),
    rows.map(({ entry_id }) => entry_id),
    rows.map(({ method }) => method),
    rows.map(({ name }) => name),
    rows.map(({ exposed_name }) => exposed_name),
    rows.map(({ definition_digest }) => definition_digest),
    rows.map(({ principal_type }) => principal_type),
    rows.map(({ principal_id }) => principal_id),
    rows.map(({ client_name }) => client_name),
    rows.map(({ client_version }) => client_version),
    rows.map(({ era }) => era),
    rows.map(({ outcome }) => outcome),
    rows.map(({ error_code }) => error_code),
    rows.map(({ duration_us }) => duration_us),
    rows.map(({ upstream_us }) => upstream_us),
    rows.map(({ bytes_in }) => bytes_in),
    rows.map(({ bytes_out }) => bytes_out),
    rows.map(({ request_id }) => request_id),
    rows.map(({ trace_id }) => trace_id),
    rows.map(({ argument_keys }) => argument_keys && JSON.stringify(argument_keys)),
    rows.map(({ argument_digest }) => argument_digest),
  ];
}
