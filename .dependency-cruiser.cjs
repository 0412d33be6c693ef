/**
 * The borders of the modules (docs/architecture.md). An arrow that is not here is not allowed; a room that imports
 * another one against the arrows belongs somewhere else, or asks through an exported service.
 */
const ground = ['config', 'errors', 'metrics', 'tracing', 'database', 'http'];
const identity = [...ground, 'pages', 'users', 'auth', 'events'];
const rooms = {
  config: ['config'],
  errors: ['errors'],
  metrics: ['errors', 'metrics'],
  tracing: ['tracing'],
  database: ['config', 'errors', 'tracing', 'database'],
  embedded: ['config', 'errors', 'embedded'],
  http: [...ground],
  outbound: ['config', 'errors', 'outbound'],
  pages: [...ground, 'pages'],
  console: [...identity, 'console'],
  users: [...ground, 'events', 'users'],
  'auth/authorization-server': [...ground, 'outbound', 'pages', 'events', 'users', 'auth'],
  auth: [...ground, 'pages', 'events', 'users', 'auth'],
  events: [...ground, 'events'],
  mail: [...ground, 'pages', 'users', 'auth', 'mail'],
  organisations: [...identity, 'organisations'],
  me: [...identity, 'organisations', 'me'],
  deletion: [...identity, 'organisations', 'deletion'],
  domains: [...identity, 'outbound', 'organisations', 'domains'],
  invitations: [...identity, 'mail', 'organisations', 'me', 'deletion', 'invitations'],
  'sign-in': [...identity, 'console', 'mail', 'outbound', 'organisations', 'deletion', 'invitations', 'sign-in'],
  scim: [...identity, 'organisations', 'domains', 'deletion', 'scim'],
  catalog: [...identity, 'outbound', 'organisations', 'deletion', 'catalog'],
  'server-requests': [...identity, 'mail', 'organisations', 'me', 'deletion', 'catalog', 'server-requests'],
  bundles: [...identity, 'organisations', 'deletion', 'catalog', 'bundles'],
  gateway: [...identity, 'outbound', 'organisations', 'me', 'deletion', 'catalog', 'bundles', 'gateway'],
  webhooks: [...identity, 'outbound', 'organisations', 'deletion', 'webhooks'],
  operations: [...ground, 'auth', 'operations'],
};

/**
 * The order of the folders inside a room, from what knows least: a folder imports only those before it, types included. Where
 * it needs a later one, it asks by an abstract class of its own that the later one implements. `shared` are the files beside
 * the folders that each of them may import; they import none of the folders.
 */
const orders = {
  gateway: {
    folders: [
      'protocol',
      'settings',
      'entries',
      'credentials',
      'upstreams',
      'rules',
      'search',
      'compile',
      'calls',
      'edge',
      'connect',
      'administration',
    ],
    shared: [],
  },
  'scim/protocol': {
    folders: ['schema', 'filter', 'values', 'stored', 'lists', 'patch', 'groups', 'users', 'bulk'],
    shared: [
      'directory-lock',
      'error-response',
      'limits',
      'scim-address',
      'scim-client',
      'scim-conditions',
      'scim-error',
      'scim-resource',
      'tenancy',
      'uniqueness',
      'urns',
    ],
  },
  catalog: {
    folders: ['namespaces', 'categories', 'listings', 'icons', 'reviews', 'sample', 'import', 'registry'],
    shared: ['catalog.access', 'catalog.errors', 'registry-changes'],
  },
  webhooks: {
    folders: ['event-types', 'sending', 'endpoints', 'queue', 'deliveries', 'engine'],
    shared: ['stations', 'webhook.access', 'webhook.errors'],
  },
};

