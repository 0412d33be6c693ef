import { type CustomHeaders, headerNameFault } from './custom-headers';

const USER_AGENT = 'Toolyard-Webhooks/1';

/**
 * @param timestamp Unix seconds
 * @param custom the endpoint's custom headers; those whose names are not allowed any more are left out
 * @param traceparent of this attempt; it replaces a custom header of that name
 * @returns name, value, name, value …
 */
export function requestHeaders(
  id: string,
  timestamp: number,
  signature: string,
  custom: CustomHeaders,
  traceparent?: string,
): string[] {
  const headers = [
    'content-type',
    'application/json',
    'user-agent',
    USER_AGENT,
    'accept-encoding',
    'identity',
    'webhook-id',
    id,
    'webhook-timestamp',
    String(timestamp),
    'webhook-signature',
    signature,
  ];
  for (const [name, value] of Object.entries(custom)) {
    const isReplaced = traceparent !== undefined && /^trace(parent|state)$/i.test(name);
    if (!headerNameFault(name) && !isReplaced) headers.push(name, value);
  }
  if (traceparent !== undefined) headers.push('traceparent', traceparent);
  return headers;
}
