import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { HealthSources } from '../../metrics/health-sources';
import { Metrics } from '../../metrics/metrics';
import { SigningKeyStore } from './signing-key-store';
import { SigningKeys } from './signing-keys.service';

const REST_MS = 10 * 60_000;

/**
 * Rotates the signing keys, in every process that runs `worker`: the first one that finds something to do does it, under
 * a lock, and the others find nothing.
 */
@Injectable()
export class KeyRotation implements BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyRotation.name);
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly environment: Environment,
    private readonly store: SigningKeyStore,
    keys: SigningKeys,
    clock: Clock,
    metrics: Metrics,
    health: HealthSources,
  ) {
    health.register({ keys: () => Promise.resolve(keys.facts()) });
    const help = 'Since the key that signs access tokens began to, which is 30 days at most.';
    metrics.gauge('toolyard_signing_key_age_seconds', help, () => {
      const since = keys.signsSince();
      return since && Math.max(0, clock.now().getTime() - since.getTime()) / 1_000;
    });
  }

  /** Before connections are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.running;
  }

  /** Does what is due. Never rejects. */
  @Interval('signing keys', REST_MS)
  async run(): Promise<void> {
    if (this.environment.externalIssuer || !this.environment.run.has('worker')) return;
    this.running = this.rotate();
    await this.running;
  }

  private async rotate(): Promise<void> {
    try {
      await this.store.maintain();
    } catch (error) {
      // The next run tries again; the next key is created two days before its turn.
      this.logger.warn(`The signing keys could not be rotated: ${(error as Error).message}`);
    }
  }
}
