import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root';

/** Since it was made. */
const KEPT_MS = 86_400_000;
const FOLDER = join(ROOT, 'node_modules/.cache/toolyard-tests');
/** As DATA_DIR has them (src/embedded/postgres-home.ts). */
const [CLUSTER, PASSWORD] = ['postgres', 'postgres.password'];

/**
 * The files of a stopped server that has the migrated template, kept from one run to the next: creating and migrating it
 * takes as long as many a suite. Where it cannot be kept or read, runs make their own.
 */
export class PreparedCluster {
  private readonly folder = join(FOLDER, `cluster-${digest()}`);

  /** @returns whether the folder has the server's files now */
  copyTo(dataDir: string): boolean {
    if (!existsSync(this.folder)) return false;
    try {
      copy(this.folder, dataDir);
      return true;
    } catch {
      for (const name of [CLUSTER, PASSWORD]) rmSync(join(dataDir, name), { recursive: true, force: true });
      return false;
    }
  }

  /** @param dataDir of a server that is stopped */
  keep(dataDir: string): void {
    const draft = join(FOLDER, randomUUID());
    try {
      mkdirSync(draft, { recursive: true, mode: 0o700 });
      removeOld();
      copy(dataDir, draft);
      renameSync(draft, this.folder);
    } catch {
      rmSync(draft, { recursive: true, force: true });
    }
  }
}

/** Those of other branches and of killed runs. */
function removeOld(): void {
  for (const name of readdirSync(FOLDER)) {
    const path = join(FOLDER, name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

function copy(from: string, to: string): void {
  // As root, the cluster may be elsewhere, and DATA_DIR links to it.
  cpSync(realpathSync(join(from, CLUSTER)), join(to, CLUSTER), { recursive: true });
  // The server refuses others.
  chmodSync(join(to, CLUSTER), 0o700);
  cpSync(join(from, PASSWORD), join(to, PASSWORD));
}

/** Of the migrations and the version of the server. */
function digest(): string {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const name of readdirSync(join(ROOT, 'migrations')).sort()) {
    hash.update(`${name}\0`).update(readFileSync(join(ROOT, 'migrations', name)));
  }
  return hash.digest('hex').slice(0, 16);
}
