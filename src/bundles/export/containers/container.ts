import { createHash } from 'node:crypto';
import type { BridgedRegistry } from '../../../config/environment';
import type { Question, Template } from '../../launch/template';
import {
  AskedOfServer,
  type AskedQuestion,
  leftOut,
  type QuestionNames,
  toVariableName,
  withoutDashes,
} from '../asked-of-server';
import type { ContainerPlan } from './container-plan';
import { shellLine } from './shell-line';

/** A server that runs in a container, and what distinguishes it in the bundle. */
export interface ContainerServer {
  entryId: string;
  key: string;
  plan: ContainerPlan;
}

/** The files that containers run by, independent of what runs them. */
export interface ContainerFiles {
  /** As an object. */
  configuration: Record<string, unknown>;
  /** As text, in parts that are joined by nothing. */
  parts: Iterable<string>;
  questions: AskedQuestion[];
  /** By entry: where its server is reached. */
  endpointUrls: ReadonlyMap<string, string>;
  /** What a reader has to do, and what the file cannot express of any server. */
  notes: readonly string[];
}

/** What is the same in every file of one export. */
export interface ContainerOptions {
  bundleId: string;
  images: Readonly<Partial<Record<BridgedRegistry, string>>>;
  /** A runtime that isolates containers further, such as gVisor; undefined: the usual one. */
  runtimeClass: string | undefined;
}

/** The bridge listens on this port and serves these paths in the container. */
export const PORT = 8000;
export const PATH = '/mcp';
export const HEALTH_PATH = '/healthz';
/** `node` in the images of Node.js. */
export const USER_ID = 1000;
export const MEMORY_MIB = 512;
export const CPUS = 1;
export const PROCESSES = 256;
/** For the packages that are installed at the start, and what else a server writes. */
export const SCRATCH_MIB = 256;
export const SCRATCH = '/tmp';
/** The bridge gives its processes five seconds. */
export const GRACE_SECONDS = 10;

/**
 * Supergateway 4 (ADR 55), which gives every session a process of its own. Its sessions end ten minutes after their last
 * use; a client of ours begins another one then.
 */
const SESSION_TIMEOUT_MS = 600_000;
export const BRIDGE = 'supergateway';

/** @param line a command for a shell */
export function bridgeArguments(line: string): string[] {
  return [
    ...['--stdio', line],
    ...['--outputTransport', 'streamableHttp', '--stateful', '--sessionTimeout', `${SESSION_TIMEOUT_MS}`],
    ...['--port', `${PORT}`, '--streamableHttpPath', PATH, '--healthEndpoint', HEALTH_PATH],
    // It would log what is sent to a server and what it answers.
    ...['--logLevel', 'none'],
  ];
}

/** Measured with `@modelcontextprotocol/server-everything` 2026.8.31: 88 MB of npx and 68 MB of the server, resident. */
export const SESSIONS_NOTE = `Each session of a client is a process of its own, with npx two of Node.js: ${MEMORY_MIB} MiB are enough for two or three.`;
export const REQUESTS_NOTE =
  'The bridge takes requests of 100 KiB at most. The first session after a start installs the package, which takes seconds.';

/** With these variables, the package managers write below `/tmp`; everything else is read-only. */
const RUNTIME_ENVIRONMENT: Readonly<Record<BridgedRegistry, Readonly<Record<string, string>>>> = {
  npm: { HOME: SCRATCH, npm_config_cache: `${SCRATCH}/.npm`, npm_config_update_notifier: 'false' },
  pypi: { HOME: SCRATCH, UV_CACHE_DIR: `${SCRATCH}/.uv`, PYTHONUNBUFFERED: '1' },
};

const MAX_LABEL_LENGTH = 63;
const PREFIX = 'mcp-';

/**
 * The name of a server among its neighbours, and their DNS: a label of RFC 1123 that begins with a letter, as Services
 * of Kubernetes need. It depends on the key of the entry and nothing else.
 *
 * @param key 1–64 characters of `[a-z0-9-]`
 */
export function serverName(key: string): string {
  const name = `${PREFIX}${key}`;
  if (name.length <= MAX_LABEL_LENGTH && !name.endsWith('-')) return name;
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 8);
  return `${name.slice(0, MAX_LABEL_LENGTH - 9).replace(/-+$/, '')}-${digest}`;
}

/** The name of everything that belongs to a bundle. */
export function projectName(bundleId: string): string {
  return `toolyard-${bundleId}`;
}

/** What a container is given. */
export interface ContainerText {
  /** Its variables. */
  variables: ReadonlyMap<string, Template>;
  /** Further variables, of one answer each, to which the command refers. */
  answers: ReadonlyMap<string, Question>;
  /** @returns the name of the further variable that has the answer */
  answerOf: (question: Question) => string;
  /** For the shell in the container. */
  line: string;
  /** The names of variables of the server that are not used. */
  replaced: readonly string[];
}

/**
 * Writes the command and the environment of a container. An answer within a command line is a variable of its own, so
 * that it is never part of what a shell reads.
 */
export function containerText({ plan: { registry, words, env } }: ContainerServer): ContainerText {
  const answers = new Map<string, Question>();
  const names = new Map<string, string>();
  const answerOf = (question: Question): string => {
    const known = names.get(question.name);
    if (known !== undefined) return known;
    const wanted = `TOOLYARD_${toVariableName(withoutDashes(question.name)).slice(0, 100)}`;
    let name = wanted;
    for (let number = 2; env.has(name) || answers.has(name); number++) name = `${wanted}_${number}`;
    names.set(question.name, name);
    answers.set(name, question);
    return name;
  };
  const line = `exec ${shellLine(words, answerOf)}`;
  const own = RUNTIME_ENVIRONMENT[registry];
  // npm reads its settings in any case.
  const isOwn = (name: string) => Object.hasOwn(own, /^npm_config_/i.test(name) ? name.toLowerCase() : name);
  return {
    answers,
    answerOf,
    variables: new Map<string, Template>([
      ...[...env].filter(([name]) => !isOwn(name)),
      ...Object.entries(own).map(([name, value]): [string, Template] => [name, [value]]),
    ]),
    line,
    replaced: [...env.keys()].filter(isOwn),
  };
}

/** `$` begins a variable in both formats, and two of them are one (Compose: interpolation; Kubernetes: `$(NAME)`). */
export function escaped(text: string): string {
  return text.replaceAll('$', '$$$$');
}

/** The questions of a server under the names that its file has for them. */
export function questionsOf(
  { key, plan: { unasked } }: ContainerServer,
  names: QuestionNames,
): { asked: AskedOfServer; all: () => AskedQuestion[] } {
  const asked = new AskedOfServer(key, names);
  return { asked, all: () => [...asked.all(), ...leftOut(key, unasked)] };
}
