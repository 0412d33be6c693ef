import type { EntityManager } from 'typeorm';
import { SignOuts } from '../auth/sessions/sign-outs';
import type { Departure } from '../deletion/departures';
import { Password } from './passwords/password.entity';

/** What goes with an account: its row stays, without a name, so that no foreign key removes these. */
export function signInDeparture(signOuts: SignOuts): Departure {
  return {
    what: 'sign-in',
    ofAccount: async (manager: EntityManager, userId: string) => {
      await manager.getRepository(Password).delete({ userId });
      await signOuts.everywhere(manager, userId);
    },
  };
}
