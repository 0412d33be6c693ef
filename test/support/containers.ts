import { parse, parseAllDocuments } from 'yaml';
import type { Question, Template } from '../../src/bundles/launch/template';
import { composeFile } from '../../src/bundles/export/containers/compose-file';
import type { ContainerFiles, ContainerOptions, ContainerServer } from '../../src/bundles/export/containers/container';
import { kubernetesManifests } from '../../src/bundles/export/containers/kubernetes-manifests';

export const DIGEST = `sha256:${'0f'.repeat(32)}`;
export const IMAGES = { npm: `registry.example/bridge:1@${DIGEST}`, pypi: `registry.example/bridge:1-uvx@${DIGEST}` };
export const BUNDLE = '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10';
export const OPTIONS: ContainerOptions = { bundleId: BUNDLE, images: IMAGES, runtimeClass: undefined };

export const question = (name: string, fields: Partial<Question> = {}): Question => ({
  name,
  description: undefined,
  isSecret: true,
  isRequired: true,
  choices: [],
  ...fields,
});

export interface Wanted {
  key?: string;
  words?: Template[];
  env?: Record<string, Template>;
  unasked?: Question[];
  registry?: 'npm' | 'pypi';
}

export const server = ({ key = 'weather', words = [['npx'], ['-y'], ['weather@1.0.0']], env = {}, unasked = [], registry = 'npm' }: Wanted = {}): ContainerServer => ({
  entryId: `019a9f5e-7c1d-7b3e-9a44-${Buffer.from(key).toString('hex').padEnd(12, '0').slice(0, 12)}${key}`,
  key,
  plan: { registry, words, env: new Map(Object.entries(env)), unasked, ignored: [], size: 0 },
}); // prettier-ignore

export interface Service {
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
export interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string };
  spec: {
    template: {
      spec: { containers: [{ env: Variable[]; envFrom?: { secretRef: { name: string } }[]; args: string[] }] };
    };
  };
}

export const textOf = ({ parts }: ContainerFiles) => [...parts].join('');
export const compose = (servers: ContainerServer[], options = OPTIONS) =>
  parse(textOf(composeFile(servers, options))) as { name: string; services: Record<string, Service> };
export const manifests = (servers: ContainerServer[], options = OPTIONS) =>
  parseAllDocuments(textOf(kubernetesManifests(servers, options))).map((each) => each.toJS() as Manifest);
export const deployments = (all: Manifest[]) => all.filter(({ kind }) => kind === 'Deployment');

/** The interpolation of Compose: `$$`, `${NAME:?…}` and `${NAME:-…}`. */
export function interpolated(text: string, variables: Record<string, string>): string {
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
export function byCompose({ command, environment }: Service, variables: Record<string, string> = {}) {
  const values = Object.entries(environment).map(([name, value]) => [name, interpolated(value, variables)]);
  const env = Object.fromEntries(values) as Record<string, string>;
  return { env, line: interpolated(command[1] as string, variables) };
}

/** What the server is given by the pod, with these keys of its Secret. */
export function byKubernetes({ spec }: Manifest, secret: Record<string, string> = {}) {
  const [{ env: list, args }] = spec.template.spec.containers;
  const env: Record<string, string> = {};
  for (const { name, value, valueFrom } of list) {
    const key = valueFrom?.secretKeyRef.key;
    if (key !== undefined && secret[key] === undefined) throw new Error(`${key} is missing`);
    env[name] = key === undefined ? expanded(value ?? '', env) : (secret[key] as string);
  }
  return { env, line: expanded(args[1] as string, env) };
}
