import { isObject } from '../../../src/http/requests/json-object';

/** One error of a request, as in RFC-like bodies of the API: where (`body`, `name`), and what is wrong. */
export interface Fault {
  loc: string[];
  msg: string;
}

/** What a call failed with. */
export class ApiProblem extends Error {
  constructor(
    /** 0: the server was not reached. */
    readonly status: number,
    /** For programs, such as `bundle_conflict`; undefined where the answer was not one of the API. */
    readonly code: string | undefined,
    detail: string,
    readonly faults: readonly Fault[] = [],
    /** Seconds until another try makes sense. */
    readonly retryAfter: number | undefined = undefined,
    /** What an operator finds in the log. */
    readonly requestId: string | undefined = undefined,
  ) {
    super(detail);
  }

  static unreachable(): ApiProblem {
    return new ApiProblem(0, undefined, '');
  }

  /** @returns the message at a field of the body, if there is one */
  at(field: string): string | undefined {
    return this.faults.find(({ loc }) => loc[0] === 'body' && loc.slice(1).join('.') === field)?.msg;
  }
}

/** @returns what an answer with an error says, whatever it looks like */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => undefined);
  const { detail, code } = isObject(body) ? body : {};
  const faults = Array.isArray(detail) ? detail.filter(isFault) : [];
  const text = typeof detail === 'string' ? detail : faults.map(({ msg }) => msg).join(' ');
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiProblem(
    response.status,
    typeof code === 'string' ? code : undefined,
    text,
    faults,
    Number.isFinite(seconds) ? seconds : undefined,
    response.headers.get('X-Request-Id') ?? undefined,
  );
}

/** @returns the problem, also of an error that is a defect of this page */
export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  return new ApiProblem(-1, undefined, error instanceof Error ? error.message : String(error));
}

function isFault(value: unknown): value is Fault {
  return isObject(value) && Array.isArray(value['loc']) && typeof value['msg'] === 'string';
}
