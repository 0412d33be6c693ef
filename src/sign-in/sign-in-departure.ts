import type { EntityManager } from 'typeorm';
import { SignOuts } from '../auth/sessions/sign-outs';
import { Mails } from '../mail/mails.service';
import type { Departure } from '../deletion/departures';
import { Passkey } from './passkeys/passkey.entity';
import { RecoveryCode } from './passkeys/recovery-code.entity';
import { Password } from './passwords/password.entity';

/** What goes with an account: its row stays, without a name, so that no foreign key removes these. */
export function signInDeparture(signOuts: SignOuts, mails: Mails): Departure {
  return {
    what: 'sign-in',
    ofAccount: async (manager: EntityManager, userId: string) => {
      await manager.getRepository(Password).delete({ userId });
      await manager.getRepository(Passkey).delete({ userId });
      await manager.getRepository(RecoveryCode).delete({ userId });
      await signOuts.everywhere(manager, userId);
      await mails.withdraw(manager, userId);
    },
  };
}
