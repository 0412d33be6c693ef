import { AsyncLocalStorage } from 'node:async_hooks';
import type { Session } from '../sessions/session';

/** What the parts of the authorization server need to know of the request that the library is handling. */
export interface RequestContext {
  /** The session of the console; undefined: nobody is signed in, or the endpoint is not for browsers. */
  session?: Session;
  /** The network of the client, to count registrations. */
  network: string;
  /** The user code of a link to the page for devices. */
  userCode?: string;
  /** Set when the document of the client was not fetched, because too much is being fetched: it is not unknown. */
  isBusy?: boolean;
}

/** Follows a request through the library, which passes nothing of ours along. */
export const requestContext = new AsyncLocalStorage<RequestContext>();
