/** Discovery documents, keys, tokens and claims have a few kilobytes. */
const MAX_ANSWER_BYTES = 1_048_576;

/** What the libraries pass to a `fetch` of ours. */
interface FetchOptions {
  method?: string;
  headers?: RequestInit['headers'];
  body?: RequestInit['body'];
  signal?: AbortSignal;
}

/**
 * Requests to an identity provider: no redirect is followed, as a redirected token request would take code and secret
 * elsewhere, and an answer over 1 MiB is given up. The libraries set the deadline by `signal`.
 *
 * @throws Error if the provider does not answer, or answers too much
 */
export async function providerFetch(url: string, { method, headers, body, signal }: FetchOptions): Promise<Response> {
  const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
  const { status } = response;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    // Leaving the loop cancels the body.
    if (length > MAX_ANSWER_BYTES) throw new Error(`The answer of ${new URL(url).host} is larger than 1 MiB.`);
    chunks.push(chunk);
  }
  const isEmpty = [204, 205, 304].includes(status);
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers: response.headers });
}
