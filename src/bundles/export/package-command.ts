import type { ServerPackage } from './server-parts';
import type { Skip } from './skip';
import type { Template } from './template';

/** The words of a command line besides the package itself. */
interface Arguments {
  /** For what runs the package. */
  runtime: Template[];
  /** For the package. */
  own: Template[];
}

type Command = { command: string; args: Template[] };

/** Where a registry is when a document does not say; any other one has to be named to what runs the package. */
const PUBLIC_REGISTRIES: Record<string, RegExp> = {
  npm: /^https:\/\/registry\.npmjs\.(org|com)\/?$/,
  pypi: /^https:\/\/pypi\.(org|python\.org)(\/simple)?\/?$/,
  oci: /^https:\/\/(docker\.io|index\.docker\.io|registry-1\.docker\.io|hub\.docker\.com)(\/.*)?$/,
  nuget: /^https:\/\/(api|www)\.nuget\.org(\/v3\/index\.json)?\/?$/,
};

/**
 * The command that runs a package: npx, uvx, docker or dnx, or what the document prefers of the same kind. A package of
 * another registry than the public one names that registry, since one of the same name may be somebody else's.
 *
 * @param env the names of the environment variables, which a container only has if it is told
 */
export function packageCommand(found: ServerPackage, { runtime, own }: Arguments, env: string[]): Command | Skip {
  const { registryType, identifier, version } = found;
  if (identifier === '' || /^[-\s]|\s/.test(identifier)) {
    return { reason: 'invalid_package', detail: 'The identifier of its package is none.' };
  }
  const registry = otherRegistry(found);
  const hint = found.runtimeHint ?? '';
  switch (registryType) {
    case 'npm': {
      const command = hint === 'bunx' ? 'bunx' : 'npx';
      const quiet = command === 'bunx' || names(runtime, '-y', '--yes') ? [] : ['-y'];
      const from = registry === undefined ? [] : [`--registry=${registry}`];
      const spec = version === undefined ? identifier : `${identifier}@${version}`;
      return {
        command,
        args: [...words(...quiet, ...from), ...runtime, ...unlessNamed(runtime, identifier, spec), ...own],
      };
    }
    case 'pypi': {
      const from = registry === undefined ? [] : ['--default-index', registry];
      const spec = version === undefined ? identifier : `${identifier}==${version}`;
      return {
        command: 'uvx',
        args: [...words(...from), ...runtime, ...unlessNamed(runtime, identifier, spec), ...own],
      };
    }
    case 'nuget': {
      const spec = version === undefined ? identifier : `${identifier}@${version}`;
      const from = registry === undefined ? [] : ['--source', registry];
      const end = own.length > 0 ? ['--'] : [];
      return { command: 'dnx', args: [...runtime, ...words(spec, '--yes', ...from, ...end), ...own] };
    }
    case 'oci': {
      const passed = env.flatMap((name) => ['-e', name]);
      const args = [...words('run', '-i', '--rm'), ...runtime, ...words(...passed, image(found, registry)), ...own];
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

/** Some documents name the image with its tag or digest, others tell the version apart. */
function image({ identifier, version }: ServerPackage, registry: string | undefined): string {
  const [first = ''] = identifier.split('/');
  const hasHost = identifier.includes('/') && /[.:]|^localhost$/.test(first);
  const host = registry === undefined || hasHost ? '' : `${registry.replace(/^https?:\/\//, '').replace(/\/$/, '')}/`;
  const isTagged = /:[^/]*$|@/.test(identifier);
  return `${host}${identifier}${version === undefined || isTagged ? '' : `:${version}`}`;
}

/** Some documents name the package among the arguments of what runs it. */
function unlessNamed(runtime: Template[], identifier: string, spec: string): Template[] {
  const isNamed = runtime.some(
    ([word]) => typeof word === 'string' && (word === identifier || word.startsWith(`${identifier}@`)),
  );
  return isNamed ? [] : [[spec]];
}

function names(runtime: Template[], ...flags: string[]): boolean {
  return runtime.some(([word]) => typeof word === 'string' && flags.includes(word));
}

function words(...texts: string[]): Template[] {
  return texts.map((text) => [text]);
}
