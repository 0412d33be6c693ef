import { parseAllDocuments } from 'yaml';
import {
  BUNDLE,
  deployments,
  IMAGES,
  manifests,
  OPTIONS,
  question,
  server,
  textOf,
} from '../../../../test/support/containers';
import type { Template } from '../../launch/template';
import { kubernetesManifests } from './kubernetes-manifests';

describe('The manifests for Kubernetes', () => {
  it('are a restricted namespace, a network policy, and a Deployment and a Service for each server', () => {
    const env: Record<string, Template> = {
      REGION: ['eu'],
      API_KEY: [question('API_KEY')],
      AUTH: ['Bearer ', question('token')],
    };
    const words: Template[] = [['npx'], ['-y'], ['weather@1.0.0'], ['--key=', question('key')]];
    const all = manifests([server({ env, words, unasked: [question('MAY', { isRequired: false })] })]);
    const namespace = `toolyard-${BUNDLE}`;
    const labels = { 'app.kubernetes.io/name': 'mcp-weather' };
    const metadata = { name: 'mcp-weather', namespace, labels };
    const secret = (key: string) => ({ secretKeyRef: { name: 'mcp-weather', key } });
    expect(all).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: namespace,
          labels: {
            'pod-security.kubernetes.io/enforce': 'restricted',
            'pod-security.kubernetes.io/audit': 'restricted',
            'pod-security.kubernetes.io/warn': 'restricted',
          },
        },
      },
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'NetworkPolicy',
        metadata: { name: 'package-servers', namespace },
        spec: {
          podSelector: {},
          policyTypes: ['Ingress', 'Egress'],
          ingress: [
            {
              from: [
                {
                  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'toolyard' } },
                  podSelector: { matchLabels: { 'app.kubernetes.io/name': 'toolyard' } },
                },
              ],
              ports: [{ protocol: 'TCP', port: 8000 }],
            },
          ],
          egress: [
            {
              to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }],
              ports: [
                { protocol: 'UDP', port: 53 },
                { protocol: 'TCP', port: 53 },
              ],
            },
            {
              to: [
                {
                  ipBlock: {
                    cidr: '0.0.0.0/0',
                    except: expect.arrayContaining(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8', '100.64.0.0/10']) as unknown, // prettier-ignore
                  },
                },
                { ipBlock: { cidr: '2000::/3', except: expect.any(Array) as unknown } },
              ],
            },
          ],
        },
      },
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata,
        spec: {
          replicas: 1,
          strategy: { type: 'Recreate' },
          revisionHistoryLimit: 2,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: {
              automountServiceAccountToken: false,
              enableServiceLinks: false,
              terminationGracePeriodSeconds: 10,
              securityContext: {
                runAsNonRoot: true,
                runAsUser: 1000,
                runAsGroup: 1000,
                seccompProfile: { type: 'RuntimeDefault' },
              },
              containers: [
                {
                  name: 'server',
                  image: IMAGES.npm,
                  command: ['supergateway'],
                  args: expect.arrayContaining([
                    'exec npx -y weather@1.0.0 --key="$$TOOLYARD_KEY"',
                    '--stateful',
                  ]) as unknown,
                  workingDir: '/tmp',
                  env: [
                    { name: 'TOOLYARD_KEY', valueFrom: secret('KEY') },
                    { name: 'TOOLYARD_TOKEN', valueFrom: secret('TOKEN') },
                    { name: 'REGION', value: 'eu' },
                    { name: 'API_KEY', valueFrom: secret('API_KEY') },
                    { name: 'AUTH', value: 'Bearer $(TOOLYARD_TOKEN)' },
                    { name: 'HOME', value: '/tmp' },
                    { name: 'npm_config_cache', value: '/tmp/.npm' },
                    { name: 'npm_config_update_notifier', value: 'false' },
                  ],
                  envFrom: [{ secretRef: { name: 'mcp-weather.optional', optional: true } }],
                  ports: [{ name: 'http', containerPort: 8000, protocol: 'TCP' }],
                  startupProbe: {
                    httpGet: { path: '/healthz', port: 'http' },
                    timeoutSeconds: 5,
                    periodSeconds: 2,
                    failureThreshold: 30,
                  },
                  readinessProbe: { httpGet: { path: '/healthz', port: 'http' }, timeoutSeconds: 5, periodSeconds: 10 },
                  livenessProbe: {
                    httpGet: { path: '/healthz', port: 'http' },
                    timeoutSeconds: 5,
                    periodSeconds: 30,
                    failureThreshold: 3,
                  },
                  resources: {
                    requests: { cpu: '50m', memory: '128Mi' },
                    limits: { cpu: '1', memory: '512Mi', 'ephemeral-storage': '512Mi' },
                  },
                  securityContext: {
                    allowPrivilegeEscalation: false,
                    privileged: false,
                    readOnlyRootFilesystem: true,
                    runAsNonRoot: true,
                    capabilities: { drop: ['ALL'] },
                  },
                  volumeMounts: [{ name: 'scratch', mountPath: '/tmp' }],
                },
              ],
              volumes: [{ name: 'scratch', emptyDir: { sizeLimit: '256Mi' } }],
            },
          },
        },
      },
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata,
        spec: {
          type: 'ClusterIP',
          selector: labels,
          ports: [{ name: 'http', port: 8000, targetPort: 'http', protocol: 'TCP' }],
        },
      },
    ]);
  });

  it('are the configuration of the report, as documents', () => {
    const files = kubernetesManifests([server(), server({ key: 'other' })], OPTIONS);
    const documents = parseAllDocuments(textOf(files)).map((each) => each.toJS() as object);
    expect(files.configuration).toEqual({ apiVersion: 'v1', kind: 'List', items: documents });
    expect([...files.endpointUrls.values()]).toEqual([
      `http://mcp-weather.toolyard-${BUNDLE}.svc:8000/mcp`,
      `http://mcp-other.toolyard-${BUNDLE}.svc:8000/mcp`,
    ]);
    expect(manifests([]).map(({ kind }) => kind)).toEqual(['Namespace', 'NetworkPolicy']);
  });

  it('give no server the Secret of another one, whatever their keys are', () => {
    const env: Record<string, Template> = { API_KEY: [question('API_KEY')] };
    const unasked = [question('MAY', { isRequired: false })];
    const keys = ['weather', 'weather-optional', 'weather-optional-optional'];
    const secrets = deployments(manifests(keys.map((key) => server({ key, env, unasked })))).map(({ spec }) => {
      const [{ env: variables, envFrom = [] }] = spec.template.spec.containers;
      const required = variables.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.name ?? []);
      return [...new Set(required), ...envFrom.map(({ secretRef }) => secretRef.name)];
    });
    expect(secrets.map((names) => names.length)).toEqual([2, 2, 2]);
    expect(new Set(secrets.flat()).size).toBe(6);
    // RFC 1123, which Kubernetes requires of the names of Secrets.
    for (const name of secrets.flat()) expect(name).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/); // prettier-ignore
  });

  it('name a runtime class if there is one', () => {
    const [deployment] = deployments(manifests([server()], { ...OPTIONS, runtimeClass: 'gvisor' }));
    expect(deployment?.spec.template.spec).toMatchObject({ runtimeClassName: 'gvisor' });
  });
});
