import { hash } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable, Logger } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { Sessions } from '../../auth/sessions/sessions.service';
import { Environment } from '../../config/environment';
import { setRateLimit } from '../../http/answers/rate-limit-fields';
import { ClientAddresses } from '../../http/requests/client-addresses';
import { isOfProtocol } from '../../http/requests/route-table';
import { type Counter, Metrics } from '../../metrics/metrics';
import { Replicas } from '../replicas.service';
import { type Limit, type LimitKind, limitsOf } from './limits';
import { costOf, costOfBody } from './request-cost';

/** Credentials that are remembered for one reason or the other; by digest. */
const MAX_KNOWN = 10_000;

/** After a time without a refusal, the credentials that were refused are forgotten: others pay a digest meanwhile. */
const REFUSED_FOR_MS = 10_000;

/** Of the requests that are refused, one a second is logged at `info`. */
const LOGGED_EVERY_MS = 1_000;

/** Below this share of a full bucket, answers say how much is left. */
const LITTLE = 1 / 4;

/** A refused credential belongs to this principal, as its refusal found. */
interface Spent {
  key: string;
  caller: Request['caller'];
}

/**
 * Token buckets in the memory of this process (ADR 32), so that no request costs a statement: by network for requests
 * without a valid credential, by principal for all others, and by network for credentials that were not accepted.
 */
