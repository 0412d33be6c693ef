import { Injectable } from '@nestjs/common';
import type { Caller } from '../auth/caller';
import type {
  WaitingAccountOut,
  WaitingInvitationOut,
  WaitingPart,
  WaitingRequestsOut,
  WaitingToolsOut,
} from './waiting.dto';

/** What can wait for a person. */
interface WaitingItems {
  invitations: WaitingInvitationOut;
  accounts: WaitingAccountOut;
  tools: WaitingToolsOut;
  requests: WaitingRequestsOut;
}

type WaitingName = keyof WaitingItems;

/** Finds what waits for a person, by a few statements, however much it is. */
export type WaitingSource<Name extends WaitingName> = (caller: Caller) => Promise<WaitingPart<WaitingItems[Name]>>;

/** The rooms above that know what waits for a person. They register themselves, as with `Departures`. */
@Injectable()
export class WaitingSources {
  private readonly sources: { [Name in WaitingName]?: WaitingSource<Name> } = {};

  /** At startup, once for each name. */
  register<Name extends WaitingName>(name: Name, source: WaitingSource<Name>): void {
    Object.assign(this.sources, { [name]: source });
  }

  /** @returns the source that was registered */
  get<Name extends WaitingName>(name: Name): WaitingSource<Name> {
    const source = this.sources[name];
    if (!source) throw new Error(`No module has registered which ${name} wait.`);
    return source;
  }
}
