import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { NotFoundScreen } from './screens/shell/not-found';
import { Shell } from './screens/shell/shell';
import { Problem } from './ui/problem';

/** What a search parameter may be: a text of the address, or nothing. */
type Search<Name extends string> = { [Key in Name]?: string };

/** Takes the parameters with these names from an address, and drops others. */
const only =
  <Name extends string>(...names: Name[]) =>
  (search: Record<string, unknown>): Search<Name> =>
    Object.fromEntries(
      names.flatMap((name) => (typeof search[name] === 'string' && search[name] !== '' ? [[name, search[name]]] : [])),
    ) as Search<Name>;

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFoundScreen,
  errorComponent: ({ error, reset }) => <Problem error={error} onRetry={reset} />,
});

const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: lazyRouteComponent(() => import('./screens/home/home-screen'), 'HomeScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/catalogue',
    validateSearch: only('q', 'category', 'transport', 'registry', 'scope', 'org', 'sort', 'view'),
    component: lazyRouteComponent(() => import('./screens/catalogue/catalogue-screen'), 'CatalogueScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/servers/$listingId',
    validateSearch: only('tab', 'version', 'with', 'bundle', 'client'),
    component: lazyRouteComponent(() => import('./screens/server/server-screen'), 'ServerScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/bundles',
    validateSearch: only('scope', 'org', 'create'),
    component: lazyRouteComponent(() => import('./screens/bundle/bundles-screen'), 'BundlesScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/bundles/$bundleId',
    validateSearch: only(
      'tab',
      'client',
      'by',
      'version',
      'with',
      'q',
      'state',
      'tool',
      'entry',
      'outcome',
      'person',
      'hours',
      'as',
      'id',
      'restore',
      'kind',
      'finding',
      'view',
      'review',
    ),
    component: lazyRouteComponent(() => import('./screens/bundle/bundle-screen'), 'BundleScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/bundles/$bundleId/edit',
    validateSearch: only('q'),
    component: lazyRouteComponent(() => import('./screens/bundle-editor/editor-screen'), 'EditorScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/requests',
    validateSearch: only('org', 'status', 'ask'),
    component: lazyRouteComponent(() => import('./screens/requests/requests-screen'), 'RequestsScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account',
    validateSearch: only('tab'),
    component: lazyRouteComponent(() => import('./screens/account/account-screen'), 'AccountScreen'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
  // Parameters are texts: `?q=1` is "1", and not a number.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const text = new URLSearchParams(
      Object.entries(search).flatMap(([name, value]) =>
        value === undefined || value === '' ? [] : [[name, String(value)]],
      ),
    ).toString();
    return text === '' ? '' : `?${text}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
