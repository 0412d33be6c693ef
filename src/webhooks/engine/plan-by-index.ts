import type { EntityManager } from 'typeorm';
import { prepared, type PreparedStatement } from '../../database/prepared';

/** With a parameter, so that it is sent with others even where statements have no names (behind PgBouncer). */
const BY_INDEX: PreparedStatement = {
  name: 'webhook_plan_by_index',
  sql: `
  SELECT set_config('enable_seqscan', $1, true), set_config('jit', $1, true),
         set_config('plan_cache_mode', 'force_generic_plan', true)`,
};

/**
 * Keeps the planner from reading whole tables in this transaction. A connection keeps the plan of a prepared statement
 * until the table is analyzed: where it was made while the queue was empty, it would read all of a queue that has
 * grown since, again and again. Also from planning a statement each time, which it prefers where an array of one element
 * looks cheaper than one of unknown length. Issue it together with the first statement.
 */
export async function planByIndex(manager: EntityManager): Promise<void> {
  await prepared(manager, BY_INDEX, ['off']);
}