/** @returns the rules that keep the order of a room */
function orderOf([room, { folders, shared }]) {
  const files = shared.map((name) => `^src/${room}/${name.replaceAll('.', '\\.')}\\.ts$`);
  const name = room.replaceAll('/', '-');
  const specs = '[.-]spec\\.ts$';
  return [
    ...folders.slice(0, -1).map((folder, place) => {
      const later = folders.slice(place + 1);
      return {
        name: `order-of-${name}-${folder}`,
        severity: 'error',
        comment: `${room}/${folder}/ comes before ${later.join(', ')}. Ask by an abstract class of ${folder}/ that they implement.`,
        from: { path: `^src/${room}/${folder}/`, pathNot: specs },
        to: { path: `^src/${room}/(${later.join('|')})/` },
      };
    }),
    {
      name: `beside-the-folders-of-${name}`,
      severity: 'error',
      comment: `The folders of ${room}/ may import ${shared.join(', ') || 'none'} of the files beside them: the others put the folders together.`,
      from: { path: `^src/${room}/[^/]+/`, pathNot: specs },
      to: { path: `^src/${room}/[^/]+\\.ts$`, ...(files.length > 0 && { pathNot: files }) },
    },
    ...(files.length > 0
      ? [
          {
            name: `below-the-folders-of-${name}`,
            severity: 'error',
            comment: `All folders of ${room}/ may import these files, so they import none of the folders.`,
            from: { path: files },
            to: { path: `^src/${room}/[^/]+/` },
          },
        ]
      : []),
    {
      name: `folders-of-${name}`,
      severity: 'error',
      comment: `A folder of ${room}/ has a place in the order above.`,
      from: {},
      to: { path: `^src/${room}/[^/]+/`, pathNot: `^src/${room}/(${folders.join('|')})/` },
    },
  ];
}

/** Folders of a room with a list of their own. */
function partsOf(room) {
  return Object.keys(rooms).filter((other) => other.startsWith(`${room}/`));
}

module.exports = {
  forbidden: [
    ...Object.entries(rooms).map(([room, allowed]) => ({
      name: `border-of-${room}`,
      severity: 'error',
      comment: `${room}/ may import ${allowed.join(', ')} only.`,
      from: { path: `^src/${room}/`, pathNot: `^src/(${partsOf(room).join('|') || '-'})/` },
      to: { path: '^(src|migrations)/', pathNot: `^src/(${allowed.join('|')})/` },
    })),
    ...Object.entries(orders).flatMap(orderOf),
    {
      name: 'leaves-are-only-composed',
      severity: 'error',
      comment:
        'scim/, webhooks/, gateway/ and operations/ are imported by what puts the process together, and by nothing else: not even by a file of src/ itself.',
      from: { path: '^src/([^/]+)', pathNot: '^src/((app\\.module|app|start|schema)\\.ts$|commands/)' },
      to: { path: '^src/(scim|webhooks|gateway|operations)/', pathNot: '^src/$1/' },
    },
    {
      name: 'border-of-a-new-noun',
      severity: 'error',
      comment: 'A room that is not in the list above may import what is below organisations, and organisations.',
      from: { path: `^src/(?!(?:${Object.keys(rooms).join('|')}|commands)/)([^/]+)/` },
      to: { path: '^(src|migrations)/', pathNot: `^src/(${[...identity, 'organisations'].join('|')})/|^src/$1/` },
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'Entities may name each other; nothing else may go round.',
      from: { pathNot: '\\.entity\\.ts$' },
      to: { circular: true, viaOnly: { pathNot: '\\.entity\\.ts$' } },
    },
    {
      name: 'modules-meet-at-services',
      severity: 'error',
      comment: "Another noun's controller is nobody's business.",
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/([^/]+)/.*\\.controller\\.ts$', pathNot: '^src/$1/' },
    },
    {
      name: 'one-place-for-the-protocol',
      severity: 'error',
      comment: 'Only src/auth/authorization-server/ knows the library of the protocol (ADR 28).',
      from: { path: '^src/', pathNot: '^src/auth/authorization-server/' },
      to: { path: 'node_modules/(@types/)?oidc-provider/' },
    },
    {
      name: 'one-place-for-metrics',
      severity: 'error',
      comment: 'Only src/metrics/ knows the library, so that it can be replaced.',
      from: { path: '^src/', pathNot: '^src/metrics/' },
      to: { path: 'node_modules/prom-client/' },
    },
    {
      name: 'one-place-for-traces',
      severity: 'error',
      comment: 'Only src/tracing/ calls the API of OpenTelemetry; other rooms may name its types.',
      from: { path: '^src/', pathNot: '^src/tracing/' },
      to: { path: 'node_modules/@opentelemetry/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-dev-dependency-in-source',
      severity: 'error',
      from: { path: '^src/', pathNot: '[.-]spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
