import { RouteTable } from './route-table';

const operation = (security?: Record<string, string[]>[]) => ({ responses: {}, security });
const table = new RouteTable({
  paths: {
    '/v1/things': { get: operation([{ bearer: [] }]), post: operation([{ bearer: [] }]) },
    '/v1/things/{id}': { get: operation([{ bearer: [] }]), delete: operation([{ bearer: [] }]) },
    '/v1/things/kinds': { get: operation([{ bearer: [] }]) },
    '/v1/things/kinds/{kind}': { get: operation([{ bearer: [] }]) },
    '/v1/things/{id}/parts/{part_id}': { put: operation([{ bearer: [] }]) },
    '/v1/mixed': { get: operation(), post: operation([{ bearer: [] }]) },
    '/open': { get: operation([]) },
    '/oauth2/revoke': { post: operation([{ client: [] }]) },
    '/readyz': { get: operation([]) },
  },
});

describe('The route of a path', () => {
  it.each([
    ['/v1/things', '/v1/things'],
    ['/v1/things/', '/v1/things'],
    ['/v1/things/kinds', '/v1/things/kinds'],
    ['/v1/things/Kinds', '/v1/things/{id}'],
    ['/v1/things/a%2Fb', '/v1/things/{id}'],
    ['/v1/things/kinds/parts', '/v1/things/kinds/{kind}'],
    ['/v1/things/kinds/parts/1', '/v1/things/{id}/parts/{part_id}'],
    ['/v1/things//parts/1', undefined],
    ['/v1/things/1/parts', undefined],
    ['/v1/things/%zz', undefined],
    ['/v1', undefined],
    ['/', undefined],
    ['*', undefined],
  ])('prefers literal parts: %s → %s', (path, template) => {
    expect(table.find(path)?.template).toBe(template);
  });

  it('has the methods of its template, and HEAD with GET', () => {
    expect(table.find('/v1/things/kinds')?.methods).toEqual(['GET', 'HEAD']);
    expect(table.find('/v1/things/1')?.methods).toEqual(['DELETE', 'GET', 'HEAD']);
    expect(table.find('/v1/things/1/parts/2')?.methods).toEqual(['PUT']);
  });

  it.each([
    ['/open', 'network'],
    ['/oauth2/revoke', 'network'],
    ['/v1/mixed', 'principal'],
    ['/v1/things', 'principal'],
    ['/readyz', 'nobody'],
  ])('says whose limit a request counts against: %s → %s', (path, countedFor) => {
    expect(table.find(path)?.countedFor).toBe(countedFor);
  });
});
