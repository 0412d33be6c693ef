import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { parse, parseAllDocuments } from 'yaml';
import type { Question, Template } from '../../launch/template';
import { composeFile } from './compose-file';
import type { ContainerFiles, ContainerOptions, ContainerServer } from './container';
import { kubernetesManifests } from './kubernetes-manifests';

const DIGEST = `sha256:${'0f'.repeat(32)}`;
const IMAGES = { npm: `registry.example/bridge:1@${DIGEST}`, pypi: `registry.example/bridge:1-uvx@${DIGEST}` };
const BUNDLE = '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10';
const OPTIONS: ContainerOptions = { bundleId: BUNDLE, images: IMAGES, runtimeClass: undefined };

const question = (name: string, fields: Partial<Question> = {}): Question => ({
  name,
  description: undefined,
  isSecret: true,
  isRequired: true,
  choices: [],
  ...fields,
});

interface Wanted {
  key?: string;
  words?: Template[];
  env?: Record<string, Template>;
  unasked?: Question[];
  registry?: 'npm' | 'pypi';
}

const server = ({ key = 'weather', words = [['npx'], ['-y'], ['weather@1.0.0']], env = {}, unasked = [], registry = 'npm' }: Wanted = {}): ContainerServer => ({
  entryId: `019a9f5e-7c1d-7b3e-9a44-${Buffer.from(key).toString('hex').padEnd(12, '0').slice(0, 12)}${key}`,
  key,
  plan: { registry, words, env: new Map(Object.entries(env)), unasked, ignored: [], size: 0 },
}); // prettier-ignore

interface Service {
  image: string;
  command: string[];
  environment: Record<string, string>;
  [field: string]: unknown;
}
interface Variable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string } };
}
interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string };
  spec: { template: { spec: { containers: [{ env: Variable[]; args: string[] }] } } };
}

const textOf = ({ parts }: ContainerFiles) => [...parts].join('');
const compose = (servers: ContainerServer[], options = OPTIONS) =>
  parse(textOf(composeFile(servers, options))) as { name: string; services: Record<string, Service> };
const manifests = (servers: ContainerServer[], options = OPTIONS) =>
  parseAllDocuments(textOf(kubernetesManifests(servers, options))).map((each) => each.toJS() as Manifest);
const deployments = (all: Manifest[]) => all.filter(({ kind }) => kind === 'Deployment');

/** The interpolation of Compose: `$$`, `${NAME:?…}` and `${NAME:-…}`. */
function interpolated(text: string, variables: Record<string, string>): string {
  return text.replace(
    /\$(?:(\$)|\{(\w+):([?-])([^}]*)\}|(.?))/gs,
    (_, dollar, name: string, kind, fallback: string) => {
      if (dollar) return '$';
      if (!name) throw new Error(`Compose rejects ${text}`);
      if (variables[name]) return variables[name];
      if (kind === '-') return fallback;
      throw new Error(`${name} is missing: ${fallback}`);
    },
  );
}

/** The expansion of Kubernetes: `$$` and `$(NAME)`, which stays as it is if there is no such variable. */
function expanded(text: string, variables: Record<string, string>): string {
  return text.replace(/\$(?:(\$)|\(([^)]*)\))/g, (whole, dollar, name: string) =>
    dollar ? '$' : (variables[name] ?? whole),
  );
}

/** What the server is given by the service, with these variables of the reader. */
function byCompose({ command, environment }: Service, variables: Record<string, string> = {}) {
  const values = Object.entries(environment).map(([name, value]) => [name, interpolated(value, variables)]);
  const env = Object.fromEntries(values) as Record<string, string>;
  return { env, line: interpolated(command[1] as string, variables) };
}

/** What the server is given by the pod, with these keys of its Secret. */
function byKubernetes({ spec }: Manifest, secret: Record<string, string> = {}) {
  const [{ env: list, args }] = spec.template.spec.containers;
  const env: Record<string, string> = {};
  for (const { name, value, valueFrom } of list) {
    const key = valueFrom?.secretKeyRef.key;
    if (key !== undefined && secret[key] === undefined) throw new Error(`${key} is missing`);
    env[name] = key === undefined ? expanded(value ?? '', env) : (secret[key] as string);
  }
  return { env, line: expanded(args[1] as string, env) };
}

const OWN = { npm: ['HOME', 'npm_config_cache', 'npm_config_update_notifier'], pypi: ['HOME', 'UV_CACHE_DIR', 'PYTHONUNBUFFERED'] }; // prettier-ignore
const without = (env: Record<string, string>, names: string[]) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));

/** The words that a shell makes of the line, with the program replaced by one that prints them. */
function wordsBy(line: string, env: Record<string, string>): string[] {
  const printing = line.replace(/^exec npx/, "exec /usr/bin/printf '%s\\0' first");
  const printed = execFileSync('/bin/sh', ['-c', printing], { env, encoding: 'utf8' });
  return printed.split('\0').slice(1, -1);
}

