import type { OpenAPIObject } from '@nestjs/swagger';
import request, { type Response, type Test } from 'supertest';
import { expectDocumented } from './documented-answers';

type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/**
 * Calls over HTTP. The expected status is an argument, and every answer is held against the OpenAPI document: its
 * status must be documented for the operation, and its body must be exactly what the document says.
 */
export class Api {
  constructor(
    readonly url: string,
    private readonly document: OpenAPIObject,
    readonly token?: string,
  ) {}

  get(path: string, status = 200, headers: Record<string, string> = {}): Promise<Response> {
    return this.call('get', path, status, undefined, headers);
  }

  post(path: string, body?: object, status = 201, headers: Record<string, string> = {}): Promise<Response> {
    return this.call('post', path, status, body, headers);
  }

  patch(path: string, body: object, status = 200, headers: Record<string, string> = {}): Promise<Response> {
    return this.call('patch', path, status, body, headers);
  }

  put(path: string, body?: object, status = 204, headers: Record<string, string> = {}): Promise<Response> {
    return this.call('put', path, status, body, headers);
  }

  delete(path: string, status = 204, headers: Record<string, string> = {}): Promise<Response> {
    return this.call('delete', path, status, undefined, headers);
  }

  /** For what the methods above cannot say: raw bodies, odd content types. Nothing is checked. */
  raw(method: Method, path: string): Test {
    const test = request(this.url)[method](path);
    return this.token === undefined ? test : test.set('Authorization', `Bearer ${this.token}`);
  }

  async call(
    method: Method,
    path: string,
    status: number | undefined,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const test = this.raw(method, path).set(headers);
    const response = await (body === undefined ? test : test.send(body));
    if (status !== undefined && response.status !== status) {
      throw new Error(`${method.toUpperCase()} ${path} answered ${response.status}, not ${status}: ${response.text}`);
    }
    expectDocumented(this.document, method, path, response);
    return response;
  }
}
