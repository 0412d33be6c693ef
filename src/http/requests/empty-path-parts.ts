import type { OpenAPIObject } from '@nestjs/swagger';
import type { RequestHandler } from 'express';
import { DomainError, ErrorCode } from '../../errors/errors';

/**
 * Rejects paths with an empty segment, such as `/v1/things//parts` and `/v1/things/`. Express ignores a trailing
 * slash, so a client whose id is an empty string would receive the whole list.
 *
 * The documentation pages are exempt: their own links are relative, with and without a slash. One slash too many at either
 * end of a path of the registry is gone before (registry-path.ts).
 */
export function refuseEmptyPathParts(document: OpenAPIObject): RequestHandler {
  const templates = Object.keys(document.paths).map((path) => path.split('/'));
  return (request, _response, next) => {
    const { path } = request;
    const isWhole = path === '/' || !(path.endsWith('/') || path.includes('//'));
    if (isWhole || path === '/docs/' || path.startsWith('/docs/')) return next();
    next(new DomainError(ErrorCode.NotFound, `The path has an empty part: ${emptyPart(path.split('/'), templates)}.`));
  };
}

/** @returns the first empty segment, by its name if some operation has a parameter there */
function emptyPart(parts: string[], templates: string[][]): string {
  const template = templates.find((candidate) => matches(parts, candidate));
  const index = parts.indexOf('', 1);
  if (template) return `${template[index]?.slice(1, -1)} of ${template.join('/')}`;
  return index === parts.length - 1 ? 'the one after the last slash' : `number ${index}, between two slashes`;
}

/** Whether the segments would match the template if the empty ones were filled in. */
function matches(parts: string[], template: string[]): boolean {
  return (
    parts.length === template.length &&
    template.every((part, index) => (part.startsWith('{') ? true : part === parts[index]))
  );
}
