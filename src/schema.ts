import { MIGRATIONS as IN_ORDER } from '../migrations/migrations';
import { DECLARED } from './app.module';

/** Every table the code knows; `test/migrations.e2e-spec.ts` compares the list with the migrations. */
export const ENTITIES = DECLARED.entities;

/** What `SECRETS_KEY` seals in them. */
export const SEALED_COLUMNS = DECLARED.sealed;

/** In the order in which they run. */
export const MIGRATIONS = IN_ORDER;
