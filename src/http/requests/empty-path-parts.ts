import type { OpenAPIObject } from '@nestjs/swagger';
import type { RequestHandler } from 'express';
import { DomainError, ErrorCode } from '../../errors/errors';

/**
 * Refuses paths with an empty part, such as `/v1/things//parts` and `/v1/things/`. Express ignores a slash at the end, so a
 * client whose id is an empty string would get the whole list.
 *
 * The pages of the documentation are let through: their own addresses are relative, with and without a slash.
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

/** @returns the first empty part, by its name where some operation has a parameter there */
function emptyPart(parts: string[], templates: string[][]): string {
  const template = templates.find((candidate) => matches(parts, candidate));
  const place = parts.indexOf('', 1);
  if (template) return `${template[place]?.slice(1, -1)} of ${template.join('/')}`;
  return place === parts.length - 1 ? 'the one after the last slash' : `number ${place}, between two slashes`;
}

/** Whether the parts would be a path of the template if the empty ones were not. */
function matches(parts: string[], template: string[]): boolean {
  return (
    parts.length === template.length &&
    template.every((part, index) => (part.startsWith('{') ? true : part === parts[index]))
  );
}
