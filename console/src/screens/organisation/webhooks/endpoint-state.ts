import type { WebhookEndpoint, WebhookEndpointDay } from '../../../api/schema';

export const ENDPOINT_STATES = ['failing', 'off', 'working', 'quiet'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** @returns what an endpoint does: whether it is switched off, its latest attempt failed, or it had none today */
export function stateOf({ is_active: isActive }: WebhookEndpoint, day: WebhookEndpointDay | undefined): EndpointState {
  if (!isActive) return 'off';
  if (!day) return 'quiet';
  if (day.failing_since !== null) return 'failing';
  return sum(day.succeeded) > 0 ? 'working' : 'quiet';
}

export const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

interface Listed {
  endpoint: WebhookEndpoint;
  state: EndpointState;
}

/** @returns those with the text in their address or description, and in this state, if there is one */
export function matching<Row extends Listed>(rows: readonly Row[], text: string, state: string | undefined): Row[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (state === undefined || row.state === state) &&
      `${row.endpoint.target_url}\n${row.endpoint.description}`.toLowerCase().includes(wanted),
  );
}

/** @returns an address for people: the host and the path, and that there is a query */
export function nameOf(targetUrl: string): string {
  if (!URL.canParse(targetUrl)) return targetUrl;
  const { host, pathname, search } = new URL(targetUrl);
  return `${host}${pathname === '/' ? '' : pathname}${search === '' ? '' : '?…'}`;
}