describe('The file for Compose', () => {
  it('has a service for each server, locked down', () => {
    const env: Record<string, Template> = { REGION: ['eu'], API_KEY: [question('API_KEY')] };
    const file = compose([server({ env, unasked: [question('MAY', { isRequired: false })] })]);
    expect(file).toEqual({
      name: `toolyard-${BUNDLE}`,
      services: {
        'mcp-weather': {
          image: IMAGES.npm,
          entrypoint: ['supergateway'],
          command: [
            '--stdio',
            'exec npx -y weather@1.0.0',
            '--outputTransport',
            'streamableHttp',
            '--stateful',
            '--sessionTimeout',
            '600000',
            '--port',
            '8000',
            '--streamableHttpPath',
            '/mcp',
            '--healthEndpoint',
            '/healthz',
            '--logLevel',
            'none',
          ],
          environment: {
            REGION: 'eu',
            API_KEY: '${WEATHER__API_KEY:?a value for WEATHER__API_KEY}',
            HOME: '/tmp',
            npm_config_cache: '/tmp/.npm',
            npm_config_update_notifier: 'false',
          },
          env_file: [{ path: 'mcp-weather.env', required: false }],
          user: '1000:1000',
          working_dir: '/tmp',
          read_only: true,
          tmpfs: ['/tmp:rw,exec,nosuid,nodev,mode=1777,size=256m'],
          security_opt: ['no-new-privileges:true'],
          cap_drop: ['ALL'],
          mem_limit: '512m',
          memswap_limit: '512m',
          cpus: 1,
          pids_limit: 256,
          init: true,
          restart: 'unless-stopped',
          stop_grace_period: '10s',
          healthcheck: {
            test: ['CMD', 'node', '-e', expect.stringContaining('http://127.0.0.1:8000/healthz')],
            interval: '30s',
            timeout: '5s',
            retries: 3,
            start_period: '30s',
          },
          networks: ['mcp-weather'],
          ports: [expect.stringMatching(/^127\.0\.0\.1:\$\{TOOLYARD_PORT_WEATHER:-2\d{4}\}:8000$/)],
        },
      },
      networks: { 'mcp-weather': {} },
    });
  });

  it('is the configuration of the report, in YAML with a comment', () => {
    const servers = [server(), server({ key: 'other', registry: 'pypi', words: [['uvx'], ['other==1']] })];
    const files = composeFile(servers, OPTIONS);
    const text = textOf(files);
    expect(parse(text)).toEqual(files.configuration);
    expect(text.startsWith('# Exported by Toolyard.\n')).toBe(true);
    for (const note of files.notes) expect(text.replaceAll('\n# ', ' ')).toContain(note);
    expect(parse(textOf(composeFile([], OPTIONS)))).toMatchObject({ name: `toolyard-${BUNDLE}`, services: {} });
  });

  it('asks for the digest of the bridge where the operator has not set its image', () => {
    const options = { ...OPTIONS, images: {} };
    const { services } = compose(
      [server(), server({ key: 'py', registry: 'pypi', words: [['uvx'], ['py==1']] })],
      options,
    );
    const images = Object.values(services).map(({ image }) => image);
    expect(images).toEqual([
      expect.stringMatching(/^docker\.io\/supercorp\/supergateway@\$\{SUPERGATEWAY_DIGEST:\?[^}]+\}$/),
      expect.stringMatching(/^docker\.io\/supercorp\/supergateway@\$\{SUPERGATEWAY_UVX_DIGEST:\?[^}]+\}$/),
    ]);
    expect(interpolated(images[0] as string, { SUPERGATEWAY_DIGEST: DIGEST })).toBe(
      `docker.io/supercorp/supergateway@${DIGEST}`,
    );
    expect(() => interpolated(images[0] as string, {})).toThrow('SUPERGATEWAY_DIGEST is missing');
  });

  it('publishes each server on a port of its own, which stays when others come and go', () => {
    const servers = Array.from({ length: 500 }, (_, index) => server({ key: `server-${index}` }));
    const all = composeFile(servers, OPTIONS).endpointUrls;
    expect(new Set(all.values()).size).toBe(500);
    const few = composeFile(servers.slice(0, 20).reverse(), OPTIONS).endpointUrls;
    const moved = [...few].filter(([entry, url]) => all.get(entry) !== url);
    // Two entries of 500 may want the same port.
    expect(moved.length).toBeLessThan(3);
    const { services } = compose(servers.slice(0, 20));
    for (const [index, service] of Object.values(services).entries()) {
      const [port] = service.ports as [string];
      const url = few.get((servers[index] as ContainerServer).entryId);
      expect(interpolated(port, {})).toBe(
        `127.0.0.1:${url?.slice('http://127.0.0.1:'.length, -'/mcp'.length) ?? ''}:8000`,
      );
    }
  });

  it('takes another runtime', () => {
    expect(compose([server()], { ...OPTIONS, runtimeClass: 'runsc' }).services['mcp-weather']?.runtime).toBe('runsc');
  });
});

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
                  envFrom: [{ secretRef: { name: 'mcp-weather-optional', optional: true } }],
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

  it('name a runtime class if there is one', () => {
    const [deployment] = deployments(manifests([server()], { ...OPTIONS, runtimeClass: 'gvisor' }));
    expect(deployment?.spec.template.spec).toMatchObject({ runtimeClassName: 'gvisor' });
  });
});

