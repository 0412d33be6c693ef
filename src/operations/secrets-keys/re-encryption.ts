import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import type { Secrets } from '../../config/secrets';
import type { SealedColumn } from '../../database/sealed-column';
import { execute, many } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { keysOf } from './known-key';
import { BATCH_SIZE, selectBatch, writeBatch } from './re-encryption.sql';
import { FORGET_OTHER_KEYS, type Holder, LOCK, NOTE_KEY, OTHER_SEALERS } from './secrets-keys.sql';

/** Rows that others keep locked, or copy while this runs, are done in a later pass. */
const MAX_PASSES = 20;
const PAUSE_MS = 500;
/** Ids of unreadable rows that are kept per column; all are counted. */
const MAX_NAMED = 100;

/** What one pass over a column found. */
export interface ColumnCount {
  column: SealedColumn;
  /** Sealed by the current key already. */
  current: number;
  /** Sealed by another accepted key. With `reEncrypt`: of them, those that were sealed again. */
  other: number;
  resealed: number;
  unreadable: number;
  /** Primary keys as text, the first ones. */
  unreadableKeys: string[];
}

interface SealedRow {
  key: string | Buffer;
  name: string;
  context: Buffer;
  sealed: Buffer;
}

interface Change {
  row: SealedRow;
  resealed: Buffer;
}

/**
 * Seals what former keys have sealed again, with the current one, while the service runs: in batches in key order, each
 * a single statement that changes a value only if nobody else has changed it, and waits for no lock. It keeps no state,
 * so it can be interrupted and run again at any time.
 */
export class ReEncryption {
  private readonly keyrings = new Map<string, Keyring>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: Secrets,
    private readonly columns: readonly SealedColumn[],
  ) {}

  /** Changes nothing. */
  async check(): Promise<ColumnCount[]> {
    const counts: ColumnCount[] = [];
    for (const column of this.columns) counts.push(await this.pass(column, false));
    return counts;
  }

  /**
   * @param onPass receives what a pass has found and done
   * @returns of the last pass: nothing is sealed by a former key if `other` is 0 everywhere
   * @throws Error for the operator if processes run that seal with another key
   */
  async run(onPass: (counts: readonly ColumnCount[]) => void): Promise<ColumnCount[]> {
    await this.requireOneSealer();
    for (let pass = 1; ; pass++) {
      const counts: ColumnCount[] = [];
      for (const column of this.columns) counts.push(await this.pass(column, true));
      onPass(counts);
      const isDone = counts.every(({ other }) => other === 0);
      if (isDone || pass === MAX_PASSES) {
        if (isDone && counts.every(({ unreadable }) => unreadable === 0)) await this.finish();
        return counts;
      }
      if (counts.every(({ resealed }) => resealed === 0)) await sleep(PAUSE_MS);
    }
  }

  private async requireOneSealer(): Promise<void> {
    const [key] = this.secrets.ids;
    const others = await many<Holder>(this.dataSource, OTHER_SEALERS, [key]);
    if (others.length > 0) throw new Error(notSwitched(key, others));
  }

  /** From now on, a process that does not know the former keys may start without a warning. */
  private async finish(): Promise<void> {
    const [key] = this.secrets.ids;
    await inTransaction(this.dataSource, async (manager) => {
      await execute(manager, LOCK);
      const others = await many<Holder>(manager, OTHER_SEALERS, [key]);
      if (others.length > 0) throw new Error(notSwitched(key, others));
      await execute(manager, NOTE_KEY, [key]);
      await execute(manager, FORGET_OTHER_KEYS, [key]);
    });
  }

  private async pass(column: SealedColumn, isWriting: boolean): Promise<ColumnCount> {
    const keys = this.keyringOf(column);
    const count: ColumnCount = { column, current: 0, other: 0, resealed: 0, unreadable: 0, unreadableKeys: [] };
    let after: SealedRow['key'] | null = null;
    for (;;) {
      const rows: SealedRow[] = await many<SealedRow>(this.dataSource, selectBatch(column), [after]);
      const changes: Change[] = [];
      for (const row of rows) {
        const opened = tryUnsealText(keys, row.context, row.sealed);
        if (!opened) {
          count.unreadable++;
          if (count.unreadableKeys.length < MAX_NAMED) count.unreadableKeys.push(row.name);
        } else if (opened.keyIndex === 0) count.current++;
        else if (isWriting) changes.push({ row, resealed: sealText(keys, row.context, opened.text) });
        else count.other++;
      }
      if (changes.length > 0) {
        count.other += changes.length;
        count.resealed += await this.write(column, changes);
      }
      if (rows.length < BATCH_SIZE) return count;
      after = rows.at(-1)?.key ?? null;
    }
  }

  /** @returns how many were changed: not those that others have changed or keep locked */
  private write(column: SealedColumn, changes: readonly Change[]): Promise<number> {
    return execute(this.dataSource, writeBatch(column), [
      changes.map(({ row }) => row.key),
      changes.map(({ row }) => row.sealed),
      changes.map(({ resealed }) => resealed),
    ]);
  }

  private keyringOf({ purpose }: SealedColumn): Keyring {
    let keys = this.keyrings.get(purpose);
    if (!keys) this.keyrings.set(purpose, (keys = this.secrets.derive(purpose)));
    return keys;
  }
}

function notSwitched(key: string, others: readonly Holder[]): string {
  return (
    `${others.length} running process(es) still encrypt with another SECRETS_KEY (${keysOf(others)}) than this command ` +
    `(id ${key}). Restart them with the new SECRETS_KEY, and the former one in SECRETS_KEYS_ACCEPTED, then run it again.`
  );
}
