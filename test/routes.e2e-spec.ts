import { createTestApp, TestApp } from './support/app';

/** What Express has for each route; its types leave out the matcher. */
interface Layer {
  route?: { path: string; methods: Record<string, boolean> };
  match: (path: string) => boolean;
}

interface Route {
  method: string;
  path: string;
}

describe('The routes', () => {
  let test: TestApp;
  let layers: Layer[];
  let routes: Route[];

  beforeAll(async () => {
    test = await createTestApp();
    const express = test.app.getHttpAdapter().getInstance() as unknown as { router: { stack: Layer[] } };
    // What takes every method is no operation: so Nest answers 404 below the prefix and beside it.
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
  const named = ({ method, path }: Route) => `${method} ${path}`;

  it('match a literal path by itself, before any path with a parameter', () => {
    // Express takes a path with a trailing slash for the same one.
    const literal = routes.filter(({ path }) => !/[:*{(]|\/$/.test(path));
    const taken = literal.map(({ method, path }) => ({
      method,
      path: layers.find(({ route, match }, index) => route?.methods[method] && match.call(layers[index], path))?.route
        ?.path,
    }));
    expect(taken).toEqual(literal);
    expect(literal.map(named)).toEqual(expect.arrayContaining(['get /v1/webhooks/event-types', 'get /v1/users/me']));
  });

  it('hold a literal path against its neighbours with a parameter', () => {
    const shadowing = layers.filter((layer) => layer.match('/v1/webhooks/event-types'));
    expect(shadowing.map(({ route }) => route?.path)).toContain('/v1/webhooks/:endpoint_id');
  });

  it('answer /v1/webhooks/event-types with the catalogue, whatever method stands beside it', async () => {
    const api = await test.as('somebody');
    const answer = await api.get('/v1/webhooks/event-types');
    expect((answer.body as object[])[0]).toMatchObject({ event_type: 'listing.published' });
    // No operation of its own, so this is the one with the parameter, for which it is no UUID.
    const refused = await api.patch('/v1/webhooks/event-types', {}, 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['path', 'endpoint_id'], type: 'uuid_parsing' }] });
  });

  it('are all there that the document names', () => {
    expect(documented().filter((operation) => !routes.map(named).includes(operation))).toEqual([]);
  });

  it('are all documented under /v1', () => {
    const ours = routes.filter(({ path }) => path.startsWith('/v1')).map(named);
    expect(ours.length).toBeGreaterThan(20);
    expect(ours.filter((operation) => !documented().includes(operation))).toEqual([]);
  });

  it('are documented outside of /v1 too, but for the documentation itself', () => {
    const undocumented = routes.filter(
      (route) => !documented().includes(named(route)) && !/^\/docs\b/.test(route.path),
    );
    expect(undocumented.filter(({ path }) => !path.startsWith('/v1')).map(named)).toEqual([]);
  });
});
