import { hash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../config/clock';
import type { Keyring } from '../../config/keyring';
import { sealText, tryUnsealText } from '../../config/sealed-text';
import { Secrets } from '../../config/secrets';
import { execute, maybe } from '../../database/statements';
import { inTransaction } from '../../database/transaction';
import { ConnectFlow } from './connect-flow.entity';
import type { ConnectLinkRequest } from './connect-links';
import type { TokenEndpoint } from './token-endpoint';

/** How long a person may take at an authorization server. */
const LIFE_MS = 10 * 60_000;
/** One person has at most so many flows; a further one ends the oldest. */
const MAX_FLOWS = 20;
const STATE = /^[\w-]{43}$/;

/** Who has begun, and in which browser. */
export interface FlowHolder {
  readonly personId: string;
  readonly sessionId: string;
}

/** What must not change while a person is away: everything about the authorization server was noted before. */
export interface FlowDetails {
  readonly wish: ConnectLinkRequest;
  /** The server, as it was shown to the person. */
  readonly origin: string;
  /** With the client's secret, so it is sealed as a whole. */
  readonly place: TokenEndpoint;
  readonly redirectUri: string;
  readonly codeVerifier: string;
  /** That were asked for; undefined: none in particular. */
  readonly scope: string | undefined;
  /** Whether its answer has to name the issuer (RFC 9207). */
  readonly namesIssuer: boolean;
  /** The credential that the client comes from. */
  readonly clientCredentialId: string | undefined;
}

/** $1 person, $2 how many are kept. */
const DROP_OLDEST = `
  DELETE FROM connect_flows WHERE person_id = $1 AND state_digest NOT IN (
    SELECT state_digest FROM connect_flows WHERE person_id = $1 ORDER BY expires_at DESC, state_digest LIMIT $2)`;

/** $1 digest of the state, $2 person, $3 session, $4 now. Whoever else comes with it finds nothing, and takes nothing away. */
const TAKE = `
  DELETE FROM connect_flows WHERE state_digest = $1 AND person_id = $2 AND session_id = $3 AND expires_at > $4
  RETURNING details`;

/** $1 now, $2 how many at most. */
export const REMOVE_ABANDONED_FLOWS = `
  DELETE FROM connect_flows WHERE state_digest IN (
    SELECT state_digest FROM connect_flows WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)`;

/**
 * People who are at an authorization server. Each has a `state` that brings them back once, within ten minutes, in the browser
 * session in which they left. Stored, because only that makes it good for once on every replica.
 */
@Injectable()
export class ConnectFlows {
  private readonly keys: Keyring;

  constructor(
    secrets: Secrets,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {
    this.keys = secrets.derive('connect flows');
  }

  /** @returns a new `state`, to be stored by `begin` */
  newState(): string {
    return randomBytes(32).toString('base64url');
  }

  async begin(state: string, { personId, sessionId }: FlowHolder, details: FlowDetails): Promise<void> {
    const digest = digestOf(state);
    const sealed = sealText(this.keys, digest, JSON.stringify(details));
    const expiresAt = new Date(this.clock.now().getTime() + LIFE_MS);
    await inTransaction(this.dataSource, async (manager) => {
      const flows = manager.getRepository(ConnectFlow);
      await flows.insert({ stateDigest: digest, personId, sessionId, details: sealed, expiresAt });
      await execute(manager, DROP_OLDEST, [personId, MAX_FLOWS]);
    });
  }

  /** @returns undefined for a state that is foreign, was used, or is too old; which of them, no one learns */
  async take(state: unknown, { personId, sessionId }: FlowHolder): Promise<FlowDetails | undefined> {
    if (typeof state !== 'string' || !STATE.test(state)) return undefined;
    const digest = digestOf(state);
    const row = await maybe<{ details: Buffer }>(this.dataSource, TAKE, [
      digest,
      personId,
      sessionId,
      this.clock.now(),
    ]);
    // Not sealed again when SECRETS_KEY changes: it lives ten minutes.
    const opened = row && tryUnsealText(this.keys, digest, row.details);
    return opened && (JSON.parse(opened.text) as FlowDetails);
  }
}

function digestOf(state: string): Buffer {
  return hash('sha256', state, 'buffer');
}
