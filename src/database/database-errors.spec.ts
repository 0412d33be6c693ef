import { QueryFailedError } from 'typeorm';
import { ConflictError, defineErrors, ErrorCode, UnavailableError } from '../errors/errors';
import { DatabaseErrors, isRetryable, isUnavailable } from './database-errors';

const { ThingConflict, ThingNotFound } = defineErrors({
  ThingConflict: {
    code: 'thing_conflict',
    kind: 'conflict',
    constraints: { things_slug_key: 'This slug is taken.', things_pkey: 'This thing is there already.' },
  },
  ThingNotFound: { code: 'thing_not_found', kind: 'notFound', noun: 'Thing' },
});
const errors = new DatabaseErrors([ThingNotFound, ThingConflict]);

/** An error as node-postgres throws it for a server error. */
function fromServer(code: string, fields: object = {}): Error {
  return Object.assign(new Error(`SQLSTATE ${code}`), { code, ...fields });
}

/** The same error as TypeORM wraps it. */
function fromTypeorm(error: Error): Error {
  return new QueryFailedError('SELECT 1', [], error);
}

/** As Node reports that none of several addresses answered. */
function fromSeveralAddresses(...codes: string[]): Error {
  return new AggregateError(codes.map((code) => Object.assign(new Error(code), { code })));
}

describe('A database error', () => {
  it.each([
    ['08006', 'connection failure'],
    ['08P01', 'protocol violation'],
    ['53300', 'too many connections'],
    ['53100', 'disk full'],
    ['57P01', 'shutdown by the administrator'],
    ['57P03', 'starting up'],
    ['57014', 'statement timeout'],
    ['25006', 'read-only after a fail-over'],
    ['40001', 'serialization failure that stayed'],
    ['40P01', 'deadlock that stayed'],
  ])('of a server that cannot serve now becomes 503: %s, %s', (code) => {
    for (const error of [fromServer(code), fromTypeorm(fromServer(code))]) {
      expect(isUnavailable(error)).toBe(true);
      const translated = errors.translate(error);
      expect(translated).toBeInstanceOf(UnavailableError);
      expect(translated).toMatchObject({ code: ErrorCode.ServiceUnavailable.code, retryAfter: 1, cause: error });
    }
  });

  it.each(['28P01', '28000', '3D000', '55000'])(
    'of a refused login becomes 503, but fails a start at once: %s',
    (code) => {
      expect(errors.translate(fromServer(code))).toBeInstanceOf(UnavailableError);
      expect(isUnavailable(fromServer(code))).toBe(false);
    },
  );

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'])(
    'of the network becomes 503: %s',
    (code) => {
      expect(errors.translate(fromServer(code))).toBeInstanceOf(UnavailableError);
      expect(errors.translate(fromSeveralAddresses(code, code))).toBeInstanceOf(UnavailableError);
      expect(errors.translate(fromTypeorm(fromSeveralAddresses(code)))).toBeInstanceOf(UnavailableError);
    },
  );

  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'timeout exceeded when trying to connect',
    'Driver not Connected',
  ])('of node-postgres with only a text becomes 503: %s', (text) => {
    expect(errors.translate(new Error(text))).toBeInstanceOf(UnavailableError);
    expect(errors.translate(fromTypeorm(new Error(text)))).toBeInstanceOf(UnavailableError);
  });

  it.each([
    ['things_slug_key', 'This slug is taken.'],
    ['things_pkey', 'This thing is there already.'],
  ])('of the constraint %s becomes the conflict declared by its noun', (constraint, message) => {
    for (const error of [fromServer('23505', { constraint }), fromTypeorm(fromServer('23505', { constraint }))]) {
      const translated = errors.translate(error);
      expect(translated).toBeInstanceOf(ConflictError);
      expect(translated).toMatchObject({ code: 'thing_conflict', message });
    }
  });

  it.each<[string, unknown]>([
    ['another unique constraint', fromServer('23505', { constraint: 'constructor' })],
    ['a foreign key', fromServer('23503', { constraint: 'things_slug_key' })],
    ['a check', fromServer('23514', { constraint: 'things_role_check' })],
    ['an invalid statement', fromServer('42601')],
    ['a value that does not fit', fromServer('22P02')],
    ['an error of our own that only mentions a connection', fromServer('X', { message: 'Connection terminated' })],
    ['any other error', new TypeError('x is undefined')],
    ['something that is not an error', 'timeout exceeded when trying to connect'],
    ['nothing', undefined],
    ['an empty list of errors', new AggregateError([])],
  ])('from a defect of ours stays unchanged: %s', (_, error) => {
    expect(errors.translate(error)).toBeUndefined();
  });

  it('is retried only if two transactions conflicted', () => {
    const tried = ['40001', '40P01', '23505', '08006', '57014'].filter((code) => isRetryable(fromServer(code)));
    expect(tried).toEqual(['40001', '40P01']);
    expect(isRetryable(fromTypeorm(fromServer('40001')))).toBe(true);
  });
});
