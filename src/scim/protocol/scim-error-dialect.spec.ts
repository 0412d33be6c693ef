import type { Request, Response } from 'express';
import type { Environment } from '../../config/environment';
import { Clock } from '../../config/clock';
import { DatabaseErrors } from '../../database/database-errors';
import { DatabaseDeadlineError } from '../../database/deadline';
import { DomainError, UnavailableError } from '../../errors/errors';
import { ErrorFilter } from '../../http/answers/error.filter';
import { ErrorCode } from '../../http/http.errors';
import { RefusedRequests } from '../log/refused-requests';
import type { LoggedAnswer, ScimLog } from '../log/scim-log.service';
import type { ScimTokenVerifier, VerifiedScimToken } from '../tokens/scim-token-verifier';
import { ScimAnswers } from './scim-answers';
import { ScimError } from './scim-error';
import { ScimErrorDialect } from './scim-error-dialect';
import { ScimGate } from './scim-gate';

const orgId = '01890000-0000-7000-8000-000000000001';

describe('An error of a SCIM request whose token was only remembered', () => {
  /** What the look-up of the token and the provisioning log do. */
  let found: () => Promise<VerifiedScimToken>;
  let kept: () => Promise<void>;
  let logged: number[];
  let headers: Map<string, string>;
  let request: Request;
  let response: Response;
  let ended: Promise<'sent' | 'destroyed'>;

  const unreachable = () => Promise.reject(new DatabaseDeadlineError());
  const invalid = new ScimError('invalidFilter', 'This is no filter.');
  const busy = new UnavailableError(ErrorCode.ServiceUnavailable, 'Too many changes are pending.', 2);

  beforeEach(() => {
    found = () => Promise.resolve({ orgId, tokenId: 'a token', state: 'valid' });
    kept = () => Promise.resolve();
    logged = [];
    headers = new Map();
    const sent = { method: 'GET', target: '/Users', body: undefined, startedAt: 0 };
    const named = { orgId, tokenId: 'a token', requestId: 'a request' };
    const client = { ...named, request: sent, ignored: new Set(), notes: new Set() };
    request = {
      id: 'a request',
      baseUrl: '',
      path: `/v1/organisations/${orgId}/scim/v2/Users`,
      headers: { authorization: 'Bearer tys_x' },
      scim: { client: { ...client, isUnconfirmed: true }, isLogged: false },
    } as unknown as Request;
    ended = new Promise((resolve) => {
      response = {
        req: request,
        locals: {},
        setHeader: (name: string, value: string) => headers.set(name, value),
        removeHeader: (name: string) => headers.delete(name),
        end: () => resolve('sent'),
        destroy: () => resolve('destroyed'),
      } as unknown as Response;
    });
  });

  function answer(error: Error): Promise<'sent' | 'destroyed'> {
    const verifier = { verify: () => found() } as unknown as ScimTokenVerifier;
    const log = {
      write: async (_client: unknown, { status }: LoggedAnswer) => {
        await kept();
        logged.push(status);
      },
    } as unknown as ScimLog;
    const gate = new ScimGate(verifier, new RefusedRequests(new Clock()));
    const dialect = new ScimErrorDialect(gate, new ScimAnswers(gate, log, {} as Environment));
    const filter = new ErrorFilter('', [dialect], new DatabaseErrors([]));
    Object.assign(filter, { logger: { warn: () => undefined, error: () => undefined } });
    filter.answer(error, request, response);
    return ended;
  }

  const revoked = () => Promise.resolve({ orgId, tokenId: 'a token', state: 'revoked' } as const);

  it('is sent if the token still exists', async () => {
    expect(await answer(invalid)).toBe('sent');
    expect([response.statusCode, logged]).toEqual([400, [400]]);
  });

  it('is replaced by a refusal if it was revoked, without the headers of the error', async () => {
    found = revoked;
    expect(await answer(busy)).toBe('sent');
    expect([response.statusCode, logged]).toEqual([401, [401]]);
    expect(headers.get('WWW-Authenticate')).toContain('error="invalid_token"');
    expect(headers.has('Retry-After')).toBe(false);
  });

  it('does not tell a revoked token which methods there are', async () => {
    found = revoked;
    headers.set('Allow', 'GET, POST');
    await answer(new DomainError(ErrorCode.MethodNotAllowed, 'No.'));
    expect([response.statusCode, headers.has('Allow')]).toEqual([401, false]);
  });

  it('is replaced by 503 if it was revoked, and the log cannot be written', async () => {
    found = revoked;
    kept = unreachable;
    expect(await answer(invalid)).toBe('sent');
    expect([response.statusCode, logged]).toEqual([503, []]);
    expect(headers.has('Retry-After')).toBe(true);
    expect(headers.has('WWW-Authenticate')).toBe(false);
  });

  it('is replaced by 503, which is in the log, if the token cannot be looked up', async () => {
    found = unreachable;
    expect(await answer(invalid)).toBe('sent');
    expect([response.statusCode, logged]).toEqual([503, [503]]);
  });

  it('is replaced by 503 if neither the token nor the log can be reached', async () => {
    found = kept = unreachable;
    expect(await answer(invalid)).toBe('sent');
    expect([response.statusCode, logged]).toEqual([503, []]);
  });
});
