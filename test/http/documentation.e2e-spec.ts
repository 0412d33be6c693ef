import { createContext, runInContext } from 'node:vm';
import { createTestApp, PUBLIC_URL, TestApp } from '../support/app';
import { createLocalAccount, signedIn } from '../support/local-accounts';

/** The part of Swagger UI's immutable maps that its plugin uses. */
class FakeMap {
  constructor(private readonly entries: ReadonlyMap<string, unknown>) {}

  static of(values: object): FakeMap {
    return new FakeMap(new Map(Object.entries(values)));
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: string): unknown {
    return this.entries.get(key);
  }

  set(key: string, value: unknown): FakeMap {
    return new FakeMap(new Map(this.entries).set(key, value));
  }

  map(change: (value: unknown, key: string) => unknown): FakeMap {
    return new FakeMap(new Map([...this.entries].map(([key, value]) => [key, change(value, key)])));
  }

  filter(isWanted: (value: unknown) => boolean): FakeMap {
    return new FakeMap(new Map([...this.entries].filter(([, value]) => isWanted(value))));
  }

  keys(): string[] {
    return [...this.entries.keys()];
  }
}

interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
}

interface Options {
  docExpansion: string;
  filter: boolean;
  requestInterceptor: (request: { url: string; headers: Record<string, string> }) => {
    headers: Record<string, string>;
  };
  plugins: ((system: object) => {
    fn: { opsFilter: (groups: FakeMap, phrase: string) => FakeMap };
    statePlugins: { layout: { wrapSelectors: { isShown: (select: object, system: object) => IsShown } } };
  })[];
}

type IsShown = (state: unknown, thing: string[], fallback: boolean) => boolean;

describe('The page at /docs', () => {
  let test: TestApp;
  let options: Options;

  beforeAll(async () => {
    test = await createTestApp();
    // The script of the page, with a stub of Swagger UI that captures its options.
    const script = await (await fetch(`${test.url}/docs/swagger-ui-init.js`)).text();
    const captured: Options[] = [];
    const show = (one: Options) => ({ initOAuth: () => captured.push(one) });
    const bundle = Object.assign(show, { presets: {}, plugins: {} });
    const location = { search: '', origin: PUBLIC_URL, href: `${PUBLIC_URL}/docs` };
    const window: { location: object; onload?: () => void } = { location };
    runInContext(script, createContext({ window, URL, SwaggerUIBundle: bundle, SwaggerUIStandalonePreset: {} }));
    window.onload?.();
    options = captured[0] as Options;
  });

  afterAll(() => test.close());

  /** All operations in their groups, as Swagger UI passes them to the filter. */
  const groups = () => {
    const groups = new Map<string, Map<string, FakeMap>>();
    for (const [path, item] of Object.entries(test.document.paths)) {
      for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
        const group = groups.get(operation.tags[0] ?? '') ?? new Map<string, FakeMap>();
        group.set(operation.operationId, FakeMap.of({ path, method, operation: FakeMap.of(operation) }));
        groups.set(operation.tags[0] ?? '', group);
      }
    }
    return new FakeMap(
      new Map([...groups].map(([tag, group]) => [tag, FakeMap.of({ operations: new FakeMap(group) })])),
    );
  };

  const plugin = () => (options.plugins[0] as Options['plugins'][0])({ React: {} });
  const idsFor = (phrase: string) => {
    const shown = plugin().fn.opsFilter(groups(), phrase);
    return shown.keys().flatMap((tag) => ((shown.get(tag) as FakeMap).get('operations') as FakeMap).keys());
  };

  it('starts with collapsed groups and a search box', () => {
    expect(options).toMatchObject({ docExpansion: 'none', filter: true });
  });

  it.each([
    ['rotate secret', ['webhook_endpoints_rotate_secret', 'oauth_clients_rotate_secret']],
    ['ROTATE', ['webhook_endpoints_rotate_secret', 'oauth_clients_rotate_secret']],
    ['healthz', ['healthz']],
    ['Explain a role', ['role_explanation_get']],
    ['/v1/mcp/listings/{listing_id}/archive', ['listings_archive']],
    ['no such words', []],
  ])('finds operations by path, name and summary: %s', (phrase, ids) => {
    expect(idsFor(phrase)).toEqual(ids);
  });

  it('finds every operation by its id', () => {
    for (const item of Object.values(test.document.paths)) {
      for (const { operationId } of Object.values(item as Record<string, Operation>)) {
        expect(idsFor(operationId)).toContain(operationId);
      }
    }
  });

  it.each([
    ['webhook', 'operations-tag', true],
    ['', 'operations-tag', false],
    [true, 'operations-tag', false],
    ['webhook', 'operations', false],
  ])('expands groups, and nothing else, while the search has text: %j %s', (filter, kind, isOpen) => {
    const select = (_thing: string[], fallback: boolean) => fallback;
    const { isShown } = plugin().statePlugins.layout.wrapSelectors;
    expect(isShown(select, { layoutSelectors: { currentFilter: () => filter } })({}, [kind, 'Webhooks'], false)).toBe(
      isOpen,
    );
  });

  it('changes things with the session of a browser that is signed in', async () => {
    const email = 'reader-of-docs@example.com';
    await createLocalAccount(test, email);
    const { cookie } = await signedIn(test, email);
    const { headers } = options.requestInterceptor({ url: `${PUBLIC_URL}/v1/bundles`, headers: {} });
    const body = { name: 'Tried out' };
    const sent = { ...headers, Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' };
    await test.anonymous.post('/v1/bundles', body, 201, sent);
    // What another site can send has no such header, and comes from elsewhere.
    await test.anonymous.post('/v1/bundles', body, 403, { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin' });
    await test.anonymous.post('/v1/bundles', body, 403, { ...sent, 'Sec-Fetch-Site': 'cross-site' });
  });

  it.each([
    ['/v1/bundles', {}, true],
    [`${PUBLIC_URL}/v1/bundles`, {}, true],
    ['https://elsewhere.example/v1/bundles', {}, false],
    ['//elsewhere.example/v1/bundles', {}, false],
    ['/v1/bundles', { authorization: 'Bearer x' }, false],
    ['/v1/bundles', { Authorization: 'Bearer x' }, false],
  ])('adds to requests what the session needs, and only to these: %s %j', (url, headers, isAdded) => {
    const sent = options.requestInterceptor({ url, headers: { ...headers } }).headers;
    expect(sent).toEqual({ ...headers, ...(isAdded && { 'X-Toolyard-Console': '1' }) });
  });

  it('works under its content security policy, without inline scripts', async () => {
    const page = await fetch(`${test.url}/docs`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(await page.text()).not.toMatch(/<script(?![^>]*\bsrc=)/);
  });
});
