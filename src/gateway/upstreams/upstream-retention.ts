import { Injectable } from '@nestjs/common';
import { RowRetention } from '../../database/row-retention';
import { UpstreamSessions } from './upstream-sessions';
import { REMOVE_UNLISTED, REMOVE_UNUSED } from './upstreams.sql';

/** Has rows about upstreams removed when nothing needs them any more. */
@Injectable()
export class UpstreamRetention {
  constructor(retention: RowRetention, sessions: UpstreamSessions) {
    retention.registerEnding({ name: 'sessions with upstreams', removeSome: () => sessions.removeSome() });
    retention.registerExpiring(
      { name: 'definitions that no upstream lists', remove: REMOVE_UNLISTED },
      { name: 'upstreams that no bundle uses', remove: REMOVE_UNUSED },
    );
  }
}
