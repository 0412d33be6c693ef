import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import type { JWK } from 'jose';
import { DataSource, type EntityManager, In, IsNull, Not } from 'typeorm';
import { Clock } from '../../config/clock';
import type { Keyring } from '../../config/keyring';
import { sealText, unsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import { execute } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { currentKey, dueChanges, publishedFirst } from './key-rotation';
import { generateSigningKey, type KeyPair, keyPairOf, type LoadedKey, loadKey } from './signing-key';
import { StoredSigningKey } from './signing-key.entity';

/** Where the first release kept its key, in DATA_DIR. */
const KEY_FILE = 'signing-key.json';

/** The keys that encrypt the private parts, for `Secrets.derive`. */
export const SIGNING_KEY_PURPOSE = 'signing keys';

/**
 * `published first`: 25 hours in the JWKS before it signs, as each month. `at once`: those who cache the JWKS refuse its
 * tokens until they fetch it again. `revoking`: also removes all others, after a leak.
 */
export type RotationMode = 'published first' | 'at once' | 'revoking';

/** For rotations by hand. All are in the JWKS, and in the way of everyone who reads it. */
const MAX_KEYS = 10;

/** One process at a time changes the keys, and sees what the others did before. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('signing keys'))`;

/** The signing keys in the database. */
@Injectable()
export class SigningKeyStore {
  private readonly logger = new Logger(SigningKeyStore.name);
  private readonly encryptionKeys: Keyring;
  /** Decrypting and importing a key takes longer than reading it. */
  private loaded: ReadonlyMap<string, LoadedKey> = new Map();

  constructor(
    private readonly dataSource: DataSource,
    secrets: Secrets,
    private readonly clock: Clock,
  ) {
    this.encryptionKeys = secrets.derive(SIGNING_KEY_PURPOSE);
  }

  /**
   * Does what the rotation requires now: creates the first or the next key, and removes keys whose tokens have all
   * expired. Any number of processes may call it at once, at any time.
   *
   * @param dataDir also import the key file of the first release from there, if it exists: as the current key if there
   *   is none, or else to verify its tokens until the last one has expired. A file is imported once.
   * @returns the keys in the order of their creation
   * @throws Error for the operator if `SECRETS_KEY` does not decrypt the keys, or the file is not a key. Nothing has been
   *   changed then.
   */
  async maintain(dataDir?: string): Promise<readonly LoadedKey[]> {
    const file = dataDir === undefined ? undefined : await readKeyFile(join(dataDir, KEY_FILE));
    const lines: string[] = [];
    await inTransaction(this.dataSource, async (manager) => {
      lines.length = 0;
      await execute(manager, LOCK);
      if (file !== undefined) lines.push(...(await this.importOnce(manager, file)));
      const { ended, next } = dueChanges(await this.load(manager), this.clock.now());
      if (next !== undefined) lines.push(await this.create(manager, next));
      if (ended.length > 0) lines.push(await this.remove(manager, ended));
    });
    for (const line of lines) this.logger.log(line);
    return this.read();
  }

  /**
   * Rotates before the month is over, at the operator's request. The monthly rotation continues from there.
   *
   * @returns lines for the operator
   * @throws Error for the operator if there are too many keys already; see `maintain`
   */
  async rotate(mode: RotationMode): Promise<string[]> {
    await this.maintain();
    const lines = await inTransaction(this.dataSource, async (manager) => {
      await execute(manager, LOCK);
      const [keys, now] = [await this.load(manager), this.clock.now()];
      if (mode === 'published first') {
        const next = keys.find(({ signsFrom }) => signsFrom !== null && signsFrom > now);
        if (next) return [`The next key ${next.kid} exists already; it signs from ${next.signsFrom?.toISOString()}.`];
      }
      if (mode !== 'revoking' && keys.length >= MAX_KEYS)
        throw new Error(
          `There are ${keys.length} signing keys already, each of which is kept until its last token has expired.`,
        );
      const created = await this.create(manager, mode === 'published first' ? publishedFirst(now) : now);
      if (mode !== 'revoking') return [created];
      await this.remove(
        manager,
        keys.map(({ kid }) => kid),
      );
      return [created, `Removed all other keys (${keys.length}): the tokens that they signed are refused from now on.`];
    });
    for (const line of lines) this.logger.log(line);
    return lines;
  }

  /**
   * @returns the keys in the order of their creation
   * @throws Error for the operator if `SECRETS_KEY` does not decrypt them
   */
  read(): Promise<readonly LoadedKey[]> {
    return this.load(this.dataSource.manager);
  }

  private async load(manager: EntityManager): Promise<readonly LoadedKey[]> {
    const rows = await manager
      .getRepository(StoredSigningKey)
      .find({ where: { publicJwk: Not(IsNull()) }, order: { createdAt: 'ASC', kid: 'ASC' } });
    const known = this.loaded;
    const keys = await Promise.all(
      rows.map(async (row) => {
        const key = known.get(row.kid);
        return key?.signsFrom?.getTime() === row.signsFrom?.getTime() && key ? key : this.open(row);
      }),
    );
    this.loaded = new Map(keys.map((key) => [key.kid, key]));
    return keys;
  }

  private open(row: StoredSigningKey): Promise<LoadedKey> {
    const { kid, publicJwk, encryptedPrivateJwk } = row;
    if (publicJwk === null) throw new Error(`The signing key ${kid} has ended.`);
    return loadKey(row, publicJwk, encryptedPrivateJwk === null ? undefined : this.decrypt(kid, encryptedPrivateJwk));
  }

  private decrypt(kid: string, encrypted: Buffer): JWK {
    try {
      return JSON.parse(unsealText(this.encryptionKeys, kid, encrypted)) as JWK;
    } catch (error) {
      throw new Error(
        `SECRETS_KEY is not the one with which the signing key ${kid} in the database was encrypted; nothing was ` +
          'changed. Start with that SECRETS_KEY. If it is lost, delete all rows of the table signing_keys: a new key is ' +
          'then created, and all access tokens become invalid.',
        { cause: error },
      );
    }
  }

  /** @returns lines for the log */
  private async importOnce(manager: EntityManager, pair: KeyPair): Promise<string[]> {
    if (await manager.getRepository(StoredSigningKey).existsBy({ kid: pair.kid })) return [];
    const now = this.clock.now();
    const isFirst = currentKey(await this.load(manager), now) === undefined;
    await this.insert(manager, pair, { isImported: true, createdAt: now, signsFrom: isFirst ? now : null });
    return [
      isFirst
        ? `Imported the signing key ${pair.kid} from DATA_DIR.`
        : `Imported the signing key ${pair.kid} from DATA_DIR to verify existing tokens; another key signs.`,
    ];
  }

  private async create(manager: EntityManager, signsFrom: Date): Promise<string> {
    const pair = await generateSigningKey();
    await this.insert(manager, pair, { isImported: false, createdAt: this.clock.now(), signsFrom });
    return `Created the signing key ${pair.kid}; it signs from ${signsFrom.toISOString()}.`;
  }

  private async insert(
    manager: EntityManager,
    { kid, publicJwk, privateJwk }: KeyPair,
    times: Pick<StoredSigningKey, 'isImported' | 'createdAt' | 'signsFrom'>,
  ): Promise<void> {
    const encryptedPrivateJwk = times.signsFrom && sealText(this.encryptionKeys, kid, JSON.stringify(privateJwk));
    await manager.getRepository(StoredSigningKey).insert({ kid, publicJwk, encryptedPrivateJwk, ...times });
  }

  /** An imported key leaves its kid, so that the file is not imported again. */
  private async remove(manager: EntityManager, kids: string[]): Promise<string> {
    const keys = manager.getRepository(StoredSigningKey);
    await keys.delete({ kid: In(kids), isImported: false });
    await keys.update({ kid: In(kids) }, { publicJwk: null, encryptedPrivateJwk: null, signsFrom: null });
    return `Removed the signing keys ${kids.join(', ')}, whose last tokens have expired.`;
  }
}

/** @returns undefined if the file does not exist */
async function readKeyFile(path: string): Promise<KeyPair | undefined> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`DATA_DIR: ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  try {
    return await keyPairOf(JSON.parse(text) as JWK);
  } catch {
    // Without the cause, which may quote the key.
    throw new Error(`DATA_DIR: ${path} is not a signing key. Restore it from a backup, or remove it.`);
  }
}
