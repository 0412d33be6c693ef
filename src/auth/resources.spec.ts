import fc from 'fast-check';
import { newId } from '../database/id';
import { Resources } from './resources';
import { ENDPOINT_SCOPE_NAMES, SCOPE_NAMES, TOKEN_SCOPE_NAMES } from './scopes';

const PUBLIC_URL = 'https://toolyard.test/tools';
const resources = new Resources(PUBLIC_URL);
const id = newId();

describe('What access tokens can be for', () => {
  it.each([
    ['', '/'],
    ['/', '/'],
    [`/v1/organisations/${id}/registry`, `/v1/organisations/${id}/registry`],
    [`/v1/organisations/${id}/registry/v0.1/servers`, `/v1/organisations/${id}/registry`],
    [`/mcp/bundles/${id}`, `/mcp/bundles/${id}`],
    [`/mcp/deployments/${id}`, `/mcp/deployments/${id}`],
  ])('includes PUBLIC_URL%s', (path, below) => {
    expect(resources.has(PUBLIC_URL + path)).toBe(true);
    expect(resources.pathOf(PUBLIC_URL + path)).toBe(below);
  });

  it.each([
    '/v1',
    `/v1/organisations/${id}`,
    `/v1/organisations/${id}/registryx`,
    '/mcp',
    '/mcp/bundles',
    '/mcp/bundles/x',
    `/mcp/bundles/${id}/`,
    `/mcp/bundles/${id}/x`,
    `/mcp/bundles/${id.toUpperCase()}`,
    `/mcp/bundles/${id}?x`,
    `/mcp/bundles/${id}#x`,
    `/mcp/bundles/${id}%20`,
    `//mcp/bundles/${id}`,
    `/x/../mcp/bundles/${id}`,
    `/MCP/bundles/${id}`,
  ])('does not include PUBLIC_URL%s', (path) => {
    expect(resources.has(PUBLIC_URL + path)).toBe(false);
    expect(resources.pathOf(PUBLIC_URL + path)).toBeUndefined();
  });

  it('never includes anything that is not below PUBLIC_URL', () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        expect(resources.has(`${url}/mcp/bundles/${id}`)).toBe(false);
      }),
    );
  });

  it('has scopes of its own for endpoints', () => {
    expect(resources.scopesOf(`${PUBLIC_URL}/mcp/bundles/${id}`)).toBe(ENDPOINT_SCOPE_NAMES);
    expect(resources.scopesOf(PUBLIC_URL)).toBe(TOKEN_SCOPE_NAMES);
    expect(resources.scopesOf(`${PUBLIC_URL}/v1/organisations/${id}/registry`)).toBe(SCOPE_NAMES);
  });
});
