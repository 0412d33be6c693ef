import type { OpenAPIObject } from '@nestjs/swagger';
import request, { type Response, type Test } from 'supertest';
import { expectDocumented } from './documented-answers';
import type { BodyOf, Method, RequestOf } from './typed-paths';

/** An answer with the body that the OpenAPI document says. */
export type Answer<Body = unknown> = Omit<Response, 'body' | 'headers'> & {
  body: Body;
  /** Names in lower case. */
  headers: Record<string, string>;
};

type Headers = Record<string, string>;

/**
 * Calls over HTTP. The expected status is an argument, and every answer is held against the OpenAPI document: its
 * status must be documented for the operation, and its body must be exactly what the document says.
 *
 * The compiler knows the operation by the path, so bodies have the types of the document (test/support/api-types.ts).
 * For that the path must be written in the call, or its type must say what it is: `/v1/bundles/${string}`.
 */
export class Api {
  constructor(
    readonly url: string,
    private readonly document: OpenAPIObject,
    readonly token?: string,
  ) {}

  get<P extends string, S extends number = 200>(
    path: P,
    status?: S,
    headers: Headers = {},
  ): Promise<Answer<BodyOf<'get', P, S>>> {
    return this.call('get', path, status ?? (200 as S), undefined, headers);
  }

  post<P extends string, S extends number = 201>(
    path: P,
    body?: RequestOf<'post', P, S>,
    status?: S,
    headers: Headers = {},
  ): Promise<Answer<BodyOf<'post', P, S>>> {
    return this.call('post', path, status ?? (201 as S), body, headers);
  }

  patch<P extends string, S extends number = 200>(
    path: P,
    body: RequestOf<'patch', P, S>,
    status?: S,
    headers: Headers = {},
  ): Promise<Answer<BodyOf<'patch', P, S>>> {
    return this.call('patch', path, status ?? (200 as S), body, headers);
  }

  put<P extends string, S extends number = 204>(
    path: P,
    body?: RequestOf<'put', P, S>,
    status?: S,
    headers: Headers = {},
  ): Promise<Answer<BodyOf<'put', P, S>>> {
    return this.call('put', path, status ?? (204 as S), body, headers);
  }

  delete<P extends string, S extends number = 204>(
    path: P,
    status?: S,
    headers: Headers = {},
  ): Promise<Answer<BodyOf<'delete', P, S>>> {
    return this.call('delete', path, status ?? (204 as S), undefined, headers);
  }

  /** For what the methods above cannot say: raw bodies, odd content types. Nothing is checked. */
  raw(method: Method, path: string): Test {
    const test = request(this.url)[method](path);
    return this.token === undefined ? test : test.set('Authorization', `Bearer ${this.token}`);
  }

  /** @param status any that is documented if it is undefined */
  async call<M extends Method, P extends string, S extends number = number>(
    method: M,
    path: P,
    status?: S,
    body?: object,
    headers: Headers = {},
  ): Promise<Answer<BodyOf<M, P, S>>> {
    const test = this.raw(method, path).set(headers);
    const response = await (body === undefined ? test : test.send(body));
    if (status !== undefined && response.status !== status) {
      throw new Error(`${method.toUpperCase()} ${path} answered ${response.status}, not ${status}: ${response.text}`);
    }
    expectDocumented(this.document, method, path, response);
    return response;
  }
}
