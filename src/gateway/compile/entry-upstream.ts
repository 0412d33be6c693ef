import type { KnownConfig } from '../../bundles/entries/entry-config';
import { type Launch, planEachWay } from '../../bundles/launch/launch';
import type { Skip } from '../../bundles/launch/skip';
import { hasQuestions, type Question, type Template } from '../../bundles/launch/template';
import type { ProblemCode } from './compiled-bundle';

/** The server of an entry: an address, and headers that everyone sends there. */
export interface WantedUpstream {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** Why an entry has none that can be spoken to from here. */
export interface Unreachable {
  readonly code: ProblemCode;
  readonly detail: string;
}

/** Of the ways that do not work, the one that an editor can most likely mend is reported. */
const ORDER: readonly ProblemCode[] = ['missing_values', 'invalid_server', 'unsupported_transport', 'no_remote'];

/**
 * Where the server of an entry is: the first remote server of its document by Streamable HTTP whose address and required
 * headers have values. Secrets belong to credentials, so a server that needs one is out of reach without.
 *
 * @param document a `server.json`
 */
export function entryUpstream(document: unknown, config: KnownConfig): WantedUpstream | Unreachable {
  const obstacles: Unreachable[] = [];
  for (const planned of planEachWay(document, config, { remotes: true, asks: false })) {
    const way = 'reason' in planned ? obstacleOf(planned) : upstreamOf(planned);
    if ('url' in way) return way;
    obstacles.push(way);
  }
  obstacles.sort((one, other) => ORDER.indexOf(one.code) - ORDER.indexOf(other.code));
  return obstacles[0] ?? { code: 'no_remote', detail: 'Its server.json names no server that could be reached.' };
}

function upstreamOf({ server }: Launch): WantedUpstream | Unreachable {
  if (server.kind === 'local')
    return {
      code: 'no_remote',
      detail: 'It is a package that a person has to run; an endpoint reaches remote servers only.',
    };
  if (server.type === 'sse')
    return {
      code: 'unsupported_transport',
      detail: 'Its remote server speaks HTTP with SSE (2024-11-05); an endpoint speaks Streamable HTTP.',
    };
  const open = [server.url, ...server.headers.values()].flatMap(questionsOf);
  if (open.length > 0) {
    const names = [...new Set(open.map(({ name }) => name))].join(', ');
    return { code: 'missing_values', detail: `Its remote server needs a value for: ${names}.` };
  }
  const headers = [...server.headers].map(([name, value]): [string, string] => [name.toLowerCase(), textOf(value)]);
  return { url: textOf(server.url), headers: Object.fromEntries(headers) };
}

function obstacleOf({ reason, detail }: Skip): Unreachable {
  if (reason === 'invalid_address' || reason === 'too_large') return { code: 'invalid_server', detail };
  return { code: 'no_remote', detail };
}

function questionsOf(template: Template): Question[] {
  return hasQuestions(template) ? template.filter((part) => typeof part !== 'string') : [];
}

function textOf(template: Template): string {
  return template.filter((part) => typeof part === 'string').join('');
}
