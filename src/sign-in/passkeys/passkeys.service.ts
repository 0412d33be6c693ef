import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import type * as WebAuthn from '@simplewebauthn/server';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { DataSource, type EntityManager } from 'typeorm';
import type { Session } from '../../auth/sessions/session';
import { Clock } from '../../config/clock';
import { Environment } from '../../config/environment';
import { Secrets } from '../../config/secrets';
import { newId } from '../../database/id';
import { inTransaction } from '../../database/transaction';
import {
  AuthenticationError,
  ConflictError,
  DomainError,
  ForbiddenError,
  NotFoundError,
  ValidationError,
} from '../../errors/errors';
import { Accounts } from '../../users/accounts.service';
import { SecurityNotices } from '../notices/security-notices';
import { ANSWER_WITHIN_MS, Challenges } from './challenges';
import { Passkey } from './passkey.entity';
import { ErrorCode } from './passkey.errors';
import { newRecoveryCodes, storeRecoveryCodes } from './recovery-codes';

export const MAX_PASSKEYS = 10;
const NAME = 'Toolyard';

/** Who signed in with a passkey. */
export interface PasskeySignIn {
  userId: string;
  /** RFC 8176: a key in hardware, and the person was verified by it. */
  methods: string[];
}

/**
 * Passkeys (WebAuthn level 3): discoverable, and the authenticator verifies the person. Who may change them, the account
 * page decides (`account/`).
 */
