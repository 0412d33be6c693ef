import type { WebhookEndpoint, WebhookEndpointDay } from '../../../api/schema';
import { matching, nameOf, stateOf } from './endpoint-state';

const ENDPOINT: WebhookEndpoint = {
  id: '1',
  target_url: 'https://hooks.example.com/in',
  is_active: true,
  description: 'Pagers',
  event_types: [],
  created_at: '2026-11-20T08:00:00.000Z',
  updated_at: '2026-11-20T08:00:00.000Z',
};
const DAY: WebhookEndpointDay = {
  endpoint_id: '1',
  succeeded: [0, 1],
  failed: [0, 1],
  failing_since: null,
  disabled_reason: null,
  disabled_at: null,
};

describe('The state of an endpoint', () => {
  it('is failing after a failure, even if something was delivered today', () => {
    expect(stateOf(ENDPOINT, { ...DAY, failing_since: ENDPOINT.created_at })).toBe('failing');
    expect(stateOf(ENDPOINT, DAY)).toBe('working');
    expect(stateOf(ENDPOINT, { ...DAY, succeeded: [0, 0] })).toBe('quiet');
    expect(stateOf({ ...ENDPOINT, is_active: false }, { ...DAY, failing_since: ENDPOINT.created_at })).toBe('off');
    expect(stateOf(ENDPOINT, undefined)).toBe('quiet');
  });

  it('narrows the list, as does a part of the address or the description', () => {
    const rows = [{ endpoint: ENDPOINT, state: 'failing' as const }];
    expect(matching(rows, 'PAGER', undefined)).toHaveLength(1);
    expect(matching(rows, 'example.com/', 'failing')).toHaveLength(1);
    expect(matching(rows, '', 'off')).toHaveLength(0);
    expect(matching(rows, 'other', undefined)).toHaveLength(0);
  });

  it.each([
    ['https://hooks.example.com/in?token=1', 'hooks.example.com/in?…'],
    ['https://hooks.example.com/', 'hooks.example.com'],
    ['http://127.0.0.1:8080/a', '127.0.0.1:8080/a'],
    ['https://hooks.example.com/in?…', 'hooks.example.com/in?…'],
  ])('has a name for people: %s', (address, name) => expect(nameOf(address)).toBe(name));
});
