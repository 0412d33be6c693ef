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
  users: [...ground, 'events', 'users'],
  'auth/authorization-server': [...ground, 'outbound', 'pages', 'events', 'users', 'auth'],
  auth: [...ground, 'pages', 'events', 'users', 'auth'],
  events: [...ground, 'events'],
  mail: [...ground, 'pages', 'users', 'auth', 'mail'],
  organisations: [...identity, 'organisations'],
  deletion: [...identity, 'organisations', 'deletion'],
  domains: [...identity, 'outbound', 'organisations', 'domains'],
  invitations: [...identity, 'mail', 'organisations', 'deletion', 'invitations'],
  'sign-in': [...identity, 'mail', 'outbound', 'organisations', 'deletion', 'invitations', 'sign-in'],
  scim: [...identity, 'organisations', 'domains', 'deletion', 'scim'],
  catalog: [...identity, 'outbound', 'organisations', 'deletion', 'catalog'],
  bundles: [...identity, 'organisations', 'deletion', 'catalog', 'bundles'],
  gateway: [...identity, 'outbound', 'organisations', 'deletion', 'catalog', 'bundles', 'gateway'],
  webhooks: [...identity, 'outbound', 'organisations', 'deletion', 'webhooks'],
  operations: [...ground, 'auth', 'operations'],
};

/** The order inside gateway/, from what knows least: a folder imports only those before it. */
const gateway = [
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
];
/** Imports against that order: types only, at most 8. The list may only shrink. */
const againstTheOrder = [
  ['calls/call-failures', 'edge/call-rates'],
  ['calls/call-records', 'edge/method-call'],
  ['credentials/credential-secrets', 'upstreams/upstream'],
  ['entries/entry-upstream', 'compile/compiled-bundle'],
  ['rules/bundle-findings', 'compile/compiled-bundle'],
  ['rules/tool-rules-reader', 'compile/compiled-bundle'],
];
const excepted = againstTheOrder.map(([from]) => `^src/gateway/${from}\\.ts$`);

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
    ...gateway.slice(0, -1).map((folder, place) => ({
      name: `order-of-gateway-${folder}`,
      severity: 'error',
      comment: `gateway/${folder}/ comes before ${gateway.slice(place + 1).join(', ')}. Ask by an abstract class of ${folder}/ that they implement.`,
      from: { path: `^src/gateway/${folder}/`, pathNot: ['\\.spec\\.ts$', ...excepted] },
      to: { path: `^src/gateway/(${gateway.slice(place + 1).join('|')})/` },
    })),
    ...againstTheOrder.flatMap(([from, to]) => {
      const later = `^src/gateway/(${gateway.slice(gateway.indexOf(from.split('/')[0]) + 1).join('|')})/`;
      const file = { path: `^src/gateway/${from}\\.ts$` };
      const named = `^src/gateway/${to}\\.ts$`;
      return [
        { name: `order-of-${from}`, severity: 'error', from: file, to: { path: later, pathNot: named } },
        {
          name: `only-types-in-${from}`,
          severity: 'error',
          from: file,
          to: { path: named, dependencyTypesNot: ['type-only'] },
        },
      ];
    }),
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
