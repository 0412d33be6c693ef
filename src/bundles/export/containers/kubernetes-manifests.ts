import { PRIVATE_IN_PUBLIC_IPV6, PRIVATE_IPV4, PUBLIC_IPV6 } from '../../../config/private-networks';
import { hasQuestions, type Question, type Template } from '../../launch/template';
import { type AskedOfServer, type AskedQuestion, toVariableName, withoutDashes } from '../asked-of-server';
import {
  BRIDGE,
  bridgeArguments,
  type ContainerFiles,
  type ContainerOptions,
  type ContainerServer,
  type ContainerText,
  containerText,
  CPUS,
  escaped,
  GRACE_SECONDS,
  HEALTH_PATH,
  MEMORY_MIB,
  PATH,
  PORT,
  PROCESSES,
  projectName,
  questionsOf,
  REQUESTS_NOTE,
  SCRATCH,
  SCRATCH_MIB,
  serverName,
  SESSIONS_NOTE,
  USER_ID,
} from './container';
import { yamlComment, yamlText } from './yaml-text';

/** Where Toolyard runs, as in `deploy/kubernetes`. */
const TOOLYARD_NAMESPACE = 'toolyard';
const TOOLYARD_LABELS = { 'app.kubernetes.io/name': 'toolyard' };
const NAME_LABEL = 'app.kubernetes.io/name';
/** The keys of a Secret have at most 253 characters. */
const MAX_KEY_LENGTH = 200;

/**
 * Writes manifests for Kubernetes: a namespace that admits nothing but restricted pods, one network policy for all of
 * them, and a Deployment and a Service for each server. The values that servers need are in Secrets, which the reader
 * creates.
 */
export function kubernetesManifests(servers: readonly ContainerServer[], options: ContainerOptions): ContainerFiles {
  const namespace = projectName(options.bundleId);
  const questions: AskedQuestion[] = [];
  const manifests: object[][] = [[namespaceOf(namespace), networkPolicyOf(namespace)]];
  for (const server of servers) {
    const name = serverName(server.key);
    const { asked, all } = questionsOf(server, {
      id: (question) => toVariableName(withoutDashes(question)).slice(0, MAX_KEY_LENGTH),
      placeholder: (id) => `Secret ${name}: ${id}`,
    });
    const metadata = { name, namespace, labels: { [NAME_LABEL]: name } };
    manifests.push([deploymentOf(server, metadata, asked, options), serviceOf(metadata)]);
    questions.push(...all());
  }
  const notes = notesOf(servers);
  return {
    configuration: { apiVersion: 'v1', kind: 'List', items: manifests.flat() },
    parts: parts(manifests, notes),
    questions,
    endpointUrls: new Map(
      servers.map(({ entryId, key }) => [entryId, `http://${serverName(key)}.${namespace}.svc:${PORT}${PATH}`]),
    ),
    notes,
  };
}

/** In parts, each of one server, so that others get turns between them. */
function* parts(manifests: readonly object[][], notes: readonly string[]): Generator<string> {
  yield yamlComment(['Exported by Toolyard.', '', ...notes]);
  for (const group of manifests) yield group.map((manifest) => `---\n${yamlText(manifest)}`).join('');
}

function namespaceOf(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        'pod-security.kubernetes.io/enforce': 'restricted',
        'pod-security.kubernetes.io/audit': 'restricted',
        'pod-security.kubernetes.io/warn': 'restricted',
      },
    },
  };
}

/** Every pod in the namespace has this policy: only Toolyard can reach it; it can reach DNS and the Internet. */
function networkPolicyOf(namespace: string): object {
  return {
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
              namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': TOOLYARD_NAMESPACE } },
              podSelector: { matchLabels: TOOLYARD_LABELS },
            },
          ],
          ports: [{ protocol: 'TCP', port: PORT }],
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
            { ipBlock: { cidr: '0.0.0.0/0', except: PRIVATE_IPV4 } },
            { ipBlock: { cidr: PUBLIC_IPV6, except: PRIVATE_IN_PUBLIC_IPV6 } },
          ],
        },
      ],
    },
  };
}

interface Metadata {
  name: string;
  namespace: string;
  labels: Record<string, string>;
}

function serviceOf(metadata: Metadata): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: {
      type: 'ClusterIP',
      selector: metadata.labels,
      ports: [{ name: 'http', port: PORT, targetPort: 'http', protocol: 'TCP' }],
    },
  };
}

