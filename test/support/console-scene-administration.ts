import { CategoryCounts } from '../../src/catalog/categories/category-counts.service';
import { Replicas } from '../../src/operations/replicas.service';
import type { ConsoleScene } from './console-scene';
import { addQuarantine } from './console-scene-imports';
import { addDirectory } from './console-scene-members';
import { addPublicServer } from './console-scene-people';
import { addProvisioning } from './console-scene-provisioning';
import { addWebhooks } from './console-scene-webhooks';

/** What the addresses of screens of administrators name. */
export interface Administration {
  /** Of a webhook that fails. */
  endpointId: string;
  deliveryId: string;
  /** A document in quarantine. */
  documentId: string;
}

/** Adds what the screens of organisations and of the platform show. */
export async function addAdministration(scene: ConsoleScene): Promise<Administration> {
  await addDirectory(scene);
  await addProvisioning(scene);
  const mapping = { group_name: 'Platform engineers', role: 'ADMIN' } as const;
  await scene.as.lead.post(`/v1/organisations/${scene.orgId}/scim/role-mappings`, mapping);
  const { failing: endpointId } = await addWebhooks(scene);
  await addQuarantine(scene);
  await addPublicServer(scene);
  await serveAsOne(scene);
  const { body: deliveries } = await scene.as.lead.get(`/v1/webhooks/${endpointId}/deliveries?limit=1`);
  const { body: documents } = await scene.as.admin.get('/v1/mcp/imports/quarantine?limit=1');
  return { endpointId, deliveryId: deliveries[0]?.id ?? '', documentId: documents[0]?.id ?? '' };
}

/** Makes the application of the test count as a process that serves, with counts of the catalogue as it is. */
async function serveAsOne({ test: { app, dataSource } }: ConsoleScene): Promise<void> {
  await app.get(Replicas).join();
  await dataSource.query(`UPDATE category_count_refresh SET refreshed_at = NULL`);
  await app.get(CategoryCounts).refreshIfDue();
}
