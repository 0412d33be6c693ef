import { readChallenge } from './challenge';
import { DnsError } from '../../outbound/dns-resolver';
import { RefusedAddressError } from '../../outbound/target-addresses';

/** Why an upstream has not answered: stable, shown to models and programs (`com.toolyard/error`). */
export type UpstreamFailureCode =
  'upstream_unreachable' | 'upstream_timeout' | 'upstream_error' | 'credential_required' | 'rate_limited' | 'too_large';

/** An upstream has not answered a request as the protocol says, or was not asked because of a limit. */
export class UpstreamFailure extends Error {
  /**
   * @param message a sentence about "it", the upstream, for a model and for the editors of a bundle; contains nothing that
   *   the upstream has sent
   * @param mayHaveRun whether the upstream may have begun to do what was asked: such a request is never sent again
   * @param status of the HTTP answer, if there was one
   */
  constructor(
    readonly code: UpstreamFailureCode,
    message: string,
    readonly mayHaveRun: boolean,
    readonly status?: number,
    options?: ErrorOptions & { challenge?: string | undefined },
  ) {
    super(message, options);
    this.name = 'UpstreamFailure';
    this.challenge = options?.challenge;
  }

  /** `WWW-Authenticate`, as it came: for who connects accounts, and for no one else. */
  readonly challenge: string | undefined;

  /** Whether it says something about the way there, or about how fast it is. */
  get isOfTransport(): boolean {
    return this.code === 'upstream_unreachable' || this.code === 'upstream_timeout';
  }

  /**
   * Whether there was no connection, no first byte, or a broken connection. An upstream that has begun to answer has been
   * reached, however long the rest takes: that depends on what it was asked, so callers could bring it about.
   */
  get countsForBreaker(): boolean {
    return this.code === 'upstream_unreachable' || (this.code === 'upstream_timeout' && this.status === undefined);
  }
}

const CONNECT_ERRORS =
  /^(UND_ERR_CONNECT_TIMEOUT|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ENOTFOUND|CERT_.*|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_.*|ERR_TLS_.*|ERR_SSL_.*|EPROTO)$/;

const IN_THE_CLEAR =
  'Its address is public, and a host that is not is reached by http only in networks that the operator allows.';

/** @returns what an error of a connection means */
export function failureOfConnection(error: unknown): UpstreamFailure {
  if (error instanceof UpstreamFailure) return error;
  const cause = { cause: error };
  if (error instanceof RefusedAddressError)
    return new UpstreamFailure(
      'upstream_unreachable',
      error.isPublic ? IN_THE_CLEAR : 'Its address is not allowed: it is not public.',
      false,
      undefined,
      cause,
    );
  if (error instanceof DnsError)
    return new UpstreamFailure('upstream_unreachable', 'The DNS has no address for it.', false, undefined, cause);
  const code = codeOf(error);
  if (CONNECT_ERRORS.test(code))
    return new UpstreamFailure('upstream_unreachable', `It could not be reached (${code}).`, false, undefined, cause);
  if (code === 'UND_ERR_HEADERS_OVERFLOW')
    return new UpstreamFailure('too_large', 'The headers of its answer are too large.', true, undefined, cause);
  return new UpstreamFailure(
    'upstream_unreachable',
    'The connection was closed before it had answered.',
    true,
    undefined,
    cause,
  );
}

/**
 * @param challenge `WWW-Authenticate`
 * @returns what a status means that is no success, where the body does not say it (`mayHaveRun`: from 500 on)
 */
export function failureOfStatus(status: number, challenge?: string): UpstreamFailure {
  if (status === 401)
    return new UpstreamFailure('credential_required', 'It requires credentials (status 401).', false, status, {
      challenge,
    });
  if (status === 403 && readChallenge(challenge)?.error === 'insufficient_scope')
    return new UpstreamFailure(
      'credential_required',
      'It requires more rights than were given (status 403).',
      false,
      status,
      {
        challenge,
      },
    );
  if (status === 403) return new UpstreamFailure('upstream_error', 'It refuses access (status 403).', false, status);
  if (status === 429)
    return new UpstreamFailure('rate_limited', 'It accepts no more requests for now (status 429).', false, status);
  if (status >= 300 && status < 400)
    return new UpstreamFailure(
      'upstream_error',
      `It redirects (status ${status}), and redirects are not followed.`,
      false,
      status,
    );
  if (status < 300)
    return new UpstreamFailure(
      'upstream_error',
      'It did not answer the request as the protocol prescribes.',
      true,
      status,
    );
  return new UpstreamFailure('upstream_error', `It answered with status ${status}.`, status >= 500, status);
}

function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return typeof code === 'string' ? code : '';
}
