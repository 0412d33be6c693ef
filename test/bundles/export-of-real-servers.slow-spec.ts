import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import { describeWithData, sharedData } from '../support/registries';
import { readConfig } from '../../src/bundles/entries/entry-config';
import { entryKey } from '../../src/bundles/entries/entry-key';
import { composeFile } from '../../src/bundles/export/containers/compose-file';
import type { ContainerServer } from '../../src/bundles/export/containers/container';
import { planContainer } from '../../src/bundles/export/containers/container-plan';
import { kubernetesManifests } from '../../src/bundles/export/containers/kubernetes-manifests';

const REAL = 'official-registry-2025-12-12.json.gz';
const DIGEST = `sha256:${'0f'.repeat(32)}`;
const OPTIONS = { bundleId: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10', images: { npm: `a@${DIGEST}`, pypi: `b@${DIGEST}` }, runtimeClass: undefined }; // prettier-ignore

describeWithData(REAL)(`The servers of the real registry (../shared/data/${REAL})`, () => {
  let documents: { name: string }[] = [];
  const reasons = new Map<string, number>();
  const servers: ContainerServer[] = [];

  beforeAll(() => {
    const text = gunzipSync(readFileSync(sharedData(REAL))).toString();
    documents = (JSON.parse(text) as { servers: { server: { name: string } }[] }).servers.map(({ server }) => server);
    const keys = new Set<string>();
    for (const [index, document] of documents.entries()) {
      const plan = planContainer(document, readConfig({}));
      if ('reason' in plan) {
        expect(plan.detail).toMatch(/\S/);
        reasons.set(plan.reason, (reasons.get(plan.reason) ?? 0) + 1);
        continue;
      }
      const key = entryKey(document.name, keys);
      keys.add(key);
      servers.push({ entryId: `entry-${String(index).padStart(5, '0')}`, key, plan });
    }
  });

  it('are each written, or left out with a reason', () => {
    const skipped = [...reasons.values()].reduce((sum, count) => sum + count, 0);
    expect(servers.length + skipped).toBe(documents.length);
    expect(servers.length).toBeGreaterThan(500);
    expect([...reasons.keys()].sort()).toEqual(
      expect.arrayContaining(['mcpb', 'needs_files', 'no_bridge', 'not_stdio', 'remote', 'unpinned']),
    );
  });

  it.each([
    ['compose', composeFile],
    ['kubernetes', kubernetesManifests],
  ] as const)('are valid YAML for %s, a bundle at a time', (_, write) => {
    for (let first = 0; first < servers.length; first += 100) {
      const files = write(servers.slice(first, first + 100), OPTIONS);
      const text = [...files.parts].join('');
      expect(parseAllDocuments(text).flatMap((document) => document.errors)).toEqual([]);
      expect(Buffer.byteLength(text)).toBeLessThan(1_000_000);
    }
  });
});
