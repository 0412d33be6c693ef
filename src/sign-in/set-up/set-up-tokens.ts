import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, LessThanOrEqual, MoreThan } from 'typeorm';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { SetUpDone } from './set-up.entity';
import { SetUpToken } from './set-up-token.entity';

const SECRET_BYTES = 24;
const LIFE_MS = 24 * 3_600_000;

/** Who may set this instance up: those who can read its output, or its configuration. */
@Injectable()
export class SetUpTokens {
  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  /** @returns why the instance cannot be set up by a link; undefined if it can */
  async obstacle(): Promise<string | undefined> {
    const { externalIssuer, platformAdmins } = this.environment;
    if (externalIssuer) return `OIDC_ISSUER is set: people have their accounts at ${externalIssuer.issuer}.`;
    if (platformAdmins.length > 0) return 'PLATFORM_ADMINS names the administrators of this instance.';
    const isDone = await this.dataSource.getRepository(SetUpDone).existsBy({ isDone: true });
    return isDone ? 'This instance has been set up already.' : undefined;
  }

  /**
   * @param replacing whether earlier links end
   * @returns a new link, valid for 24 hours
   */
  async newLink({ replacing }: { replacing: boolean }): Promise<string> {
    const secret = randomBytes(SECRET_BYTES).toString('base64url');
    const now = this.clock.now();
    const tokens = this.dataSource.getRepository(SetUpToken);
    if (replacing) await tokens.deleteAll();
    else await tokens.delete({ expiresAt: LessThanOrEqual(now) });
    await tokens.insert({ digest: digestOf(secret), expiresAt: new Date(now.getTime() + LIFE_MS) });
    // A fragment is not sent to servers, so no log and no referrer has it.
    return `${this.environment.publicUrl}/setup#${secret}`;
  }

  /** @returns the line for the operator at the start; undefined if there is nothing to set up */
  async greeting(): Promise<string | undefined> {
    if ((await this.obstacle()) !== undefined) return undefined;
    if (this.environment.setUpToken !== undefined)
      return `Set up: ${this.environment.publicUrl}/setup with the value of SETUP_TOKEN`;
    return `Set up: ${await this.newLink({ replacing: false })}`;
  }

  /** @returns whether a token is that of a link that has not expired, or `SETUP_TOKEN` */
  async isGood(token: string): Promise<boolean> {
    const digest = digestOf(token);
    const { setUpToken } = this.environment;
    if (setUpToken !== undefined && timingSafeEqual(digest, digestOf(setUpToken))) return true;
    return this.dataSource.getRepository(SetUpToken).existsBy({ digest, expiresAt: MoreThan(this.clock.now()) });
  }
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
