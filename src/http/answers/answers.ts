import { applyDecorators, Header, HttpCode, type Type } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtension,
  ApiHeader,
  ApiNoContentResponse,
  ApiNotModifiedResponse,
  ApiOkResponse,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { Page, Pages } from '../requests/page';
import { ShapesAnswer } from './answer-shape';

export const LINK_HEADER = {
  description: 'The next page, `rel="next"` (RFC 8288); absent on the last one.',
  schema: { type: 'string' as const },
};

/** 200 with one resource. */
export function Gives(type: Type, description = 'The current state.'): MethodDecorator {
  return applyDecorators(HttpCode(200), ApiOkResponse({ type, description }));
}

/** The same; the method returns the resource as JSON. */
export function GivesJson(type: Type, description?: string): MethodDecorator {
  return applyDecorators(Gives(type, description), Header('Content-Type', 'application/json; charset=utf-8'));
}

/** The extension of an operation whose response contains a secret. */
export const SECRET_EXTENSION = 'x-shows-secret';

/**
 * The response contains a secret, such as a token that is shown once. It must not be stored, nor compressed by us or by
 * a proxy: next to input from the caller, the length of a compressed response would leak the secret (BREACH).
 */
export function ShowsSecret(): MethodDecorator {
  return applyDecorators(Header('Cache-Control', 'no-store, no-transform'), ApiExtension(SECRET_EXTENSION, true));
}

/** 204 with an empty body. */
export function GivesNothing(description = 'Done.'): MethodDecorator {
  return applyDecorators(HttpCode(204), ApiNoContentResponse({ description }));
}

/**
 * 201 with the new resource, and its address in `Location`.
 *
 * @param locate maps the resource and the path parameters to the address, relative to the service's root
 */
export function Creates<T>(type: Type<T>, locate: (created: T, path: Request['params']) => string): MethodDecorator {
  return applyDecorators(
    HttpCode(201),
    ShapesAnswer<T>((created, { params }, response) => {
      response.setHeader('Location', locate(created, params));
      return created;
    }),
    ApiCreatedResponse({
      type,
      description: 'Created.',
      headers: {
        Location: {
          description: 'The address of the new resource.',
          schema: { type: 'string', format: 'uri-reference' },
        },
      },
    }),
  );
}

/** @returns the rows of a page for the body; puts the address of the next page into `Link` (RFC 8288) */
export function rowsOf({ items, next }: Page<unknown>, request: Request, response: Response, pages: Pages): unknown[] {
  if (next !== undefined) {
    const query = request.query as unknown as { limit: number };
    response.setHeader('Link', pages.link(request.path, query, next));
  }
  return items;
}

/** 200 with one page of a list; the method returns a `Page`. */
export function Lists(type: Type, description = 'One page.'): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ShapesAnswer(rowsOf),
    ApiOkResponse({
      type,
      isArray: true,
      description,
      headers: { Link: LINK_HEADER },
    }),
  );
}

/** 200 with one resource that has a page of a list in the field `name`; the method returns a `Page` there. */
export function GivesWithPage(type: Type, name: string): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ShapesAnswer<Record<string, unknown>>((thing, ...exchange) => ({
      ...thing,
      [name]: rowsOf(thing[name] as Page<unknown>, ...exchange),
    })),
    ApiOkResponse({ type, headers: { Link: LINK_HEADER } }),
  );
}

/** 200 with a response prepared as bytes, usually a whole list, or 304; send it with `sendPrepared`. */
export function GivesPrepared(
  type: Type,
  { isArray = true, description = 'The complete list.' }: { isArray?: boolean; description?: string } = {},
): MethodDecorator {
  const headers = {
    ETag: { description: 'A strong validator; send it back in `If-None-Match`.', schema: { type: 'string' as const } },
  };
  return applyDecorators(
    HttpCode(200),
    ApiHeader({ name: 'If-None-Match', required: false, description: 'The `ETag` of the response that you have.' }),
    ApiOkResponse({ type, isArray, description, headers }),
    ApiNotModifiedResponse({ description: 'Your copy is still current.', headers }),
  );
}
