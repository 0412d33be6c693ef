import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseQueryString } from '../../http/requests/query-string';
import { COSTS, costOf, costOfBody } from './request-cost';

const DOCUMENT = JSON.parse(readFileSync(join(__dirname, '../../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};

describe('The cost of a request', () => {
  const cost = (method: string, template: string, query = '') => {
    const resource = { template, methods: [], isOpen: false, countedFor: 'principal' as const };
    return costOf({ method, url: `${template}${query}`, resource, query: parseQueryString(query.slice(1)) });
  };

  it('names operations that exist', () => {
    for (const operation of Object.keys(COSTS)) {
      const [method = '', template = ''] = operation.split(' ');
      expect(Object.keys(DOCUMENT.paths[template] ?? {})).toContain(method.toLowerCase());
    }
  });

  it('is 1 of what is not there, and of a page as it is without a limit', () => {
    expect(costOf({ method: 'GET', url: '/nothing?limit=100', resource: undefined, query: { limit: '100' } })).toBe(1);
    for (const query of ['', '?scope=mine', '?limit=1', '?limit=30', '?limit=', '?limit=0', '?search=', '?xlimit=100'])
      expect(cost('GET', '/v1/mcp/listings', query)).toBe(1);
  });

  it.each([
    ['?limit=31', 2],
    ['?limit=100', 4],
    ['?a=b&limit=0100&c=d', 4],
    ['?limit[]=100', 4],
    ['?limit%5B0%5D=100', 4],
    ['?limit=999', 4],
    ['?search=a', 2],
    ['?search=a&limit=100', 8],
    ['?limit=100&search[]=a', 8],
    ['?%73earch=a&%6cimit=100', 8],
    ['?search[1]=a&limit[1]=100', 8],
    ['?search=a&limit=%3100', 8],
    ['?limit=1&limit=100', 1],
  ])('grows with what a list is asked for: %s is %d', (query, expected) => {
    for (const method of ['GET', 'HEAD']) expect(cost(method, '/v1/mcp/listings', query)).toBe(expected);
  });

  it('of the registry grows with searches only, because its pages are ready', () => {
    expect(cost('GET', '/v0.1/servers', '?limit=100')).toBe(1);
    expect(cost('GET', '/v0.1/servers', '?limit=100&search=a')).toBe(8);
  });

  const SCIM = '/v1/organisations/{org_id}/scim/v2/';

  it.each([
    ['Users', '', 1],
    ['Users', '?count=200', 1],
    ['Users', '?count=201', 2],
    ['Users', '?%43ount=%2B1000', 5],
    ['Groups', '?startIndex=5&count=99999', 5],
    ['Users', '?count=-1', 1],
    ['Users', '?filter=a&search=b&limit=100', 1],
  ])('of SCIM grows with the rows that are asked for: %s%s is %d', (list, query, expected) => {
    expect(cost('GET', `${SCIM}${list}`, query)).toBe(expected);
  });

  it.each([
    ['Users/.search', { count: 1_000 }, 4],
    ['.search', { COUNT: '400' }, 1],
    ['Groups/.search', {}, 0],
    ['Bulk', { operations: Array.from({ length: 500 }) }, 124],
    ['Bulk', { Operations: [{}] }, 0],
    ['Bulk', { Operations: 5 }, 0],
    ['Bulk', undefined, 0],
    ['Users', { Operations: Array.from({ length: 500 }), count: 1_000 }, 0],
  ])('of the body of %s grows with what it asks for', (path, body, expected) => {
    const resource = { template: `${SCIM}${path}`, methods: [], isOpen: false, countedFor: 'principal' as const };
    expect(costOfBody({ resource, body })).toBe(expected);
  });

  it('is that of the operation if that is more', () => {
    expect(cost('POST', '/v1/bundles/{bundle_id}/compile')).toBe(75);
    expect(cost('GET', '/v1/bundles/{bundle_id}/export', '?client=vscode')).toBe(10);
    expect(cost('GET', '/v1/bundles/{bundle_id}/endpoint/preview', '?limit=100')).toBe(20);
  });
});
