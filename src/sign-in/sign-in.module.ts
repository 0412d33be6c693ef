import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { SignOuts } from '../auth/sessions/sign-outs';
import { Departures } from '../deletion/departures';
import { DeletionModule } from '../deletion/deletion.module';
import { MailModule } from '../mail/mail.module';
import { Mails } from '../mail/mails.service';
import { OrganisationsModule } from '../organisations/organisations.module';
import { PASSKEY_ERRORS } from './passkeys/passkey.errors';
import { PasskeysModule } from './passkeys/passkeys.module';
import { signInDeparture } from './sign-in-departure';
import { PasswordsModule } from './passwords/passwords.module';
import { ProtectionModule } from './protection/protection.module';
import { SessionPagesModule } from './session-pages/session-pages.module';
import { SetUpModule } from './set-up/set-up.module';
import { SsoModule } from './sso/sso.module';

/** How people sign in. Each folder is a module of its own; what they declare is combined here. */
const PARTS = [PasskeysModule, PasswordsModule, ProtectionModule, SessionPagesModule, SetUpModule, SsoModule] as const;

@Module({ imports: [AuthModule, DeletionModule, MailModule, OrganisationsModule, ...PARTS] })
export class SignInModule {
  static readonly declares = {
    entities: PARTS.flatMap(({ declares }) => [...declares.entities]),
    errors: PASSKEY_ERRORS,
    tags: [['Pages', 'Pages for people in browsers, and the forms on them.']],
  } as const;

  constructor(departures: Departures, signOuts: SignOuts, mails: Mails) {
    departures.register(signInDeparture(signOuts, mails));
  }
}
