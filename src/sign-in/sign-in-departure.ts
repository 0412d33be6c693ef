import type { EntityManager } from 'typeorm';
import { Sessions } from '../auth/sessions/sessions.service';
import type { Departure } from '../deletion/departures';
import { Password } from './passwords/password.entity';

/** What goes with an account: its row stays, without a name, so that no foreign key removes these. */
export function signInDeparture(sessions: Sessions): Departure {
  return {
    what: 'sign-in',
    ofAccount: async (manager: EntityManager, userId: string) => {
      await manager.getRepository(Password).delete({ userId });
      await sessions.endOf(manager, userId);
    },
  };
}
