import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { many } from '../../database/statements';
import { TextChecks } from '../../http/requests/text-checks';
import { html } from '../../pages/html';
import { NoticesModule } from '../notices/notices.module';
import { ProtectionModule } from '../protection/protection.module';
import { SessionPagesModule } from '../session-pages/session-pages.module';
import { SignInWays, type Way } from '../ways/sign-in-ways';
import { WaysModule } from '../ways/ways.module';
import { WaysToSignIn } from '../session-pages/ways-to-sign-in';
import { Passkey } from './passkey.entity';
import { ANSWER_CHECK, answerFaults } from './passkey.dto';
import { PASSKEY_SCRIPT } from './passkey-script';
import { PasskeySessionController } from './passkey-session.controller';
import { PasskeySignIns } from './passkey-sign-in';
import { Passkeys } from './passkeys.service';
import { RecoveryPageController } from './recovery-page.controller';
import { RecoveryCode } from './recovery-code.entity';
import { UsedChallenge } from './used-challenge.entity';

/** $1 accounts. */
const PASSKEY_WAYS = `
  SELECT user_id, 'PASSKEY' AS kind, NULL AS issuer, NULL AS subject FROM passkeys WHERE user_id = ANY($1)`;

@Module({
  imports: [AuthModule, NoticesModule, ProtectionModule, SessionPagesModule, WaysModule],
  controllers: [PasskeySessionController, RecoveryPageController],
  providers: [PasskeySignIns, Passkeys],
  exports: [Passkeys],
})
export class PasskeysModule {
  static readonly declares = {
    entities: [Passkey, RecoveryCode, UsedChallenge],
  } as const;

  constructor(checks: TextChecks, offered: WaysToSignIn, ways: SignInWays, passkeys: Passkeys) {
    ways.register(async (connection, userIds) =>
      offered.hasPasswords ? many<Way>(connection, PASSKEY_WAYS, [userIds]) : [],
    );
    checks.registerObject(ANSWER_CHECK, answerFaults);
    offered.register({
      order: 20,
      script: PASSKEY_SCRIPT,
      show: ({ returnTo }) =>
        passkeys.arePossible && offered.hasPasswords
          ? // Hidden until the script has found that the browser can do it.
            html`<form data-passkey="sign-in" hidden>
                <input type="hidden" name="return_to" value="${returnTo}" />
                <div role="status" class="notice" hidden></div>
                <div class="actions"><button class="quiet">Sign in with a passkey</button></div>
              </form>
              <p><a href="/sign-in/recovery">I lost my passkey</a></p>`
          : undefined,
    });
  }
}
