import { createHash } from 'node:crypto';
import type { BridgedRegistry } from '../../../config/environment';
import type { Template } from '../../launch/template';
import { type AskedOfServer, type AskedQuestion, variableOf } from '../asked-of-server';
import {
  BRIDGE,
  bridgeArguments,
  type ContainerFiles,
  type ContainerOptions,
  type ContainerServer,
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

/** Where each registry's image of the bridge is, for an operator who has named none. Its digest is not known here. */
const PUBLISHED: Readonly<Record<BridgedRegistry, { variable: string; tag: string }>> = {
  npm: { variable: 'SUPERGATEWAY_DIGEST', tag: '4.0.0' },
  pypi: { variable: 'SUPERGATEWAY_UVX_DIGEST', tag: '4.0.0-uvx' },
};
const PUBLISHED_NAME = 'docker.io/supercorp/supergateway';

/** Published on the loopback address; below the ports that systems choose by themselves (32768), and no one's default. */
const FIRST_PORT = 20_000;
const PORTS = 10_000;

const HEALTH_CHECK = `fetch('http://127.0.0.1:${PORT}${HEALTH_PATH}').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`;

/**
 * Writes a file for Docker Compose, or what else reads the Compose specification (as of 2026-06: services, networks,
 * interpolation). A service for each server, in a network of its own, so that no server reaches another one's bridge,
 * which does not authenticate its callers.
 */
export function composeFile(servers: readonly ContainerServer[], options: ContainerOptions): ContainerFiles {
  const ports = assignedPorts(servers);
  const questions: AskedQuestion[] = [];
  const services: [name: string, service: object][] = [];
  const networks: [name: string, network: object][] = [];
  for (const server of servers) {
    const name = serverName(server.key);
    const { asked, all } = questionsOf(server, {
      id: variableOf,
      placeholder: (id) => `\${${id}:?a value for ${id}}`,
    });
    services.push([name, serviceOf(server, name, asked, ports.get(server.entryId) ?? FIRST_PORT, options)]);
    networks.push([name, {}]);
    questions.push(...all());
  }
  const name = projectName(options.bundleId);
  const notes = notesOf(servers);
  return {
    configuration: { name, services: Object.fromEntries(services), networks: Object.fromEntries(networks) },
    parts: parts(name, services, networks, notes),
    questions,
    endpointUrls: new Map([...ports].map(([entryId, port]) => [entryId, `http://127.0.0.1:${port}${PATH}`])),
    notes,
  };
}

/** In parts, each of one service, so that others get turns between them. */
function* parts(
  name: string,
  services: readonly [string, object][],
  networks: readonly [string, object][],
  notes: readonly string[],
): Generator<string> {
  yield yamlComment(['Exported by Toolyard.', '', ...notes]);
  yield yamlText({ name });
  if (services.length === 0) {
    yield 'services: {}\n';
    return;
  }
  yield 'services:\n';
  // No text has more than one line, so that all of them can be indented.
  for (const [key, service] of services) yield yamlText({ [key]: service }).replace(/^(?=.)/gm, '  ');
  yield yamlText({ networks: Object.fromEntries(networks) });
}

function serviceOf(
  server: ContainerServer,
  name: string,
  asked: AskedOfServer,
  port: number,
  { images, runtimeClass }: ContainerOptions,
): object {
  const { answers, variables, line } = containerText(server);
  const text = (template: Template): string =>
    template.map((part) => (typeof part === 'string' ? escaped(part) : asked.ask(part))).join('');
  const { registry, unasked } = server.plan;
  return {
    image: images[registry] ?? publishedImage(registry),
    entrypoint: [BRIDGE],
    command: bridgeArguments(escaped(line)),
    environment: Object.fromEntries([
      ...[...answers].map(([variable, question]) => [variable, asked.ask(question)]),
      ...[...variables].map(([variable, template]) => [variable, text(template)]),
    ]) as object,
    ...(unasked.length > 0 ? { env_file: [{ path: `${name}.env`, required: false }] } : {}),
    user: `${USER_ID}:${USER_ID}`,
    working_dir: SCRATCH,
    read_only: true,
    // Programs are installed there and run, which `noexec`, the default, would prevent.
    tmpfs: [`${SCRATCH}:rw,exec,nosuid,nodev,mode=1777,size=${SCRATCH_MIB}m`],
    security_opt: ['no-new-privileges:true'],
    cap_drop: ['ALL'],
    mem_limit: `${MEMORY_MIB}m`,
    memswap_limit: `${MEMORY_MIB}m`,
    cpus: CPUS,
    pids_limit: PROCESSES,
    init: true,
    restart: 'unless-stopped',
    stop_grace_period: `${GRACE_SECONDS}s`,
    healthcheck: {
      test: ['CMD', 'node', '-e', HEALTH_CHECK],
      interval: '30s',
      timeout: '5s',
      retries: 3,
      start_period: '30s',
    },
    networks: [name],
    ports: [`127.0.0.1:\${${portVariable(server.key)}:-${port}}:${PORT}`],
    ...(runtimeClass === undefined ? {} : { runtime: runtimeClass }),
  };
}

/** Not a tag: an empty variable, or anything but a digest, is no image. */
function publishedImage(registry: BridgedRegistry): string {
  const { variable, tag } = PUBLISHED[registry];
  return `${PUBLISHED_NAME}@\${${variable}:?the digest of ${PUBLISHED_NAME} ${tag}}`;
}

/** Without two successive underscores, which the names of answers have. */
function portVariable(key: string): string {
  return `TOOLYARD_PORT_${key.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
}

/**
 * By entry. A port follows from the id of its entry, so that it stays when others come and go, unless two entries would
 * have the same; then the one with the higher id gets the next.
 */
function assignedPorts(servers: readonly ContainerServer[]): Map<string, number> {
  const taken = new Set<number>();
  const ports = new Map<string, number>();
  for (const { entryId } of servers.toSorted((a, b) => (a.entryId < b.entryId ? -1 : 1))) {
    let offset = createHash('sha256').update(entryId).digest().readUInt32BE() % PORTS;
    while (taken.has(offset)) offset = (offset + 1) % PORTS;
    taken.add(offset);
    ports.set(entryId, FIRST_PORT + offset);
  }
  return ports;
}

/** In the files that Compose reads variables from: it takes only what is in single quotes as it is. */
const ASSIGNMENT = "NAME='value'";

function notesOf(servers: readonly ContainerServer[]): string[] {
  const hasOptional = servers.some(({ plan }) => plan.unasked.length > 0);
  return [
    'Start it with: docker compose -f compose.yaml up --detach --wait',
    'Then set the endpoint_url of each entry (PATCH /v1/bundles/{id}/entries/{entry}) to the address of its server, which the report (format=report) has. Toolyard reaches them if it runs on this machine, outside a container, and WEBHOOKS_ALLOWED_NETWORKS has 127.0.0.0/8. If it runs in containers, attach these to the network of each server; the address is http://<service>:8000/mcp then, and that network has to be allowed.',
    `Values that a server needs are variables of your environment, or of a file .env beside this one: ${ASSIGNMENT}. Without one of them nothing starts.`,
    ...(hasOptional
      ? [
          `What a server can do without is read from the file <service>.env beside this one, if it is there: ${ASSIGNMENT}.`,
        ]
      : []),
    'Without the single quotes Compose replaces variables in a value of such a file: it would alter a password with a $.',
    'Compose cannot limit where a server connects to: it reaches the Internet, and everything in your network that this machine does. Use a firewall, or Kubernetes.',
    `${SESSIONS_NOTE} The packages are in memory, too. Raise mem_limit, memswap_limit, pids_limit and the size of ${SCRATCH} in a compose.override.yaml where they are not enough.`,
    REQUESTS_NOTE,
    'Every server has a network of its own, and Docker has addresses for about thirty: for more, add default-address-pools to its daemon.json.',
  ];
}
