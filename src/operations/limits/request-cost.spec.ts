import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COSTS, costOf } from './request-cost';

const DOCUMENT = JSON.parse(readFileSync(join(__dirname, '../../../openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};

describe('The cost of a request', () => {
  const cost = (method: string, template: string, query = '') => {
    const resource = { template, methods: [], isOpen: false, countedFor: 'principal' as const };
    return costOf({ method, url: `${template}${query}`, resource });
  };

  it('names operations that exist', () => {
    for (const operation of Object.keys(COSTS)) {
      const [method = '', template = ''] = operation.split(' ');
      expect(Object.keys(DOCUMENT.paths[template] ?? {})).toContain(method.toLowerCase());
    }
  });

  it('is 1 of what is not there, and of a page as it is without a limit', () => {
    expect(costOf({ method: 'GET', url: '/nothing?limit=100', resource: undefined })).toBe(1);
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
  ])('grows with what a list is asked for: %s is %d', (query, expected) => {
    for (const method of ['GET', 'HEAD']) expect(cost(method, '/v1/mcp/listings', query)).toBe(expected);
  });

  it('of the registry grows with searches only, because its pages are ready', () => {
    expect(cost('GET', '/v0.1/servers', '?limit=100')).toBe(1);
    expect(cost('GET', '/v0.1/servers', '?limit=100&search=a')).toBe(8);
  });

  it('is that of the operation if that is more', () => {
    expect(cost('POST', '/v1/bundles/{bundle_id}/compile')).toBe(75);
    expect(cost('GET', '/v1/bundles/{bundle_id}/export', '?client=vscode')).toBe(10);
    expect(cost('GET', '/v1/bundles/{bundle_id}/endpoint/preview', '?limit=100')).toBe(20);
  });
});
