import type { ServerPackage } from './server-parts';
import type { Skip } from './skip';
import type { Template } from './template';

/** An argument for the program that runs the package: a positional word, or an option with or without its value. */
export interface RuntimeArgument {
  isPositional: boolean;
  words: Template[];
}

/** The arguments of a command line besides the package itself. */
interface Arguments {
  /** For the program that runs the package. */
  runtime: RuntimeArgument[];
  /** For the package. */
  own: Template[];
}

type Command = { command: string; args: Template[] };

/** The default registries; any other one has to be passed to the program that runs the package. */
const PUBLIC_REGISTRIES: Record<string, RegExp> = {
  npm: /^https:\/\/registry\.npmjs\.(org|com)\/?$/,
  pypi: /^https:\/\/pypi\.(org|python\.org)(\/simple)?\/?$/,
  oci: /^https:\/\/(docker\.io|index\.docker\.io|registry-1\.docker\.io|hub\.docker\.com)(\/.*)?$/,
  nuget: /^https:\/\/(api|www)\.nuget\.org(\/v3\/index\.json)?\/?$/,
};

/**
 * The command that runs a package: npx, uvx, docker or dnx, or the equivalent that the document prefers. A package of a
 * registry other than the public one gets that registry as an option, since the package of the same name in the public
 * one may be someone else's.
 *
 * @param env the names of the environment variables that have to be passed to a container
 */
export function packageCommand(
  serverPackage: ServerPackage,
  { runtime, own }: Arguments,
  env: string[],
): Command | Skip {
  const { registryType, identifier, version } = serverPackage;
  if (identifier === '' || /^[-\s]|\s/.test(identifier)) {
    return { reason: 'invalid_package', detail: 'The identifier of its package is not valid.' };
  }
  const registry = otherRegistry(serverPackage);
  const hint = serverPackage.runtimeHint ?? '';
  const { all, options, behind } = aroundPackage(runtime);
  const isNamed = all.some((word) => namesPackage(word, identifier));
  switch (registryType) {
    case 'npm': {
      const command = hint === 'bunx' ? 'bunx' : 'npx';
      const quiet = command === 'bunx' || has(all, '-y', '--yes') ? [] : ['-y'];
      const from = registry === undefined ? [] : [`--registry=${registry}`];
      const spec = version === undefined ? identifier : `${identifier}@${version}`;
      const itself = isNamed || has(options, '-p', '--package') ? [] : [spec];
      return { command, args: [...words(...quiet, ...from), ...options, ...words(...itself), ...behind, ...own] };
    }
    case 'pypi': {
      const from = registry === undefined ? [] : ['--default-index', registry];
      const spec = version === undefined ? identifier : `${identifier}==${version}`;
      // uvx cannot run a module, but it can run the interpreter in the environment of the package.
      const itself = has(all, '-m') ? ['--from', spec, 'python'] : [];
      if (itself.length > 0) return { command: 'uvx', args: [...words(...from, ...itself), ...all, ...own] };
      const last = isNamed || has(options, '--from') ? [] : [spec];
      return { command: 'uvx', args: [...words(...from), ...options, ...words(...last), ...behind, ...own] };
    }
    case 'nuget': {
      const spec = version === undefined ? identifier : `${identifier}@${version}`;
      const from = registry === undefined ? [] : ['--source', registry];
      const end = behind.length + own.length > 0 ? ['--'] : [];
      return { command: 'dnx', args: [...options, ...words(spec, '--yes', ...from, ...end), ...behind, ...own] };
    }
    case 'oci': {
      const named = all.findIndex((word) => namesImage(word, identifier));
      const before = named === -1 ? options : all.slice(0, named);
      const usual = ['-i', '--rm'].filter((flag) => !has(before, flag));
      const given = new Set(before.map(optionOf));
      const passed = env.filter((name) => !given.has(name)).flatMap((name) => ['-e', name]);
      const after = named === -1 ? behind : all.slice(named + 1);
      const args = [
        ...words('run', ...usual),
        ...before,
        ...words(...passed, image(serverPackage, registry)),
        ...after,
        ...own,
      ];
      return { command: hint === 'podman' ? 'podman' : 'docker', args };
    }
    default:
      return {
        reason: 'unknown_registry',
        detail: `There is no known way to run a package of ${registryType || 'an unnamed registry'}.`,
      };
  }
}

function otherRegistry({ registryType, registryBaseUrl }: ServerPackage): string | undefined {
  return registryBaseUrl === undefined || PUBLIC_REGISTRIES[registryType]?.test(registryBaseUrl)
    ? undefined
    : registryBaseUrl;
}

/** Some documents name the image with its tag or digest, others have the version in its own field. */
function image({ identifier, version }: ServerPackage, registry: string | undefined): string {
  const [first = ''] = identifier.split('/');
  const hasHost = identifier.includes('/') && /[.:]|^localhost$/.test(first);
  const host = registry === undefined || hasHost ? '' : `${registry.replace(/^https?:\/\//, '').replace(/\/$/, '')}/`;
  const isTagged = identifier.lastIndexOf(':') > identifier.lastIndexOf('/') || identifier.includes('@');
  return `${host}${identifier}${version === undefined || isTagged ? '' : `:${version}`}`;
}

/** Options of npx, uvx and docker without a value. */
const WITHOUT_VALUE = new Set(
  '-y --yes -q --quiet -i --interactive -t --tty -it -ti --rm --init --privileged --read-only'.split(' '),
);

/**
 * A positional word before the package would be taken for the package, and someone else's package would be run: it is
 * moved behind the package, with everything that follows it.
 */
function aroundPackage(runtime: RuntimeArgument[]): { all: Template[]; options: Template[]; behind: Template[] } {
  const first = runtime.findIndex(({ isPositional, words: [word] }, index) => {
    if (!isPositional || word === undefined || /^-/.test(start(word))) return false;
    const before = runtime[index - 1]?.words ?? [];
    return before.length !== 1 || !/^-[^=]*$/.test(start(before[0])) || WITHOUT_VALUE.has(start(before[0]));
  });
  const [options, behind] = first === -1 ? [runtime, []] : [runtime.slice(0, first), runtime.slice(first)];
  const wordsOf = (list: RuntimeArgument[]) => list.flatMap((argument) => argument.words);
  return { all: wordsOf(runtime), options: wordsOf(options), behind: wordsOf(behind) };
}

/** Some documents name the package among the arguments of the program that runs it. */
function namesPackage(word: Template, identifier: string): boolean {
  const text = start(word);
  return text.startsWith(identifier) && /^($|[@=[])/.test(text.slice(identifier.length));
}

function namesImage(word: Template, identifier: string): boolean {
  return word.length === 1 && start(word) !== '' && imageName(start(word)) === imageName(identifier);
}

/** Without the default registry, tag and digest. */
function imageName(text: string): string {
  return text.replace(/^docker\.io\/(library\/)?/, '').replace(/@.*$|:[^/:]*$/, '');
}

/** Whether one of the words is one of these options, with or without a value. */
function has(list: readonly Template[], ...options: string[]): boolean {
  return list.some((word) => options.includes(optionOf(word)));
}

/** The option in a word such as `--option=value`. */
function optionOf(word: Template): string {
  return start(word).split('=', 1)[0] ?? '';
}

/** The text of a word before the first question in it. */
function start([part]: Template = []): string {
  return typeof part === 'string' ? part : '';
}

function words(...texts: string[]): Template[] {
  return texts.map((text) => [text]);
}
