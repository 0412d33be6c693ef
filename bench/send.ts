import { Agent, request } from 'node:http';
import type { Hostile } from './hostile';

/** A request with its token. */
export interface Call extends Hostile {
  url: string;
  token: string;
}

/** @returns the status; 0 if the connection was cut */
export function send({ url, path, method, headers, body, isInChunks, token }: Call, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const call = request(
      url + path,
      {
        method,
        agent,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body ? { 'Content-Type': 'application/json' } : {}),
          ...(body && !isInChunks ? { 'Content-Length': body.length } : {}),
          ...(isInChunks ? { 'Transfer-Encoding': 'chunked' } : {}),
          ...headers,
        },
      },
      (response) => {
        response.resume();
        response.on('close', () => resolve(response.statusCode ?? 0));
      },
    );
    call.on('error', () => resolve(0));
    if (isInChunks) {
      // The body is already in chunked encoding.
      call.flushHeaders();
      call.chunkedEncoding = false;
    }
    call.end(body);
  });
}
