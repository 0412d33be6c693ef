import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module';
import { TextChecks } from '../../http/requests/text-checks';
import { pageAsset } from '../../pages/page-assets';
import { html } from '../../pages/html';
import { ProtectionModule } from '../protection/protection.module';
import { SessionPagesModule } from '../session-pages/session-pages.module';
import { WaysToSignIn } from '../session-pages/ways-to-sign-in';
import { LastWay } from './last-way';
import { Passkey } from './passkey.entity';
import { ANSWER_CHECK, answerFaults } from './passkey.dto';
import { PasskeyPagesController } from './passkey-pages.controller';
import { PasskeySignIns } from './passkey-sign-in';
import { PasskeysController } from './passkeys.controller';
import { Passkeys } from './passkeys.service';
import { RecoveryCode } from './recovery-code.entity';
import { UsedChallenge } from './used-challenge.entity';

/** For the pages on which passkeys are used or added. */
export const PASSKEY_SCRIPT = pageAsset('passkeys', 'js', join(__dirname, 'passkeys.browser.js'));

@Module({
  imports: [AuthModule, ProtectionModule, SessionPagesModule],
  controllers: [PasskeyPagesController, PasskeysController],
  providers: [PasskeySignIns, Passkeys, LastWay],
  exports: [Passkeys, LastWay],
})
export class PasskeysModule {
  static readonly declares = {
    entities: [Passkey, RecoveryCode, UsedChallenge],
  } as const;

  constructor(checks: TextChecks, ways: WaysToSignIn, passkeys: Passkeys) {
    checks.registerObject(ANSWER_CHECK, answerFaults);
    ways.register({
      order: 20,
      script: PASSKEY_SCRIPT,
      show: ({ returnTo }) =>
        passkeys.arePossible && ways.hasPasswords
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