@Injectable()
export class Passkeys {
  private readonly challenges: Challenges;
  private readonly origin: string;
  private readonly host: string;

  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
    private readonly notices: SecurityNotices,
    environment: Environment,
    secrets: Secrets,
  ) {
    this.challenges = new Challenges(secrets, clock);
    const { origin, hostname } = new URL(environment.publicUrl);
    this.origin = origin;
    this.host = hostname;
  }

  /** Browsers allow passkeys for names only: not where `PUBLIC_URL` has a network address. */
  get arePossible(): boolean {
    return isIP(this.host.replace(/^\[|\]$/g, '')) === 0;
  }

  /** @returns the passkeys of an account, oldest first; it has at most 10 */
  list(userId: string): Promise<Passkey[]> {
    return this.dataSource.getRepository(Passkey).find({ where: { userId }, order: { id: 'ASC' } });
  }

  /**
   * @param session of someone who has just proved who they are
   * @returns options for `navigator.credentials.create`
   * @throws ForbiddenError where passkeys are not possible; ConflictError with 10 passkeys
   */
  async registrationOptions(session: Session): Promise<PublicKeyCredentialCreationOptionsJSON> {
    if (!this.arePossible)
      throw new ForbiddenError('Browsers allow passkeys for names only, and PUBLIC_URL has a network address.');
    const { id, userId, email, name } = session;
    const passkeys = await this.list(userId);
    requireRoom(passkeys.length);
    return library().generateRegistrationOptions({
      rpName: NAME,
      rpID: this.host,
      userName: email ?? name ?? userId,
      userDisplayName: name ?? '',
      userID: handleOf(userId),
      challenge: new Uint8Array(this.challenges.issue('register', id)),
      timeout: ANSWER_WITHIN_MS,
      excludeCredentials: passkeys.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /**
   * @param session of someone who has just proved who they are
   * @param answer of `navigator.credentials.create`
   * @returns the passkey; for the first one also ten recovery codes, shown once
   * @throws ValidationError; ConflictError
   */
  async register(
    session: Session,
    name: string,
    answer: RegistrationResponseJSON,
  ): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
    const { userId } = session;
    let challenge = '';
    const isExpected = (sent: string) => {
      challenge = sent;
      return this.challenges.isGenuine(sent, 'register', session.id);
    };
    const { registrationInfo } = await refusing(() =>
      library().verifyRegistrationResponse({
        response: answer,
        expectedChallenge: isExpected,
        expectedOrigin: this.origin,
        expectedRPID: this.host,
        requireUserVerification: true,
      }),
    );
    if (!registrationInfo) throw refused();
    const { credential, credentialBackedUp } = registrationInfo;
    return inTransaction(this.dataSource, async (manager) => {
      await this.hold(manager, userId);
      if (!(await this.challenges.use(manager, challenge))) throw refused();
      const repository = manager.getRepository(Passkey);
      const others = await repository.countBy({ userId });
      requireRoom(others);
      const passkey = await repository.save(
        repository.create({
          id: newId(),
          userId,
          name,
          credentialId: credential.id,
          publicKey: Buffer.from(credential.publicKey),
          counter: String(credential.counter),
          transports: credential.transports ?? [],
          isBackedUp: credentialBackedUp,
          lastUsedAt: null,
        }),
      );
      const recoveryCodes = others === 0 ? newRecoveryCodes() : null;
      if (recoveryCodes) await storeRecoveryCodes(manager, userId, recoveryCodes);
      await this.notices.post(manager, userId, 'passkey-added');
      return { passkey, recoveryCodes };
    });
  }

  /**
   * Removes a passkey. Whether another way to sign in is left, the caller checks afterwards.
   *
   * @param manager of a transaction that holds the account
   * @throws NotFoundError
   */
  async remove(manager: EntityManager, userId: string, id: string): Promise<void> {
    const { affected } = await manager.getRepository(Passkey).delete({ id, userId });
    if (affected !== 1) throw new NotFoundError(ErrorCode.PasskeyNotFound, id);
  }

  /** @returns ten new recovery codes in place of all former ones */
  renewRecoveryCodes({ userId }: Session): Promise<string[]> {
    return inTransaction(this.dataSource, async (manager) => {
      await this.hold(manager, userId);
      const codes = newRecoveryCodes();
      await storeRecoveryCodes(manager, userId, codes);
      await this.notices.post(manager, userId, 'recovery-codes-replaced');
      return codes;
    });
  }

  /** @param browser the value of the browser's own cookie: the answer must come from it */
  signInOptions(browser: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return library().generateAuthenticationOptions({
      rpID: this.host,
      challenge: new Uint8Array(this.challenges.issue('sign-in', browser)),
      timeout: ANSWER_WITHIN_MS,
      userVerification: 'required',
    });
  }

  /**
   * Verifies an answer, once.
   *
   * @param manager of the transaction that then starts the session
   * @param answer of `navigator.credentials.get`
   * @returns undefined for an unknown passkey, a wrong signature, a closed account or a repeated answer
   */
  async signIn(
    manager: EntityManager,
    browser: string,
    answer: AuthenticationResponseJSON,
  ): Promise<PasskeySignIn | undefined> {
    const repository = manager.getRepository(Passkey);
    const passkey = await repository.findOneBy({ credentialId: answer.id });
    if (!passkey) return undefined;
    let challenge = '';
    const verification = await refusing(() =>
      library().verifyAuthenticationResponse({
        response: answer,
        expectedChallenge: (sent) => {
          challenge = sent;
          return this.challenges.isGenuine(sent, 'sign-in', browser);
        },
        expectedOrigin: this.origin,
        expectedRPID: this.host,
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(passkey.publicKey),
          counter: Number(passkey.counter),
        },
        requireUserVerification: true,
      }),
    ).catch((error: unknown) => {
      if (error instanceof ValidationError) return undefined;
      throw error;
    });
    if (!verification?.verified) return undefined;
    const { userHandle } = answer.response;
    if (userHandle !== undefined && !Buffer.from(userHandle, 'base64url').equals(handleOf(passkey.userId)))
      return undefined;
    if (!(await this.challenges.use(manager, challenge))) return undefined;
    const { newCounter, credentialBackedUp } = verification.authenticationInfo;
    await repository.update(
      { id: passkey.id },
      { counter: String(newCounter), isBackedUp: credentialBackedUp, lastUsedAt: this.clock.now() },
    );
    return { userId: passkey.userId, methods: ['hwk', 'user'] };
  }

  /** Changes of an account's ways to sign in wait for each other. */
  private async hold(manager: EntityManager, userId: string): Promise<void> {
    if (!(await this.accounts.hold(manager, userId)))
      throw new AuthenticationError(ErrorCode.InvalidToken, 'The account was deleted.');
  }
}

/** The bytes of the account's id: what the authenticator stores, and no personal data (WebAuthn, section 14.6.1). */
function handleOf(userId: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(userId.replaceAll('-', ''), 'hex'));
}

function requireRoom(count: number): void {
  if (count >= MAX_PASSKEYS)
    throw new ConflictError(
      ErrorCode.PasskeyConflict,
      `You have ${MAX_PASSKEYS} passkeys, which is the most. Remove one first.`,
    );
}

/** The library reports everything that is wrong with an answer as an Error. */
async function refusing<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw refused();
  }
}

function refused(): ValidationError {
  return new ValidationError([
    { loc: ['body', 'response'], msg: 'The passkey was not accepted. Try again.', type: 'value_error' },
  ]);
}

/** Loaded when someone first uses a passkey: it takes a fifth of a second, and many installations have none. */
function library(): typeof WebAuthn {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only this form loads when it is called, and at once
  return require('@simplewebauthn/server') as typeof WebAuthn;
}
