import type { EventType, WebhookEndpointDetail, WebhookEndpointUpdate } from '../../../api/schema';

/** A header in the form. */
export interface HeaderLine {
  /** Of the line, not of the header. */
  key: number;
  name: string;
  value: string;
  /** Whether an empty value keeps the one that is stored. */
  isStored: boolean;
}

/** What is typed into the form of an endpoint. */
export interface EndpointValues {
  url: string;
  description: string;
  types: EventType[];
  headers: HeaderLine[];
  rate: string;
}

export const NEW_ENDPOINT: EndpointValues = { url: '', description: '', types: [], headers: [], rate: '' };

/** @returns what the form has before it is changed */
export const valuesOf = (endpoint: WebhookEndpointDetail): EndpointValues => ({
  url: endpoint.target_url,
  description: endpoint.description,
  types: endpoint.event_types,
  headers: Object.keys(endpoint.headers).map((name, key) => ({ key, name, value: '', isStored: true })),
  rate: endpoint.rate_limit_per_second === null ? '' : String(endpoint.rate_limit_per_second),
});

const MOST = 1_000;

/** @returns the limit; 0 for none; undefined for what is no limit */
export function rateOf(text: string): number | undefined {
  if (text.trim() === '') return 0;
  const rate = Number(text);
  return Number.isInteger(rate) && rate >= 1 && rate <= MOST ? rate : undefined;
}

const named = (headers: readonly HeaderLine[]) =>
  headers.filter(({ name, value }) => name.trim() !== '' || value !== '');

/** @returns the headers of a new endpoint */
export const newHeaders = (headers: readonly HeaderLine[]): Record<string, string> =>
  Object.fromEntries(named(headers).map(({ name, value }) => [name.trim(), value]));

/** @returns what has changed, as the API takes it; undefined: nothing */
export function changesOf(before: EndpointValues, after: EndpointValues): WebhookEndpointUpdate | undefined {
  const changes: WebhookEndpointUpdate = {};
  if (after.url.trim() !== before.url) changes.target_url = after.url.trim();
  if (after.description !== before.description) changes.description = after.description;
  if (after.types.toSorted().join() !== before.types.toSorted().join()) changes.event_types = after.types;
  if (after.rate.trim() !== before.rate) changes.rate_limit_per_second = rateOf(after.rate) ?? 0;
  const headers = named(after.headers);
  const kept = headers.every(({ isStored, value }) => isStored && value === '');
  if (!kept || headers.length !== before.headers.length) {
    changes.headers = Object.fromEntries(
      headers.map(({ name, value, isStored }) => [name.trim(), isStored && value === '' ? null : value]),
    );
  }
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** Types of events about accounts, which are sent to endpoints of people alone. */
const OF_ACCOUNTS = /^(session|account|identity|access_token|oauth_client)\./;

/** @returns whether an endpoint of an organisation can receive the type */
export const isOfOrganisations = (type: string): boolean => !OF_ACCOUNTS.test(type);
