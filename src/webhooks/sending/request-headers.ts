import { type CustomHeaders, headerNameFault } from '../endpoints/custom-headers';

const USER_AGENT = 'Toolyard-Webhooks/1';

/**
 * @param timestamp Unix seconds
 * @param custom the endpoint's custom headers; those whose names are not allowed any more are left out
 * @returns name, value, name, value …
 */
export function requestHeaders(id: string, timestamp: number, signature: string, custom: CustomHeaders): string[] {
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
    if (!headerNameFault(name)) headers.push(name, value);
  }
  return headers;
}
