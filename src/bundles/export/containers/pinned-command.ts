import { valid } from 'semver';
import type { BridgedRegistry } from '../../../config/environment';
import type { LocalServer } from '../../launch/launch';
import type { ServerPackage } from '../../launch/server-parts';
import type { Skip } from '../../launch/skip';
import type { Template } from '../../launch/template';

/** How a program that runs packages is called. */
interface Runner {
  command: string;
  /** Names of packages in its registry. */
  name: RegExp;
  isVersion: (version: string) => boolean;
  /** Between a name and its version. */
  separator: string;
  /** Options without a value. */
  flags: ReadonlySet<string>;
  /** Options with a value that installs nothing. */
  settings: ReadonlySet<string>;
  /** Options whose value is a package, from which the program comes. */
  selects: ReadonlySet<string>;
  /** Options whose value is a package that is installed besides: the next word still names the one with the program. */
  adds: ReadonlySet<string>;
}

/**
 * What can be pinned. An option that is in none of the lists may run anything (`npx --call`), or take the next word for
 * its value, so that nothing says which package is run.
 */
const RUNNERS: Record<BridgedRegistry, Runner> = {
  npm: {
    command: 'npx',
    name: /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i,
    isVersion: (version) => /^\d/.test(version) && valid(version) !== null,
    separator: '@',
    flags: new Set(['-y', '--yes', '-q', '--quiet', '--silent', '--prefer-online', '--prefer-offline']),
    settings: new Set(['--registry']),
    selects: new Set(['-p', '--package']),
    adds: new Set(),
  },
  pypi: {
    command: 'uvx',
    name: /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?(?:\[[a-z0-9._,-]+\])?$/i,
    // PEP 440 without the stars of a prefix.
    isVersion: (version) => /^\d[a-z0-9.!+_-]*$/i.test(version),
    separator: '==',
    flags: new Set(['-q', '--quiet', '--isolated', '--no-progress']),
    settings: new Set(['-p', '--python', '--default-index', '--index', '--index-url', '--extra-index-url']),
    selects: new Set(['--from']),
    adds: new Set(['--with']),
  },
};

const MAX_LENGTH = 214;

/**
 * Finds out whether a command runs exactly one version of its package, and no other package without a version.
 *
 * @returns why it does not, or undefined
 */
export function unpinned({ command, args, package: serverPackage }: LocalServer): Skip | undefined {
  const { identifier, version } = serverPackage;
  const runner = runnerOf(serverPackage);
  if (!runner || runner.command !== command) return noBridge(serverPackage, command);
  if (identifier.length > MAX_LENGTH || !runner.name.test(identifier))
    return { reason: 'invalid_package', detail: 'The identifier of its package is not a name of its registry.' };
  if (version === undefined || version.length > MAX_LENGTH || !runner.isVersion(version))
    return { reason: 'unpinned', detail: 'Its server.json does not name one exact version of the package.' };
  return unpinnedWord(runner, args, `${identifier}${runner.separator}${version}`);
}

function unpinnedWord(runner: Runner, args: readonly Template[], wanted: string): Skip | undefined {
  let isWanted = false;
  for (let index = 0; index < args.length; index++) {
    const word = literal(args[index]);
    if (word === undefined) break;
    if (!word.startsWith('-')) {
      // The package, or a program of those that options have selected.
      return isWanted || word === wanted ? undefined : notExact(runner, word);
    }
    const [option = '', ...values] = word.split('=');
    const hasValue = values.length > 0;
    if (runner.flags.has(option) && !hasValue) continue;
    const isPackage = runner.selects.has(option) || runner.adds.has(option);
    if (!runner.settings.has(option) && !isPackage)
      return {
        reason: 'unpinned',
        detail: `It is run with the option ${shown(option)} of ${runner.command}, of which an export knows nothing.`,
      };
    const value = hasValue ? values.join('=') : literal(args[++index]);
    if (value === undefined) break;
    if (!isPackage) continue;
    if (!isExact(runner, value)) return notExact(runner, value);
    isWanted ||= runner.selects.has(option) && value === wanted;
  }
  return { reason: 'unpinned', detail: 'Nothing says which version of its package is run.' };
}

function isExact({ name, separator, isVersion }: Runner, spec: string): boolean {
  const at = spec.indexOf(separator, 1);
  return at > 0 && name.test(spec.slice(0, at)) && isVersion(spec.slice(at + separator.length));
}

function notExact({ command }: Runner, spec: string): Skip {
  return {
    reason: 'unpinned',
    detail: `${command} would run ${shown(spec)}, which is not one exact version of its package.`,
  };
}

function runnerOf({ registryType }: ServerPackage): Runner | undefined {
  return registryType === 'npm' || registryType === 'pypi' ? RUNNERS[registryType] : undefined;
}

function noBridge({ registryType }: ServerPackage, command: string): Skip {
  if (registryType === 'oci')
    return {
      reason: 'no_bridge',
      detail:
        'It is a container image of its own, which has no bridge from its standard input and output to Streamable HTTP; run it with what attaches to them, such as ToolHive.',
    };
  return { reason: 'no_bridge', detail: `No image with a bridge has ${command}.` };
}

function literal(template: Template | undefined): string | undefined {
  if (template?.length !== 1) return undefined;
  const [part] = template;
  return typeof part === 'string' ? part : undefined;
}

function shown(word: string): string {
  return word.length > 100 ? `${word.slice(0, 100)}…` : word;
}
