import { Injectable } from '@nestjs/common';

/**
 * How long upstreams may take, in milliseconds, how large their answers may be, in bytes, and how much may go on at once.
 * Documented in docs/gateway/limits.md; fields, so that tests of them need not wait for minutes.
 */
@Injectable()
export class UpstreamLimits {
  /** Until a connection is open, TLS included. */
  connectMs = 5_000;
  /** Until the head of an answer is there. */
  firstByteMs = 30_000;
  /** Without anything from the upstream; each notification of progress begins again. */
  callMs = 60_000;
  /** After an upstream has asked a client for something: a person may have to answer. Until its next message. */
  askedMs = 600_000;
  /** A call, in any case. */
  wholeMs = 900_000;
  answerBytes = 10_485_760;
  /** One page of a list, and `server/discover` and `initialize`. */
  pageMs = 10_000;
  /** All lists of an upstream. Less than the time for which a process claims it. */
  refreshMs = 60_000;
  /** For which the first request to a new server waits for its lists. It is asked once, not with each request. */
  firstListsMs = 2_000;
  /** The same for a call of what no server is known to offer, as after an account was connected. */
  firstListsOfCallMs = 10_000;
  /** A notification, an answer of a client, the end of a session. */
  noteMs = 5_000;
  callsOfPrincipal = 20;
  /** Calls of one person at one upstream, with all of their access tokens and bundles: twice those of a principal. */
  callsOfPerson = 40;
  /** Calls of one bundle at one upstream. */
  callsOfBundle = 50;
  /** Calls of all bundles at one upstream; one bundle gets no more of them than are still free. */
  callsOfUpstream = 200;
  /** Listening streams that this process holds for lists, each for one upstream. */
  listeners = 200;
  /** Listening streams that this process holds for the subscriptions of clients. */
  subscriptions = 1_024;
  /** After a listening stream was lost; doubles each time, up to `relistenMostMs`. */
  relistenMs = 1_000;
  relistenMostMs = 60_000;
  /** After an upstream has said that it offers no listening stream. */
  refusedMs = 3_600_000;
}