describe.each(['compose', 'kubernetes'] as const)('What a server gets by %s', (client) => {
  const text = fc
    .oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        '$',
        '$$',
        '${HOME}',
        '$(HOME)',
        '${A:?b}',
        '$(TOOLYARD_S0)',
        "'",
        '"',
        '\n- a: b',
        '#',
        '`id`',
        'yes',
        '1e3',
        '\u0085',
      ),
    )
    .map((each) => each.toWellFormed().replaceAll('\0', ''));
  const variable = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,12}$/).map((name) => `X${name}`);
  const secret = fc.nat({ max: 3 }).map((index) => question(`s${index}`));
  const template = fc.array(fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: secret }), {
    maxLength: 4,
  });
  const SECRETS = ['first $(id) ${X}', 'second \' " `', '$TOOLYARD_S0', 'fourth\n$$'];
  const filled = (parts: Template) =>
    parts.map((part) => (typeof part === 'string' ? part : SECRETS[Number(part.name.slice(1))])).join('');

  /** The environment and the words of the one server. */
  function given(wanted: Wanted) {
    const one = server(wanted);
    const answers = Object.fromEntries(
      SECRETS.map((value, index) => [client === 'compose' ? `WEATHER__S${index}` : `S${index}`, value]),
    );
    const { env, line } =
      client === 'compose'
        ? byCompose(compose([one]).services['mcp-weather'] as Service, answers)
        : byKubernetes(deployments(manifests([one]))[0] as Manifest, answers);
    return { env, line };
  }

  it('is exactly what was planned, whatever it contains', () => {
    fc.assert(
      fc.property(
        fc.array(template, { maxLength: 5 }),
        fc.dictionary(variable, template, { maxKeys: 5, noNullPrototype: true }),
        (words, env) => {
          const result = given({ words: [['npx'], ...words], env });
          const helpers = Object.keys(result.env).filter((name) => name.startsWith('TOOLYARD_'));
          expect(without(result.env, [...OWN.npm, ...helpers])).toEqual(
            Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)])),
          );
          const known = Object.fromEntries(helpers.map((name) => [name, result.env[name] as string]));
          expect(wordsBy(result.line, known)).toEqual(words.map(filled));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is never a secret in the file, nor one without a reference to it', () => {
    const env: Record<string, Template> = { KEY: [question('s0')], AUTH: ['Bearer ', question('s1')] };
    const words: Template[] = [['npx'], ['-y'], ['weather@1.0.0'], [question('s2')]];
    expect(() => {
      const one = server({ env, words });
      if (client === 'compose') byCompose(compose([one]).services['mcp-weather'] as Service);
      else byKubernetes(deployments(manifests([one]))[0] as Manifest);
    }).toThrow(/is missing/);
    expect(given({ env, words }).env).toMatchObject({ KEY: SECRETS[0], AUTH: `Bearer ${SECRETS[1] ?? ''}` });
  });

  it('does not depend on variables with the names of ours', () => {
    const env: Record<string, Template> = { TOOLYARD_S0: ['theirs'], HOME: ['/root'], Npm_Config_Cache: ['/x'] };
    const result = given({ env, words: [['npx'], [question('s0')]] });
    expect(result.env).toMatchObject({ TOOLYARD_S0: 'theirs', TOOLYARD_S0_2: SECRETS[0], HOME: '/tmp' });
    expect(result.env).not.toHaveProperty('Npm_Config_Cache');
    expect(wordsBy(result.line, result.env)).toEqual([SECRETS[0]]);
  });

  it('has a name of its own, a label of the DNS', () => {
    const key = fc.stringMatching(/^[a-z0-9](-?[a-z0-9]){0,63}$/).filter((each) => each.length <= 64);
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 20 }), (keys) => {
        const servers = keys.map((each) => server({ key: each }));
        const names =
          client === 'compose'
            ? Object.keys(compose(servers).services)
            : deployments(manifests(servers)).map(({ metadata }) => metadata.name);
        expect(names).toHaveLength(keys.length);
        expect(new Set(names).size).toBe(keys.length);
        for (const name of names) expect(name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/);
      }),
      { numRuns: 50 },
    );
  });
});
