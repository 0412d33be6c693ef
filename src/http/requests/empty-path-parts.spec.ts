import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import fc from 'fast-check';
import { refuseEmptyPathParts } from './empty-path-parts';
import { DomainError } from '../../errors/errors';

const refuse = refuseEmptyPathParts({
  paths: {
    '/v1/things': {},
    '/v1/things/{thing_id}': {},
    '/v1/things/{thing_id}/parts/{part_id}': {},
    '/v1/things/all': {},
  },
} as unknown as OpenAPIObject);

/** @returns the error for the path; undefined if it is accepted */
function saidOf(path: string): string | undefined {
  let said: unknown;
  void refuse({ path } as Request, {} as Response, (error?: unknown) => (said = error));
  return said instanceof DomainError ? said.message : undefined;
}

describe('An empty part of a path', () => {
  it.each([
    ['/v1/things/', 'The path has an empty part: thing_id of /v1/things/{thing_id}.'],
    ['/v1/things//parts/7', 'The path has an empty part: thing_id of /v1/things/{thing_id}/parts/{part_id}.'],
    ['/v1/things/7/parts/', 'The path has an empty part: part_id of /v1/things/{thing_id}/parts/{part_id}.'],
    ['/v1/things//parts/', 'The path has an empty part: thing_id of /v1/things/{thing_id}/parts/{part_id}.'],
    ['/v1/things/all/', 'The path has an empty part: the one after the last slash.'],
    ['/v1//things', 'The path has an empty part: number 2, between two slashes.'],
    ['//v1/things', 'The path has an empty part: number 1, between two slashes.'],
    ['//', 'The path has an empty part: number 1, between two slashes.'],
  ])('is named in the error: %s', (path, said) => {
    expect(saidOf(path)).toBe(said);
  });

  it('is rejected at any position, and nothing else is', () => {
    const parts = fc.array(fc.constantFrom('', 'v1', 'things', '7', '%2F', 'docs2'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(parts, (pathParts) => {
        const isRefused = saidOf(`/${pathParts.join('/')}`) !== undefined;
        expect(isRefused).toBe(pathParts.includes('') && pathParts.length > 1);
      }),
    );
  });

  it.each(['/', '/docs', '/docs/', '/docs/swagger-ui.css'])('is not seen in %s', (path) => {
    expect(saidOf(path)).toBeUndefined();
  });
});
