// Takes the pictures of docs/console/: each screen at 1280 px, light, with the sample catalogue and the people of the tests.
// Needs an installed Chromium.
//
//   npm run screenshots
import { mkdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const TARGET = join(ROOT, 'docs/console');
const MAX_BYTES = 3_000_000;
const require = createRequire(import.meta.url);
const support = (name) => require(join(ROOT, 'dist/test/support', name));

const organisation =
  (screen) =>
  ({ orgId }) =>
    `/console/organisations/${orgId}/${screen}`;
const SCREENS = [
  ['home', 'employee', () => '/console/'],
  ['catalogue', 'employee', () => '/console/catalogue?q=git'],
  ['server', 'employee', ({ serverId }) => `/console/servers/${serverId}`],
  ['server-versions', 'employee', ({ serverId }) => `/console/servers/${serverId}?tab=versions`],
  ['bundles', 'employee', () => '/console/bundles?scope=organisations'],
  ['bundle', 'lead', ({ bundleId }) => `/console/bundles/${bundleId}`],
  ['bundle-connect', 'employee', ({ bundleId }) => `/console/bundles/${bundleId}?tab=connect`],
  ['bundle-tools', 'lead', ({ bundleId }) => `/console/bundles/${bundleId}?tab=tools`],
  ['bundle-try', 'lead', ({ bundleId, toolId }) => `/console/bundles/${bundleId}?tab=tools&tool=${toolId}&view=try`],
  ['bundle-endpoint', 'lead', ({ bundleId }) => `/console/bundles/${bundleId}?tab=endpoint`],
  ['bundle-rules', 'lead', ({ bundleId }) => `/console/bundles/${bundleId}?tab=policies`],
  ['bundle-calls', 'lead', ({ bundleId }) => `/console/bundles/${bundleId}?tab=calls`],
  ['bundle-calls-over-time', 'lead', ({ bundleId }) => `/console/bundles/${bundleId}?tab=calls&by=time&hours=1`],
  ['bundle-versions', 'lead', ({ bundleId }) => `/console/bundles/${bundleId}?tab=versions`],
  ['bundle-tokens', 'lead', ({ bundleId }) => `/console/bundles/${bundleId}?tab=tokens`],
  ['bundle-deployments', 'lead', ({ bundleId }) => `/console/bundles/${bundleId}?tab=deployments`],
  ['bundle-edit', 'lead', ({ bundleId }) => `/console/bundles/${bundleId}/edit`],
  ['requests', 'lead', () => '/console/requests'],
  ['account', 'employee', () => '/console/account'],
  ['members', 'lead', organisation('members')],
  ['provisioning', 'lead', organisation('provisioning?tab=connect')],
  ['provisioning-calls', 'lead', organisation('provisioning?tab=calls')],
  ['roles', 'lead', organisation('roles')],
  ['allow-list', 'lead', organisation('allow-list')],
  ['webhooks', 'lead', organisation('webhooks')],
  ['webhook', 'lead', ({ orgId, endpointId }) => `/console/organisations/${orgId}/webhooks/${endpointId}`],
  [
    'webhook-deliveries',
    'lead',
    ({ orgId, endpointId, deliveryId }) =>
      `/console/organisations/${orgId}/webhooks/${endpointId}?tab=deliveries&delivery=${deliveryId}`,
  ],
  [
    'webhook-receiver',
    'lead',
    ({ orgId, endpointId }) => `/console/organisations/${orgId}/webhooks/${endpointId}?tab=receiver`,
  ],
  ['audit-log', 'lead', organisation('audit-log')],
  ['categories', 'admin', () => '/console/platform/categories'],
  ['imports', 'admin', () => '/console/platform/imports'],
  ['imports-document', 'admin', ({ documentId }) => `/console/platform/imports?document=${documentId}`],
  ['moderation', 'admin', () => '/console/platform/moderation'],
  ['people', 'admin', () => '/console/platform/people'],
  ['clients', 'admin', () => '/console/platform/clients'],
  ['health', 'admin', () => '/console/platform/health'],
];

await support('postgres.setup.js').default();
const { createConsoleScene, PEOPLE } = support('console-scene.js');
const { addAdministration } = support('console-scene-administration.js');
const { openChromium, Visitor } = support('chromium.js');
const people = await createConsoleScene();
const scene = { ...people, ...(await addAdministration(people)), toolId: undefined };
await callTools();
await allow();
const browser = await openChromium();
try {
  mkdirSync(TARGET, { recursive: true });
  let bytes = 0;
  for (const [name, role, pathOf] of SCREENS) {
    const visitor = await Visitor.arrive(browser, scene.origin);
    await visitor.signIn(PEOPLE[role]);
    await visitor.page.setViewportSize({ width: 1280, height: 680 });
    await visitor.open(pathOf(scene));
    await visitor.page.locator('#content h1').waitFor();
    await visitor.page.waitForLoadState('networkidle');
    const path = join(TARGET, `${name}.png`);
    await visitor.page.screenshot({ path });
    bytes += statSync(path).size;
    await visitor.context.close();
  }
  process.stdout.write(`${SCREENS.length} pictures, ${Math.round(bytes / 1_000)} kB\n`);
  if (bytes > MAX_BYTES) throw new Error('The pictures take more than 3 MB.');
} finally {
  await browser.close();
  await support('postgres.teardown.js').default();
}

/** Something to see in the record of calls. */
async function callTools() {
  const { as, bundleId } = scene;
  const { body: tools } = await as.lead.get(`/v1/bundles/${bundleId}/tools?kind=tool`);
  scene.toolId = tools[0].id;
  for (let call = 0; call < 24; call++) {
    const caller = call % 3 === 0 ? as.lead : as.employee;
    const tool = tools[call % tools.length];
    await caller.post(`/v1/bundles/${bundleId}/tools/${tool.id}/call`, { arguments: { place: 'Bonn' } }, 200);
  }
}

/** A rule, a token and a deployment. */
async function allow() {
  const { as, bundleId } = scene;
  const rules = [{ effect: 'DENY', subject: { kind: 'role', role: 'ORG_MEMBER' }, tools: '*rain_radar' }];
  await as.lead.put(`/v1/bundles/${bundleId}/policies`, { rules }, 200);
  await as.lead.post(`/v1/bundles/${bundleId}/access-tokens`, { name: 'Build server', scopes: ['read', 'call'] });
  const deployment = { name: 'Office', environment: 'production', kind: 'ENDPOINT' };
  await as.lead.post(`/v1/bundles/${bundleId}/deployments`, deployment);
}

// The application has lost its database, and ends with the process.
process.exit();
