import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { Notifications } from '../../database/notifications';
import type { KeyFacts } from '../../metrics/health-sources';
import { currentKey } from './key-rotation';
import type { LoadedKey, PublicKey, SigningKey } from './signing-key';
import { SigningKeyStore } from './signing-key-store';

/** Sent by a trigger on `signing_keys`. */
const CHANNEL = 'signing_keys';

/** How often the turn of the next key is checked, and the database polled while notifications do not arrive. */
const TICK_MS = 2_000;

/** Tokens with unknown keys make a process read the keys at most this often. */
const PAUSE_MS = 1_000;

/** A thumbprint by SHA-256 in base64url: no other kid can be one of ours. */
const THUMBPRINT = /^[\w-]{43}$/;

/**
 * The keys with which this service signs and verifies tokens, as in the database now: every replica has a change within
 * five seconds, by notification, or by polling while notifications are lost. Has no keys with an external issuer.
 */
@Injectable()
export class SigningKeys implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(SigningKeys.name);
  private readonly listeners: (() => void)[] = [];
  private keys: readonly LoadedKey[] = [];
  private byKid: ReadonlyMap<string, PublicKey> = new Map();
  /** What listeners were last called for. */
  private announced = '';
  private timer?: NodeJS.Timeout;
  /** The read under way, or the last one. Never rejects. */
  private reading: Promise<unknown> = Promise.resolve();
  /** The read that begins after it. */
  private waiting?: Promise<void>;
  /** The last read began at this time of `performance.now()`. */
  private readAt = -Infinity;
  private search?: Promise<void>;

  constructor(
    private readonly environment: Environment,
    private readonly store: SigningKeyStore,
    private readonly notifications: Notifications,
    private readonly clock: Clock,
  ) {}

  /** @throws Error for the operator, see `SigningKeyStore.maintain` */
  async onModuleInit(): Promise<void> {
    if (this.environment.externalIssuer) return;
    this.notifications.listen(CHANNEL, () => this.readLater());
    this.adopt(await this.store.maintain(this.environment.dataDir));
    this.timer = setInterval(() => {
      if (this.notifications.connected) this.announce();
      else this.readLater();
    }, TICK_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** The key that signs now. Ask for each signature: another one may sign a moment later. */
  current(): SigningKey {
    const key = currentKey(this.keys, this.clock.now())?.private;
    if (key === undefined) throw new Error('There are no signing keys: the issuer is external, or not started.');
    return key;
  }

  /** Since when the key of `current` signs; undefined if there are no keys. */
  signsSince(): Date | undefined {
    return currentKey(this.keys, this.clock.now())?.signsFrom ?? undefined;
  }

  /** How old the keys that sign, have signed or will sign are, in the order of their creation. */
  facts(): KeyFacts[] {
    const now = this.clock.now();
    const current = currentKey(this.keys, now);
    return this.keys.flatMap((key): KeyFacts[] => {
      if (key.signsFrom === null) return [];
      const use = key === current ? 'CURRENT' : key.signsFrom > now ? 'NEXT' : 'FORMER';
      return [{ purpose: 'SIGNING', id: key.kid, use, since: key.signsFrom }];
    });
  }

  /**
   * The keys that sign, have signed or will sign, the current one first: a key set for a signer that uses the first and
   * publishes all. Keys that only verify are not included.
   */
  keystore(): readonly SigningKey[] {
    const current = this.current();
    const others = this.keys.flatMap((key) => (key.private && key.private !== current ? [key.private] : []));
    return [current, ...others];
  }

  /** All keys whose tokens are accepted, in the order of their creation: the JWKS. */
  published(): readonly PublicKey[] {
    return this.keys.map((key) => key.public);
  }

  /** @returns the published key, by what is known here; undefined if there is none */
  find(kid: string): PublicKey | undefined {
    return this.byKid.get(kid);
  }

  /**
   * Like `find`, but reads the keys again first, as another replica may have created one just now. Waits for up to a
   * second, since this happens at most once a second.
   *
   * @throws what the driver throws if the database does not answer
   */
  async lookUp(kid: string): Promise<PublicKey | undefined> {
    if (!THUMBPRINT.test(kid)) return undefined;
    this.search ??= this.readAfterPause();
    await this.search;
    return this.find(kid);
  }

  /**
   * @param listener called, at the latest two seconds later, when another key signs or is published; and at once if keys
   *   are loaded. Must not throw.
   */
  onChange(listener: () => void): void {
    this.listeners.push(listener);
    if (this.keys.length > 0) listener();
  }

  /**
   * Reads the keys from the database, and creates one if there is none that signs.
   *
   * @throws what the driver throws, or Error if a key cannot be decrypted; the keys are as before then
   */
  read(): Promise<void> {
    // A read under way may have missed what the caller knows of: another one follows, for all who ask until it begins.
    this.waiting ??= this.reading.then(async () => {
      this.waiting = undefined;
      this.readAt = performance.now();
      const keys = await this.store.read();
      this.adopt(currentKey(keys, this.clock.now()) ? keys : await this.store.maintain());
    });
    const { waiting } = this;
    this.reading = waiting.catch(() => undefined);
    return waiting;
  }

  /** Everyone who comes during the pause waits for the same read, which begins after they came. */
  private async readAfterPause(): Promise<void> {
    await sleep(Math.max(0, this.readAt + PAUSE_MS - performance.now()), undefined, { ref: false });
    this.search = undefined;
    await this.read();
  }

  private readLater(): void {
    this.read().catch((error: unknown) => {
      const line = `The signing keys could not be read: ${(error as Error).message}`;
      // While notifications are lost, the database is away, and says so itself.
      if (this.notifications.connected) this.logger.error(line);
      else this.logger.debug(line);
    });
  }

  private adopt(keys: readonly LoadedKey[]): void {
    this.keys = keys;
    this.byKid = new Map(keys.map((key) => [key.kid, key.public]));
    this.announce();
  }

  private announce(): void {
    const state = [currentKey(this.keys, this.clock.now())?.kid, ...this.keys.map(({ kid }) => kid)].join(' ');
    if (state === this.announced) return;
    this.announced = state;
    for (const listener of this.listeners) listener();
  }
}
