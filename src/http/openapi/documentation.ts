import type { SwaggerCustomOptions } from '@nestjs/swagger';

/** What this file uses of the immutable collections of Swagger UI. */
interface Collection<V> {
  readonly size: number;
  get(key: string): unknown;
  set(key: string, value: unknown): Collection<V>;
  map(change: (value: V, key: string) => V): Collection<V>;
  filter(isWanted: (value: V) => boolean): Collection<V>;
}

type Group = Collection<unknown>;
type Select = (thing: string[], fallback: boolean) => boolean;

interface System {
  React: { createElement: (type: string, props: object, ...children: unknown[]) => unknown };
}

interface Layout {
  layoutSelectors: { currentFilter: () => unknown };
  layoutActions: { updateFilter: (text: string) => void };
}

/**
 * A plugin of Swagger UI. Its own filter only looks at the names of the groups, and says so in the box; this one looks
 * for all words of the text in the path, the summary and the operation id of each operation, and opens the groups that
 * have one.
 *
 * The page gets the text of this function, so it may not use anything outside of itself.
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
            (_state: unknown, thing: string[], fallback: boolean) => {
              const filter = layoutSelectors.currentFilter();
              const isFiltered = typeof filter === 'string' && filter !== '';
              return select(thing, fallback || (isFiltered && thing[0] === 'operations-tag'));
            },
        },
      },
    },
  };
}

/** The page at `/docs`: groups closed, a box to find operations in, and the document itself at `/docs/openapi.json`. */
export const DOCUMENTATION: SwaggerCustomOptions = {
  jsonDocumentUrl: 'docs/openapi.json',
  raw: ['json'],
  customSiteTitle: 'Toolyard API',
  swaggerOptions: {
    persistAuthorization: true,
    docExpansion: 'none',
    filter: true,
    // The list of schemas, closed too.
    defaultModelsExpandDepth: 0,
    plugins: [findByName],
  },
};
