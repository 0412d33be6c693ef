import { requestHeaders } from './request-headers';

describe('The headers of a sent webhook', () => {
  const ours = requestHeaders('e1', 1_700_000_000, 'v1,abc', {});

  it('are ours, and those of the endpoint', () => {
    expect(ours).toEqual([
      ...['content-type', 'application/json'],
      ...['user-agent', 'Toolyard-Webhooks/1'],
      ...['accept-encoding', 'identity'],
      ...['webhook-id', 'e1'],
      ...['webhook-timestamp', '1700000000'],
      ...['webhook-signature', 'v1,abc'],
    ]);
    const own = { Authorization: 'Bearer abc', 'X-Tenant': '7' };
    expect(requestHeaders('e1', 1_700_000_000, 'v1,abc', own)).toEqual([
      ...ours,
      ...['Authorization', 'Bearer abc'],
      ...['X-Tenant', '7'],
    ]);
  });

  it.each([
    ['Webhook-Signature'],
    ['webhook-id'],
    ['WEBHOOK-TIMESTAMP'],
    ['Content-Type'],
    ['content-encoding'],
    ['Content-Length'],
    ['User-Agent'],
    ['accept-encoding'],
    ['Host'],
    ['Connection'],
    ['Transfer-Encoding'],
    ['expect'],
    ['te'],
    ['Upgrade'],
    ['Proxy-Authorization'],
    ['X-Tenant: 1\r\nwebhook-id'],
  ])('cannot be overridden by those of the endpoint: %j', (name) => {
    expect(requestHeaders('e1', 1_700_000_000, 'v1,abc', { [name]: 'forged' })).toEqual(ours);
  });
});
