import type { BridgedRegistry } from '../../../config/environment';
import type { KnownConfig } from '../../entries/entry-config';
import { type Launch, launchSize, type LocalServer, planEachWay } from '../../launch/launch';
import { hasOwnRemote } from '../../launch/own-remote';
import type { Skip } from '../../launch/skip';
import type { Question, Template } from '../../launch/template';
import { neededFiles } from './needed-files';
import { unpinned } from './pinned-command';
import { shellLine } from './shell-line';

/** A package that runs in a container of its own. */
export interface ContainerPlan {
  registry: BridgedRegistry;
  /** Its command line. */
  words: readonly Template[];
  env: ReadonlyMap<string, Template>;
  /** Values that were left out, because the server needs none. */
  unasked: readonly Question[];
  /** The names of the secrets whose values in the configuration are not used. */
  ignored: readonly string[];
  /** About how many bytes a file has of it. */
  size: number;
}

const REMOTE: Skip = {
  reason: 'remote',
  detail: 'It is a remote server: there is nothing to run, and the endpoint of the bundle reaches it as it is.',
};
const REMOTE_BESIDE: Skip = {
  reason: 'remote',
  detail:
    'Its configuration selects a package by run_with, but its listing has a remote server, so the entry takes no endpoint_url. Without run_with the endpoint of the bundle reaches the remote server.',
};
const REMOTE_BY_SSE: Skip = {
  reason: 'remote',
  detail: 'It is a remote server that speaks HTTP with SSE (2024-11-05): there is nothing to run.',
};
const NOTHING: Skip = { reason: 'no_server', detail: 'Its server.json names neither a package nor a remote server.' };

/** About what a file has of a server besides its command and its environment. */
const BYTES_AROUND = 2_500;

/** POSIX.1-2024, section 8.1, and what some programs use besides. Kubernetes and Compose agree on these. */
const VARIABLE_NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,254}$/;

/**
 * Decides how the server of an entry runs in a container: by the first package of the document that can be pinned and
 * needs no files. A listing with a remote server of its own is not run, whatever way the configuration selects: its entry takes
 * no `endpoint_url` (`requireEndpointUrl`), so that no endpoint would reach the container.
 *
 * @param document a `server.json`
 * @returns or why it is left out: the reason of the first package
 */
export function planContainer(document: unknown, config: KnownConfig): ContainerPlan | Skip {
  if (hasOwnRemote(document))
    return config.runWith === undefined || config.runWith === 'remote' ? REMOTE : REMOTE_BESIDE;
  const skips: Skip[] = [];
  let plan: ContainerPlan | undefined;
  let speaksSse = false;
  for (const planned of planEachWay(document, config, { remotes: true, asks: false })) {
    if ('reason' in planned) skips.push(planned);
    else if (planned.server.kind === 'local') {
      if (plan) continue;
      const one = planOf(planned, planned.server, config);
      if ('reason' in one) skips.push(one);
      else plan = one;
    } else if (planned.server.type === 'http') return REMOTE;
    else speaksSse = true;
  }
  return plan ?? skips[0] ?? (speaksSse ? REMOTE_BY_SSE : NOTHING);
}

function planOf(launch: Launch, server: LocalServer, config: KnownConfig): ContainerPlan | Skip {
  const obstacle = unpinned(server) ?? neededFiles(server.package, config) ?? invalidText(server);
  if (obstacle) return obstacle;
  const words: Template[] = [[server.command], ...server.args];
  return {
    // Nothing else is pinned.
    registry: server.package.registryType as BridgedRegistry,
    words,
    env: server.env,
    unasked: launch.unasked,
    ignored: launch.ignored,
    // Quoting can take several times what it quotes.
    size: (launchSize(launch) ?? Infinity) + Buffer.byteLength(shellLine(words, ({ name }) => name)) + BYTES_AROUND,
  };
}

function invalidText({ args, env }: LocalServer): Skip | undefined {
  const name = [...env.keys()].find((key) => !VARIABLE_NAME.test(key));
  if (name !== undefined)
    return { reason: 'invalid_package', detail: 'The name of one of its environment variables is not valid.' };
  const texts = [...args, ...env.values()].flat().filter((part) => typeof part === 'string');
  // Neither a command line nor an environment can contain it.
  if (!texts.some((text) => text.includes('\0') || !text.isWellFormed())) return undefined;
  return { reason: 'invalid_package', detail: 'One of its values contains a character that no program can be given.' };
}
