import type { Request, Response } from 'express';
import { registryAliases } from './registry-path';

/** What the routes behind the aliases see. */
function seen(url: string): string {
  const request = { url } as Request;
  registryAliases()(request, {} as Response, () => undefined);
  return request.url;
}

const ORGANISATION = '/v1/organisations/019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10/registry';

describe('A path of the registry', () => {
  it.each(['', ORGANISATION])('below "%s" has one name, however a client joined it with a base address', (base) => {
    for (const version of ['/v0', '/v0.1', '//v0', '//v0.1']) {
      expect(seen(`${base}${version}/servers`)).toBe(`${base}/v0.1/servers`);
      expect(seen(`${base}${version}/servers/`)).toBe(`${base}/v0.1/servers`);
      expect(seen(`${base}${version}/servers/?limit=1&search=//`)).toBe(`${base}/v0.1/servers?limit=1&search=//`);
      expect(seen(`${base}${version}/servers/a%2Fb/versions/`)).toBe(`${base}/v0.1/servers/a%2Fb/versions`);
      expect(seen(`${base}${version}/x/toolyard/facets/`)).toBe(`${base}/v0.1/x/com.toolyard/facets`);
    }
    expect(seen(`/${ORGANISATION}/v0.1/servers`)).toBe(`${ORGANISATION}/v0.1/servers`);
  });

  it.each([
    '///v0.1/servers',
    '/v0.1//servers',
    '/v0.1/servers//',
    '/v0.1/servers//versions',
    '/v0.1/servers///?limit=1',
    `${ORGANISATION}///v0.1/servers`,
    `/${ORGANISATION}//v0.1/servers`,
    '/v1/organisations//registry/v0.1/servers',
    '/v0.2/servers/',
    '/v0x/servers/',
    '//v1/users/me',
    '/v1/users/me/',
    '/v1/mcp/listings/?search=/v0.1/servers/',
    '//healthz',
    '/',
    '//',
  ])('is no other one: %s', (url) => {
    expect(seen(url)).toBe(url);
  });
});
