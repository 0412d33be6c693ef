import { createHash } from 'node:crypto';
import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiHeader, ApiNotModifiedResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { matchesTag } from './prepared-answer';

/** A picture as it is sent. */
export interface Image {
  mediaType: string;
  bytes: Buffer;
}

/** For an hour without asking: a page shows dozens of pictures, which hardly ever change. Only the client may keep them. */
const CACHE_CONTROL = 'private, max-age=3600';

const ETAG = {
  ETag: { description: 'A strong validator; send it back in `If-None-Match`.', schema: { type: 'string' as const } },
};

/** 200 with a picture, or 304; send it with `sendImage`. */
export function GivesImage(mediaTypes: readonly string[], description: string): MethodDecorator {
  // Bytes have no JSON Schema (OpenAPI 3.1, section 4.8.14.5).
  const content = Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: {} }]));
  return applyDecorators(
    HttpCode(200),
    ApiHeader({ name: 'If-None-Match', required: false, description: 'The `ETag` of the response that you have.' }),
    ApiOkResponse({ description, content, headers: ETAG }),
    ApiNotModifiedResponse({ description: 'Your copy is still current.', headers: ETAG }),
  );
}

/** Sends a picture, or 304 if the caller already has it. */
export function sendImage(request: Request, response: Response, { mediaType, bytes }: Image): void {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', CACHE_CONTROL);
  if (matchesTag(request.headers['if-none-match'], etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', mediaType);
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}
