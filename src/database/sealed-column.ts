/**
 * A column with values that are sealed by `SECRETS_KEY` (`config/sealed-text.ts`). The module that owns the table
 * declares it, so that `npm run re-encrypt` finds it.
 */
export interface SealedColumn {
  table: string;
  column: string;
  /** The primary key, a single column. */
  key: string;
  keyType: 'bytea' | 'text' | 'uuid';
  /** `Secrets.derive` takes this purpose. */
  purpose: string;
  /** An SQL expression over the row for the context of `sealText`, as bytea. */
  context: string;
}
