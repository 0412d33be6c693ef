import { RouteTable } from '../src/http/requests/route-table';
import type { Answer } from './support/api';
import { createTestApp, TestApp } from './support/app';

/** Express's layer of a route; its types omit the matcher. */
interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  match: (path: string) => boolean;
}

interface Route {
  method: string;
  path: string;
}

/** @returns whether one template matches every path that the other matches */
function covers(template: string, other: string): boolean {
  const parts = template.split('/');
  const others = other.split('/');
  return parts.length === others.length && parts.every((part, place) => part.startsWith('{') || part === others[place]);
}

describe('The routes', () => {
  let test: TestApp;
  let layers: Layer[];
  let routes: Route[];

  beforeAll(async () => {
    test = await createTestApp();
    const express = test.app.getHttpAdapter().getInstance() as unknown as { router: { stack: Layer[] } };
    // A handler for every method is not an operation: Nest uses it for 404 below and outside the prefix.
    layers = express.router.stack.filter(({ route }) => route && !route.methods.trace);
    routes = layers.flatMap(({ route }) =>
      Object.keys(route?.methods ?? {}).map((method) => ({ method, path: route?.path ?? '' })),
    );
  });

  afterAll(() => test.close());

  const documented = () =>
    Object.entries(test.document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
  const methodsOf = (template: string) => Object.keys(test.document.paths[template] ?? {});
  const named = ({ method, path }: Route) => `${method} ${path}`;

  it('match a literal path before any path with a parameter', () => {
    // Express ignores a trailing slash.
    const literal = routes.filter(({ path }) => !/[:*{(]|\/$/.test(path));
    const taken = literal.map(({ method, path }) => ({
      method,
      path: layers.find(({ route, match }, index) => route?.methods[method] && match.call(layers[index], path))?.route
        ?.path,
    }));
    expect(taken).toEqual(literal);
    expect(literal.map(named)).toEqual(expect.arrayContaining(['get /v1/webhooks/event-types', 'get /v1/users/me']));
  });

  it('include literal paths that a parameter would match too', () => {
    const shadowing = layers.filter((layer) => layer.match('/v1/webhooks/event-types'));
    expect(shadowing.map(({ route }) => route?.path)).toContain('/v1/webhooks/:endpoint_id');
  });

  it('prefer the most literal template if several match', async () => {
    const api = await test.as('reader');
    const templates = Object.keys(test.document.paths).filter((path) => !path.includes('/scim/v2'));
    // The literals of one template in place of the parameters of another with the same shape.
    const overlaps = templates.flatMap((literal) =>
      templates.filter((other) => other !== literal && covers(other, literal)).map((other) => ({ literal, other })),
    );
    expect(overlaps.map(({ literal, other }) => `${literal} ${other}`)).toEqual(
      expect.arrayContaining([
        '/v1/webhooks/event-types /v1/webhooks/{endpoint_id}',
        '/v1/mcp/listings/facets /v1/mcp/listings/{listing_id}',
      ]),
    );
    const refused: string[] = [];
    for (const { literal, other } of overlaps) {
      const own = methodsOf(literal);
      for (const method of methodsOf(other).filter((name) => !own.includes(name))) {
        const path = literal.replace(/\{\w+\}/g, 'x');
        const answer = await api.raw(method as 'get', path);
        const anonymous = await test.anonymous.raw(method as 'get', path);
        expect([method, path, answer.status, anonymous.status]).toEqual([method, path, 405, 401]);
        expect(answer.body).toMatchObject({ code: 'method_not_allowed' });
        expect(answer.headers.allow).toBe(
          [...own, ...(own.includes('get') ? ['head'] : [])]
            .map((name) => name.toUpperCase())
            .sort()
            .join(', '),
        );
        refused.push(`${method} ${path}`);
      }
    }
    expect(refused).toEqual(
      expect.arrayContaining([
        'patch /v1/webhooks/event-types',
        'delete /v1/webhooks/event-types',
        'patch /v1/mcp/listings/facets',
        'delete /v1/mcp/listings/facets',
      ]),
    );
  });

  it('lead to the template of the path, for each of its methods', () => {
    const table = new RouteTable(test.document);
    const wrong = Object.keys(test.document.paths).flatMap((template) => {
      const path = template.replace(/\{\w+\}/g, 'x');
      expect(table.find(path)?.template).toBe(template);
      return methodsOf(template).flatMap((method) => {
        const layer = layers.find(
          ({ route, match }, index) => route?.methods[method] && match.call(layers[index], path),
        );
        return layer?.route?.path === template.replace(/\{(\w+)\}/g, ':$1') ? [] : [`${method} ${template}`];
      });
    });
    expect(wrong).toEqual([]);
  });

  it.each(['/v1/webhooks/event%2Dtypes', '/v1/webhooks/%65vent-types', '/v1/%77ebhooks/event-type%73'])(
    'treat characters that need no encoding the same when encoded: %s',
    async (path) => {
      const api = await test.as('reader');
      const answer: Answer<unknown[]> = await api.raw('get', path);
      expect([answer.status, answer.body[0]]).toEqual([
        200,
        expect.objectContaining({ event_type: 'listing.published' }),
      ]);
      const refused = await api.raw('delete', path);
      expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD']);
      expect((await test.anonymous.raw('get', path)).status).toBe(401);
    },
  );

  it('keep encoded characters that need encoding', async () => {
    const api = await test.as('reader');
    for (const path of ['/v1/webhooks%2Fevent-types', '/v1/webhooks/event-types%3Fx', '/v1/webhooks/event%252Dtypes']) {
      expect([path, (await api.raw('get', path)).status]).not.toEqual([path, 200]);
    }
  });

  it('include every operation of the document', () => {
    expect(documented().filter((operation) => !routes.map(named).includes(operation))).toEqual([]);
  });

  it('are all documented below /v1', () => {
    const ours = routes.filter(({ path }) => path.startsWith('/v1')).map(named);
    expect(ours.length).toBeGreaterThan(20);
    expect(ours.filter((operation) => !documented().includes(operation))).toEqual([]);
  });

  it('are all documented outside /v1 too, except the documentation itself', () => {
    const undocumented = routes.filter(
      (route) => !documented().includes(named(route)) && !/^\/docs\b/.test(route.path),
    );
    expect(undocumented.filter(({ path }) => !path.startsWith('/v1')).map(named)).toEqual([]);
  });
});
