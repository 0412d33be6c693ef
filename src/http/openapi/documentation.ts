import type { SwaggerCustomOptions } from '@nestjs/swagger';

/** The part of Swagger UI's immutable collections that this file uses. */
interface Collection<V> {
  readonly size: number;
  get(key: string): unknown;
  set(key: string, value: unknown): Collection<V>;
  map(change: (value: V, key: string) => V): Collection<V>;
  filter(isWanted: (value: V) => boolean): Collection<V>;
}

type Group = Collection<unknown>;
type Select = (path: string[], fallback: boolean) => boolean;

interface System {
  React: { createElement: (type: string, props: object, ...children: unknown[]) => unknown };
}

interface Layout {
  layoutSelectors: { currentFilter: () => unknown };
  layoutActions: { updateFilter: (text: string) => void };
}

/**
 * A plugin of Swagger UI. Its own filter only searches the names of the groups, and its box says so; this one looks for
 * every word of the text in the path, the summary and the operation id of each operation, and opens the groups with a
 * match.
 *
 * The page receives the source text of this function, so it may not use anything outside itself.
 */
function findByName({ React }: System) {
  const hasAll = (words: string[], tag: string, entry: Collection<unknown>) => {
    const operation = entry.get('operation') as Collection<unknown>;
    const parts = [tag, entry.get('method'), entry.get('path'), operation.get('summary'), operation.get('operationId')];
    const text = parts.join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return {
    fn: {
      opsFilter: (groups: Collection<Group>, phrase: string) => {
        const words = phrase.toLowerCase().split(/\s+/);
        return groups
          .map((group, tag) => {
            const operations = group.get('operations') as Collection<Collection<unknown>>;
            return group.set(
              'operations',
              operations.filter((entry) => hasAll(words, tag, entry)),
            );
          })
          .filter((group) => (group.get('operations') as Collection<unknown>).size > 0);
      },
    },
    components: {
      FilterContainer: ({ layoutSelectors, layoutActions }: Layout) => {
        const filter = layoutSelectors.currentFilter();
        const box = React.createElement('input', {
          className: 'operation-filter-input',
          type: 'search',
          placeholder: 'Find operations by path, name or group, e.g. "rotate secret"',
          'aria-label': 'Find operations',
          value: typeof filter === 'string' ? filter : '',
          onChange: (event: { target: { value: string } }) => layoutActions.updateFilter(event.target.value),
        });
        const column = React.createElement('section', { className: 'filter wrapper block col-12' }, box);
        return React.createElement('div', { className: 'filter-container' }, column);
      },
    },
    statePlugins: {
      layout: {
        wrapSelectors: {
          isShown:
            (select: Select, { layoutSelectors }: Layout) =>
            (_state: unknown, path: string[], fallback: boolean) => {
              const filter = layoutSelectors.currentFilter();
              const isFiltered = typeof filter === 'string' && filter !== '';
              return select(path, fallback || (isFiltered && path[0] === 'operations-tag'));
            },
        },
      },
    },
  };
}

/** The browser, in which the functions below run, has this global. */
declare const window: { location: { href: string; origin: string } };

/** The part of a request of Swagger UI that this file uses. */
interface DocsRequest {
  url: string;
  headers: Record<string, string>;
}

/**
 * Lets the page change things in a browser that is signed in: with the session cookie, changes need this header, as those
 * of the console do. Nothing else gets it: not other origins, and not requests with a credential of their own.
 *
 * The page receives the source text of this function, so it may not use anything outside itself.
 */
function actAsSignedIn(request: DocsRequest): DocsRequest {
  const hasCredential = Object.keys(request.headers).some((name) => name.toLowerCase() === 'authorization');
  const isOurs = new URL(request.url, window.location.href).origin === window.location.origin;
  if (isOurs && !hasCredential) request.headers['X-Toolyard-Console'] = '1';
  return request;
}

/**
 * The page at `/docs`: groups collapsed, a box to search operations, and the document at `/docs/openapi.json`.
 * "Authorize" signs in through a public client of its own; a browser that is signed in needs it not.
 *
 * @param publicUrl where the page is, without a final slash
 * @param clientId of the page, which the authorization server knows
 */
export function documentation(publicUrl: string, clientId: string): SwaggerCustomOptions {
  return {
    jsonDocumentUrl: 'docs/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Toolyard API',
    swaggerOptions: {
      persistAuthorization: true,
      docExpansion: 'none',
      filter: true,
      // Collapses the list of schemas, too.
      defaultModelsExpandDepth: 0,
      plugins: [findByName],
      requestInterceptor: actAsSignedIn,
      oauth2RedirectUrl: `${publicUrl}/docs/oauth2-redirect.html`,
      initOAuth: { clientId, usePkceWithAuthorizationCodeGrant: true, scopeSeparator: ' ' },
    },
  };
}
