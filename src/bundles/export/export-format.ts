import type { KnownConfig } from '../entries/entry-config';
import { type Launch, launchSize } from '../launch/launch';
import type { Skip } from '../launch/skip';
import type { AskedQuestion } from './asked-of-server';
import { pathOf, planForClient, renderConfiguration, reservedKeys } from './client-formats';
import { composeFile } from './containers/compose-file';
import { type ContainerOptions, type ContainerServer, containerText } from './containers/container';
import { type ContainerPlan, planContainer } from './containers/container-plan';
import { kubernetesManifests } from './containers/kubernetes-manifests';
import type { Editor, Orchestrator } from './export-client';

/** An entry whose server a format can express. */
export interface PlannedEntry<Plan> {
  entryId: string;
  key: string;
  plan: Plan;
}

/** What an export consists of. */
export interface RenderedExport {
  configuration: object;
  /** The file in YAML, in parts; undefined: it is the configuration in JSON. */
  parts?: Iterable<string>;
  /** The values that its user has to provide. */
  questions: AskedQuestion[];
  /** By entry: where its server is reached once it runs. */
  endpointUrls: ReadonlyMap<string, string>;
  /** About the file as a whole. */
  notes: readonly string[];
}

/** How a client's file is made of the entries of a bundle. */
export interface ExportFormat<Plan> {
  /** The file has this path. */
  path: string;
  /** @returns or why the server is left out */
  plan: (document: unknown, config: KnownConfig) => Plan | Skip;
  /** About how many bytes the file has of it. */
  sizeOf: (plan: Plan) => number;
  /** What is in the configuration of the entry and not in the file. */
  warningsOf: (planned: PlannedEntry<Plan>) => string[];
  render: (servers: readonly PlannedEntry<Plan>[]) => RenderedExport;
}

/**
 * The configuration of a program that runs or reaches the servers for its own user, in JSON.
 *
 * @returns the format; it leaves out servers that the program cannot run, and those whose values it would replace with
 *   values of its user
 */
export function editorFormat(client: Editor): ExportFormat<Launch> {
  return {
    path: pathOf(client),
    plan: (document, config) => planForClient(client, document, config),
    sizeOf: (launch) => launchSize(launch) ?? Infinity,
    warningsOf: ({ key, plan }) => [...unusedSecrets(plan.ignored), ...ignoredKeys(client, key)],
    render: (servers) => {
      const { configuration, questions } = renderConfiguration(
        client,
        servers.map(({ key, plan }) => ({ key, launch: plan })),
      );
      return { configuration, questions, endpointUrls: new Map(), notes: [] };
    },
  };
}

const FILES = {
  compose: { path: 'compose.yaml', write: composeFile },
  kubernetes: { path: 'kubernetes.yaml', write: kubernetesManifests },
} as const;

/**
 * The file that runs the servers that are packages in containers, in YAML (ADR 55).
 *
 * @param options the images of the operator; for Kubernetes, servers of a registry without one are left out
 */
export function containerFormat(client: Orchestrator, options: ContainerOptions): ExportFormat<ContainerPlan> {
  const { path, write } = FILES[client];
  return {
    path,
    plan: (document, config) => {
      const plan = planContainer(document, config);
      // Compose can ask for the digest; a manifest has no variables.
      if ('reason' in plan || client === 'compose' || options.images[plan.registry] !== undefined) return plan;
      return {
        reason: 'no_bridge',
        detail: `The operator of Toolyard has not set PACKAGE_BRIDGE_IMAGE_${plan.registry.toUpperCase()}, the image with the bridge in which it would run.`,
      };
    },
    sizeOf: ({ size }) => size,
    warningsOf: (planned) => [...unusedSecrets(planned.plan.ignored), ...replacedVariables(planned)],
    render: (servers) => write(servers, options),
  };
}

function unusedSecrets(ignored: readonly string[]): string[] {
  return [...new Set(ignored)].map(
    (name) => `${name} is a secret: its value in the configuration of the entry is not used.`,
  );
}

function ignoredKeys(client: Editor, key: string): string[] {
  return reservedKeys(client).includes(key)
    ? [`The client uses the name ${key} itself and ignores this server: give it another name in the file.`]
    : [];
}

function replacedVariables(server: ContainerServer): string[] {
  return containerText(server).replaced.map((name) => `${name} is set by the container: the value for it is not used.`);
}