function deploymentOf(
  server: ContainerServer,
  metadata: Metadata,
  asked: AskedOfServer,
  { images, runtimeClass }: ContainerOptions,
): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: 1,
      // Its sessions are in the process.
      strategy: { type: 'Recreate' },
      revisionHistoryLimit: 2,
      selector: { matchLabels: metadata.labels },
      template: {
        metadata: { labels: metadata.labels },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: GRACE_SECONDS,
          ...(runtimeClass === undefined ? {} : { runtimeClassName: runtimeClass }),
          securityContext: {
            runAsNonRoot: true,
            runAsUser: USER_ID,
            runAsGroup: USER_ID,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [containerOf(server, metadata.name, asked, images[server.plan.registry])],
          volumes: [{ name: 'scratch', emptyDir: { sizeLimit: `${SCRATCH_MIB}Mi` } }],
        },
      },
    },
  };
}

function containerOf(server: ContainerServer, name: string, asked: AskedOfServer, image: string | undefined): object {
  const text = containerText(server);
  const probe = { httpGet: { path: HEALTH_PATH, port: 'http' }, timeoutSeconds: 5 };
  return {
    name: 'server',
    image,
    command: [BRIDGE],
    args: bridgeArguments(escaped(text.line)),
    workingDir: SCRATCH,
    env: environmentOf(text, name, asked),
    ...(server.plan.unasked.length > 0
      ? { envFrom: [{ secretRef: { name: optionalSecret(name), optional: true } }] }
      : {}),
    ports: [{ name: 'http', containerPort: PORT, protocol: 'TCP' }],
    startupProbe: { ...probe, periodSeconds: 2, failureThreshold: 30 },
    readinessProbe: { ...probe, periodSeconds: 10 },
    livenessProbe: { ...probe, periodSeconds: 30, failureThreshold: 3 },
    resources: {
      requests: { cpu: '50m', memory: '128Mi' },
      limits: { cpu: `${CPUS}`, memory: `${MEMORY_MIB}Mi`, 'ephemeral-storage': `${MEMORY_MIB}Mi` },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      privileged: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [{ name: 'scratch', mountPath: SCRATCH }],
  };
}

/**
 * The name of the Secret with the values that a server can do without. Keys come from names that publishers choose, and
 * contain no dot. With a hyphen, that of `weather` would be the Secret with the required values of `weather-optional`.
 */
function optionalSecret(name: string): string {
  return `${name}.optional`;
}

/** Answers come first: a value refers to what precedes it. */
function environmentOf(
  { answers, answerOf, variables }: ContainerText,
  secret: string,
  asked: AskedOfServer,
): object[] {
  const reference = (name: string, question: Question): object => {
    return { name, valueFrom: { secretKeyRef: { name: secret, key: asked.idOf(question) } } };
  };
  const own = [...variables].map(([name, template]): object => {
    const [only, ...others] = template;
    if (typeof only === 'object' && others.length === 0) return reference(name, only);
    return { name, value: mixedText(template, answerOf) };
  });
  return [...[...answers].map(([name, question]) => reference(name, question)), ...own];
}

function mixedText(template: Template, answerOf: (question: Question) => string): string {
  return template.map((part) => (typeof part === 'string' ? escaped(part) : `$(${answerOf(part)})`)).join('');
}

function notesOf(servers: readonly ContainerServer[]): string[] {
  const needsValues = servers.some(({ plan }) => [...plan.words, ...plan.env.values()].some(hasQuestions));
  const hasOptional = servers.some(({ plan }) => plan.unasked.length > 0);
  return [
    'Apply it with: kubectl apply -f kubernetes.yaml',
    ...(needsValues
      ? [
          'Create the Secret of each server that needs values: its name is that of the Deployment, its keys are in the report (format=report). The pod waits for it.',
        ]
      : []),
    ...(hasOptional
      ? [
          'What a server can do without is read from the Secret <deployment>.optional, if there is one: its keys are names of environment variables.',
        ]
      : []),
    'Then set the endpoint_url of each entry (PATCH /v1/bundles/{id}/entries/{entry}) to the address of its Service, which the report has. WEBHOOKS_ALLOWED_NETWORKS has to contain the network of the Services.',
    `The network policy admits pods with the label app.kubernetes.io/name: toolyard from the namespace ${TOOLYARD_NAMESPACE}, as deploy/kubernetes has them, and asks for names in kube-system. Without a network plug-in that enforces policies it does nothing.`,
    `Kubernetes limits processes by the node and not by the pod: set podPidsLimit of the kubelet to ${PROCESSES}.`,
    `${SESSIONS_NOTE} Raise the limits where they are not enough.`,
    REQUESTS_NOTE,
  ];
}