@Injectable()
export class RequestLimits implements CanActivate {
  private readonly logger = new Logger(RequestLimits.name);
  private readonly limits: Readonly<Record<LimitKind, Limit | undefined>>;
  private readonly refused: Counter<{ kind: readonly LimitKind[] }>;
  /** Accepted from networks with failures. */
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN });
  /** These credentials, by digest, belong to principals that were refused a moment ago. */
  private readonly spent = new LRUCache<string, Spent>({ max: MAX_KNOWN });
  private spentAt = -Infinity;
  private loggedAt = -Infinity;
  private hasWarned = false;

  constructor(
    { limits: { requests } }: Environment,
    private readonly addresses: ClientAddresses,
    private readonly sessions: Sessions,
    private readonly replicas: Replicas,
    metrics: Metrics,
  ) {
    this.limits = limitsOf(requests);
    this.refused = metrics.counter('toolyard_requests_limited_total', 'Requests that a limit refused.', {
      kind: ['principal', 'address', 'failed_authentication'],
    });
  }

  /**
   * A middleware before everything that costs something. Counts requests that nobody will authenticate: without a
   * credential, to what is open to everyone, and to what does not exist.
   *
   * @throws RateLimitedError
   */
  admit(): RequestHandler {
    return (request: Request, response: Response, next: NextFunction): void => {
      this.admitStranger(request, response);
      next();
    };
  }

  /**
   * A middleware behind the gates: counts requests with a credential that is not of an account.
   *
   * @throws RateLimitedError
   */
  readonly admitGated = (request: Request, response: Response, next: NextFunction): void => {
    if (request.countedAs !== undefined) this.countPrincipal(request.countedAs, request, response);
    next();
  };

  /**
   * A guard behind the one that authenticates.
   *
   * @throws RateLimitedError
   */
  canActivate(context: ExecutionContext): true {
    // `switchToHttp` makes three functions each time (50 ns), and this is on the way of every request.
    this.countCaller(context.getArgByIndex<Request>(0), context.getArgByIndex<Response>(1));
    return true;
  }

  /** A guard behind the one that reads the body: counts the rest of a request whose cost only its body says. */
  readonly ofBodies: CanActivate = {
    canActivate: (context) => {
      const request = context.getArgByIndex<Request>(0);
      const { principal } = this.limits;
      const key = request.countedAs;
      if (!principal || key === undefined) return true;
      // One was taken on arrival, so no more than the others of a full bucket.
      const rest = Math.min(costOfBody(request), principal.buckets.full - 1);
      if (rest >= 1 && principal.buckets.take(key, this.replicas.api, request.arrivedAt, rest) === undefined)
        this.refuse(principal, key, request, context.getArgByIndex<Response>(1), rest + 1);
      return true;
    },
  };

  /**
   * Counts a request that was just authenticated; one that nobody authenticated, because the operation is open though
   * others of its path are not, for its network.
   *
   * @throws RateLimitedError
   */
  countCaller(request: Request, response: Response): void {
    const { caller } = request;
    if (caller) {
      this.countPrincipal(caller.confinedTo ? `bundle ${caller.confinedTo}` : caller.userId, request, response);
    } else if (request.countedAs === undefined && this.isToAuthenticate(request)) {
      this.count(this.limits.address, this.addresses.networkOf(request), request, response);
    }
  }

  /** Counts a credential that was not accepted. A request without one has tried nothing. */
  readonly noteFailure = (request: Request): void => {
    const limit = this.limits.failed_authentication;
    if (!limit || !this.hasCredential(request)) return;
    limit.buckets.take(this.addresses.networkOf(request), this.replicas.api, request.arrivedAt);
    this.known.delete(digestOf(request));
  };

  private admitStranger(request: Request, response: Response): void {
    if (request.resource?.countedFor === 'nobody') return;
    if (this.isToAuthenticate(request)) {
      this.requireFewFailures(request, response);
      if (this.spent.size > 0) this.requireRoom(request, response);
      return;
    }
    const isUnknown = request.resource === undefined && !isOfProtocol(request.path);
    if (isUnknown && this.hasCredential(request)) this.requireFewFailures(request, response);
    this.count(this.limits.address, this.addresses.networkOf(request), request, response);
  }

  /**
   * Asked of few requests twice rather than noted in each: a property that some of them have makes every access to all of
   * them slower.
   *
   * @returns whether its credential will be verified, so that the principal is counted and not the network
   */
  private isToAuthenticate(request: Request): boolean {
    return request.resource?.countedFor === 'principal' && this.hasCredential(request);
  }

  /**
   * Refuses credentials from a network of which too many were wrong, before they are looked up; except for those that
   * were accepted since the failures began: people who share an address with a broken client go on working.
   */
  private requireFewFailures(request: Request, response: Response): void {
    const limit = this.limits.failed_authentication;
    if (!limit || limit.buckets.size === 0) return;
    const network = this.addresses.networkOf(request);
    if (limit.buckets.left(network, this.replicas.api) >= 1 || this.known.has(digestOf(request))) return;
    this.refuse(limit, network, request, response);
  }

  /**
   * Refuses a credential of a principal whose bucket is still empty, before it is looked up, so that what exceeds a limit
   * by far costs others little. A credential that is no longer valid is refused like this too, until the bucket has a token.
   */
  private requireRoom(request: Request, response: Response): void {
    const limit = this.limits.principal;
    if (!limit) return;
    if (performance.now() - this.spentAt > REFUSED_FOR_MS) {
      this.spent.clear();
      return;
    }
    // Endpoints have yet to say which pages may read the refusal.
    if (request.path.startsWith('/mcp/')) return;
    const found = this.spent.get(digestOf(request));
    if (!found || limit.buckets.left(found.key, this.replicas.api) >= 1) return;
    request.caller = found.caller;
    this.refuse(limit, found.key, request, response);
  }

  private countPrincipal(key: string, request: Request, response: Response): void {
    try {
      this.count(this.limits.principal, key, request, response);
    } catch (error) {
      this.spent.set(digestOf(request), { key, caller: request.caller });
      throw error;
    }
    this.noteSuccess(request);
  }

  private noteSuccess(request: Request): void {
    const limit = this.limits.failed_authentication;
    if (!limit || limit.buckets.size === 0) return;
    if (limit.buckets.isWorn(this.addresses.networkOf(request), this.replicas.api))
      this.known.set(digestOf(request), true);
  }

  private count(limit: Limit | undefined, key: string, request: Request, response: Response): void {
    if (!limit) return;
    const { buckets, policy } = limit;
    const cost = costOf(request);
    const left = buckets.take(key, this.replicas.api, request.arrivedAt, cost);
    if (left === undefined) this.refuse(limit, key, request, response, cost);
    else if (left < buckets.full * LITTLE)
      setRateLimit(response, policy, Math.floor(left), buckets.secondsUntil(buckets.full, key, this.replicas.api));
  }

  private refuse(limit: Limit, key: string, request: Request, response: Response, cost = 1): never {
    this.refused.add({ kind: limit.kind });
    const now = performance.now();
    if (limit.kind === 'principal') this.spentAt = now;
    if (now - this.loggedAt < LOGGED_EVERY_MS) response.locals.isRoutine = true;
    else this.loggedAt = now;
    if (limit.kind === 'address' && !this.hasWarned && this.addresses.isBehindUnknownProxy(request)) {
      this.hasWarned = true;
      this.logger.warn(
        'A network has sent too many requests, and they name another one that does not count: if that is the load balancer, add it to TRUSTED_PROXIES, so that its clients are counted one by one.',
      );
    }
    throw limit.refusal(limit.buckets.secondsUntil(cost, key, this.replicas.api), cost);
  }

  private hasCredential(request: Request): boolean {
    const { authorization, cookie } = request.headers;
    return authorization !== undefined || (cookie !== undefined && this.sessions.cookie.isIn(request));
  }
}

/** So that no credential is kept. */
function digestOf({ headers }: Request): string {
  return hash('sha256', headers.authorization ?? headers.cookie ?? '', 'base64url');
}
