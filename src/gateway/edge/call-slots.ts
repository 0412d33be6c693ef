import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import { UpstreamFailure } from '../protocol/upstream-failure';
import { type Holder, personBehind } from '../upstreams/shares';
import { UpstreamLimits } from '../upstreams/upstream-limits';
import { whenGone } from './streamable-response';

/**
 * How many calls of a principal are under way in this process, until their answers have been read: an answer of 10 MiB that
 * no one reads costs as much as one that a server has not finished. At one server, the calls of
 * the person behind all principals are counted, too. `CallLimits` counts what goes on at servers.
 */
@Injectable()
export class CallSlots {
  /** By principal, and by person and server. */
  private readonly counts = new Map<string, number>();

  constructor(private readonly limits: UpstreamLimits) {}

  /**
   * Begins a call. Access tokens and bundles cost nothing, so what one server gets is counted by the person behind them, too.
   *
   * @param server its address
   * @param response to the client
   * @returns to be called once, when the call has ended; its place is free as soon as the response has closed, too
   * @throws UpstreamFailure `rate_limited`
   */
  enter(holder: Holder, server: string, response: ServerResponse): () => void {
    const { callsOfPrincipal, callsOfPerson } = this.limits;
    const { principal } = holder;
    const person = `${personBehind(holder)} ${server}`;
    if (this.of(principal) >= callsOfPrincipal) throw limited(`You have ${callsOfPrincipal} calls under way`);
    if (this.of(person) >= callsOfPerson)
      throw limited(
        `One person, with all of their access tokens and bundles, has ${callsOfPerson} calls under way at this server`,
      );
    for (const name of [principal, person]) this.count(name, 1);
    return () =>
      whenGone(response, () => {
        for (const name of [principal, person]) this.count(name, -1);
      });
  }

  private of(name: string): number {
    return this.counts.get(name) ?? 0;
  }

  private count(name: string, by: 1 | -1): void {
    const count = this.of(name) + by;
    if (count === 0) this.counts.delete(name);
    else this.counts.set(name, count);
  }
}

function limited(what: string): UpstreamFailure {
  const detail = `${what}, or with answers that were not read; try again when one of them has ended.`;
  return new UpstreamFailure('rate_limited', detail, false);
}
