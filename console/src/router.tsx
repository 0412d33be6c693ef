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
  createRoute({
    getParentRoute: () => root,
    path: '/organisations/$orgId/members',
    validateSearch: only('role', 'reason', 'q', 'person'),
    component: lazyRouteComponent(() => import('./screens/organisation/members/members-screen'), 'MembersScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/organisations/$orgId/provisioning',
    validateSearch: only('tab', 'provider', 'step', 'entry', 'failed', 'token'),
    component: lazyRouteComponent(
      () => import('./screens/organisation/provisioning/provisioning-screen'),
      'ProvisioningScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/organisations/$orgId/roles',
    validateSearch: only('tab', 'run', 'mapping'),
    component: lazyRouteComponent(() => import('./screens/organisation/roles/roles-screen'), 'RolesScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/organisations/$orgId/allow-list',
    validateSearch: only('tab', 'status', 'q', 'rule', 'allow', 'stop', 'create'),
    component: lazyRouteComponent(
      () => import('./screens/organisation/allow-list/allow-list-screen'),
      'AllowListScreen',
    ),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/organisations/$orgId/webhooks',
    validateSearch: only('endpoint', 'create', 'q', 'state'),
    component: lazyRouteComponent(() => import('./screens/organisation/webhooks/webhooks-screen'), 'WebhooksScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/organisations/$orgId/audit-log',
    validateSearch: only('subject', 'actor', 'from', 'to', 'action', 'entry'),
    component: lazyRouteComponent(() => import('./screens/organisation/audit-log/audit-log-screen'), 'AuditLogScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/organisations/$orgId/webhooks/$endpointId',
    validateSearch: only('tab', 'delivery', 'status', 'type', 'class', 'hours', 'from', 'to'),
    component: lazyRouteComponent(() => import('./screens/organisation/webhooks/endpoint-screen'), 'EndpointScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/platform/categories',
    validateSearch: only('create'),
    component: lazyRouteComponent(() => import('./screens/platform/categories/categories-screen'), 'CategoriesScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/platform/imports',
    validateSearch: only('state', 'kind', 'source', 'document'),
    component: lazyRouteComponent(() => import('./screens/platform/imports/imports-screen'), 'ImportsScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/platform/moderation',
    validateSearch: only('tab', 'q', 'status', 'state', 'archive', 'restore'),
    component: lazyRouteComponent(() => import('./screens/platform/moderation/moderation-screen'), 'ModerationScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/platform/people',
    validateSearch: only('tab', 'q', 'state', 'person', 'do', 'invite'),
    component: lazyRouteComponent(() => import('./screens/platform/people/people-screen'), 'PeopleScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/platform/clients',
    validateSearch: only('client', 'do'),
    component: lazyRouteComponent(() => import('./screens/platform/clients/clients-screen'), 'ClientsScreen'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/platform/health',
    validateSearch: only('tab'),
    component: lazyRouteComponent(() => import('./screens/platform/health/health-screen'), 'HealthScreen'),
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
